#if canImport(Glibc)
import Glibc
import GodwitCore

/// A request whose head the client would not send.
package enum RawRequest {
    /// Sends the head of a request to 127.0.0.1, and returns the status of the response; `nil` if there is none.
    package static func status(_ head: String, port: Int) async throws -> Int? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0, write(descriptor, head, head.utf8.count) == head.utf8.count else { return nil }
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &buffer, buffer.count)
        let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        return words.dropFirst().first.flatMap { Int($0) }
    }
}
#endif
