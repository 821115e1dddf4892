package import GodwitLibc

/// Sockets of 127.0.0.1.
package enum Loopback {
    /// The address of a port.
    package static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    /// Connects a socket to a port. Returns 0, or -1 with `errno`.
    package static func connect(_ descriptor: Int32, to port: Int) -> Int32 {
        withUnsafeBytes(of: address(port)) { bytes in
            GodwitLibc.connect(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
