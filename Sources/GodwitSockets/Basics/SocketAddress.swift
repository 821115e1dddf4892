#if os(Linux)
import GodwitCore
package import GodwitLibc

/// An IP address and a port.
package struct SocketAddress: Hashable, Sendable {
    package let isIPv6: Bool
    /// 4 or 16 bytes.
    private let host: [UInt8]
    package let port: UInt16
    /// The interface of a link-local IPv6 address.
    private let scope: UInt32

    /// An address text such as `127.0.0.1` or `::1`; nil for a name.
    package init?(_ text: String, port: Int) {
        guard let port = UInt16(exactly: port) else { return nil }
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(host: withUnsafeBytes(of: v4) { Array($0) }, port: port)
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(host: withUnsafeBytes(of: v6) { Array($0) }, port: port)
        } else {
            return nil
        }
    }

    /// An address of the system's; nil if it is not an IP address.
    ///
    /// - Parameter port: Replaces the port.
    package init?(_ address: UnsafePointer<sockaddr>, port: UInt16? = nil) {
        let bytes = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let name = bytes.loadUnaligned(as: sockaddr_in.self)
            self.init(
                host: withUnsafeBytes(of: name.sin_addr) { Array($0) }, port: port ?? UInt16(bigEndian: name.sin_port))
        case AF_INET6:
            let name = bytes.loadUnaligned(as: sockaddr_in6.self)
            self.init(
                host: withUnsafeBytes(of: name.sin6_addr) { Array($0) },
                port: port ?? UInt16(bigEndian: name.sin6_port), scope: name.sin6_scope_id)
        default:
            return nil
        }
    }

    private init(host: [UInt8], port: UInt16, scope: UInt32 = 0) {
        isIPv6 = host.count == 16
        self.host = host
        self.port = port
        self.scope = scope
    }

    /// The address without its port, in the network's order.
    var hostBytes: [UInt8] { host }

    /// The same address with another port.
    func with(port: UInt16) -> SocketAddress { SocketAddress(host: host, port: port, scope: scope) }

    /// The same address over the interface with this name or number (RFC 9844).
    func with(zone: String) -> SocketAddress {
        let scope = if_nametoindex(zone)
        return SocketAddress(host: host, port: port, scope: scope > 0 ? scope : UInt32(zone) ?? 0)
    }

    /// The address and port as text, such as `127.0.0.1:443` or `[::1]:443`.
    var text: String {
        var bytes = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isKnown = host.withUnsafeBytes {
            inet_ntop(isIPv6 ? AF_INET6 : AF_INET, $0.baseAddress, &bytes, socklen_t(bytes.count)) != nil
        }
        let address =
            isKnown ? String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "?"
        return isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Calls a system function with the address.
    package func withSystemAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        var storage = sockaddr_storage()
        return withUnsafeMutableBytes(of: &storage) { bytes in
            let size = write(to: bytes)
            let address = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped).assumingMemoryBound(to: sockaddr.self)
            return body(address, socklen_t(size))
        }
    }

    private func write(to bytes: UnsafeMutableRawBufferPointer) -> Int {
        if isIPv6 {
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = port.bigEndian
            name.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: host) }
            bytes.storeBytes(of: name, as: sockaddr_in6.self)
            return MemoryLayout<sockaddr_in6>.size
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: host) }
        bytes.storeBytes(of: name, as: sockaddr_in.self)
        return MemoryLayout<sockaddr_in>.size
    }
}
#endif
