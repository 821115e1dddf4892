import CGodwitCurl
import Glibc

/// Writes the address of a connection's other end, and remembers the last one: a handle mostly meets the same server.
struct PeerNames {
    private var address: [CChar] = [0]
    private var port = 0
    private var name: String?

    /// Address and port, such as `127.0.0.1:443` or `[::1]:443`; nil for a unix-domain socket.
    mutating func name(of easy: UnsafeMutableRawPointer) -> String? {
        let port = godwit_get_long(easy, CURLINFO_PRIMARY_PORT)
        // Of a unix-domain socket libcurl tells the path.
        guard port > 0, let address = godwit_get_string(easy, CURLINFO_PRIMARY_IP), address.pointee != 0,
            address.pointee != CChar(UInt8(ascii: "/"))
        else { return nil }
        if port != self.port || strcmp(address, self.address) != 0 {
            self.port = port
            self.address = Array(UnsafeBufferPointer(start: address, count: strlen(address) + 1))
            let text = String(cString: address)
            name = text.contains(":") ? "[\(text)]:\(port)" : "\(text):\(port)"
        }
        return name
    }
}
