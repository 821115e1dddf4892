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

    /// Binds a socket to a port that the system chooses. Returns it, or `nil` with `errno`.
    package static func bind(_ descriptor: Int32) -> UInt16? {
        var name = address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutableBytes(of: &name) { bytes in
            let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return GodwitLibc.bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
        }
        return isBound ? UInt16(bigEndian: name.sin_port) : nil
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
