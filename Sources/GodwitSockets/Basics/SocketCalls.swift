#if os(Linux)
import GodwitLibc
import GodwitSupport

/// The system's calls for sockets. None but ``wait(_:for:or:milliseconds:)`` waits. Results below zero are an `errno`.
enum SocketCalls {
    /// Opens a stream socket for a connection. One that would leave the process almost no descriptor is `EMFILE`.
    static func open(_ family: Int32) -> Int32 {
        let type = StreamSocket.type | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { return -errno }
        guard Descriptor.isSpare(descriptor) else { return descriptor }
        close(descriptor)
        return -EMFILE
    }

    static func receive(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count >= 0 { return count }
            if errno != EINTR { return -Int(errno) }
        }
    }

    static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            let count = GodwitLibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
            if count >= 0 { return count }
            if errno != EINTR { return -Int(errno) }
        }
    }

    /// Tells the peer that nothing more is sent.
    static func closeWriting(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Waits for events of a socket, in bits of epoll; 0 if there were none in time, or if an eventfd rang first.
    static func wait(_ descriptor: Int32, for events: UInt32, or bell: Int32, milliseconds: Int32) -> UInt32 {
        var watched = (
            pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        )
        return withUnsafeMutablePointer(to: &watched) { pointer in
            pointer.withMemoryRebound(to: pollfd.self, capacity: 2) { watched in
                poll(watched, 2, milliseconds) > 0 ? UInt32(UInt16(bitPattern: watched[0].revents)) : 0
            }
        }
    }

    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The error that waits on a socket; 0 if there is none.
    static func error(of descriptor: Int32) -> Int32 {
        var (code, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
    }

    /// The address of one end; `nil` for a Unix domain socket.
    static func address(
        of descriptor: Int32, by call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                call(descriptor, address, &size) == 0 ? SocketAddress(address) : nil
            }
        }
    }

    static func localAddress(of descriptor: Int32) -> SocketAddress? {
        address(of: descriptor) { getsockname($0, $1, $2) }
    }

    static func peerAddress(of descriptor: Int32) -> SocketAddress? {
        address(of: descriptor) { getpeername($0, $1, $2) }
    }

    /// Whether this machine still has the address; a socket from one that is gone can't work any more.
    static func isPresent(_ address: SocketAddress) -> Bool {
        let family = address.isIPv6 ? AF_INET6 : AF_INET
        let probe = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return true }
        defer { close(probe) }
        return address.with(port: 0).withSystemAddress { bind(probe, $0, $1) == 0 || errno != EADDRNOTAVAIL }
    }

    static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// The kernel's figures of a TCP connection (`tcp_info` of linux/tcp.h, whose layout never changes; fields are only added).
struct TCPFigures {
    /// Bytes that were written, and that the peer has not acknowledged.
    let unacknowledged: UInt64
    let acknowledged: UInt64

    /// `nil` for a socket that isn't TCP.
    init?(of descriptor: Int32) {
        let figures = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { info -> Self? in
            info.initializeMemory(as: UInt8.self, repeating: 0)
            var size = socklen_t(info.count)
            guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, info.baseAddress, &size) == 0 else { return nil }
            return Self(UnsafeRawBufferPointer(info))
        }
        guard let figures else { return nil }
        self = figures
    }

    private init(_ info: UnsafeRawBufferPointer) {
        acknowledged = info.load(fromByteOffset: 120, as: UInt64.self)
        let notSent = UInt64(info.load(fromByteOffset: 144, as: UInt32.self))
        let sent = info.load(fromByteOffset: 200, as: UInt64.self) &- info.load(fromByteOffset: 208, as: UInt64.self)
        let written = sent &+ notSent
        unacknowledged = written > acknowledged ? written - acknowledged : 0
    }
}
#endif
