import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// A socket that accepts connections.
final class Listener: Sendable {
    let url: HTTPURL
    private let descriptor: Int32
    private let path: String?
    private let isOpen = Mutex(true)

    init(_ options: MockServer.Options) throws(NetworkError) {
        descriptor = try Self.bound(options)
        do throws(NetworkError) {
            guard listen(descriptor, 1024) == 0 else { throw Self.failure("cannot listen") }
            url = try Self.url(options, of: descriptor)
        } catch {
            GodwitLibc.close(descriptor)
            throw error
        }
        if case .unixSocket(let path) = options.address { self.path = path } else { path = nil }
    }

    deinit {
        close()
    }

    /// Refuses further connections. Call it on the accepting thread, or without such a thread.
    func close() {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            isOpen = false
            GodwitLibc.close(descriptor)
            if let path { unlink(path) }
        }
    }

    /// Waits for a connection or a wake-up; `nil` without a connection.
    func accept(orWake pipe: WakePipe) -> Int32? {
        var polled = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&polled, 2, -1) < 0 && errno == EINTR {}
        pipe.drain()
        guard polled[0].revents != 0 else { return nil }
        let accepted = GodwitLibc.accept(descriptor, nil, nil)
        // Without a free descriptor, the connection stays in the queue and would wake the thread immediately.
        if accepted < 0, errno == EMFILE || errno == ENFILE { _ = poll(nil, 0, 10) }
        guard accepted >= 0 else { return nil }
        guard WakePipe.isSpare(accepted) else { return accepted }
        GodwitLibc.close(accepted)
        return nil
    }

    /// A socket with an address, which doesn't listen yet.
    static func bound(_ options: MockServer.Options) throws(NetworkError) -> Int32 {
        let descriptor = StreamSocket.open(family(options.address), isBlocking: false)
        guard descriptor >= 0 else { throw failure("cannot open a socket") }
        do throws(NetworkError) {
            try configure(descriptor, options)
            try bind(descriptor, options.address)
        } catch {
            GodwitLibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func family(_ address: MockServer.Address) -> Int32 {
        switch address {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unixSocket: AF_UNIX
        }
    }

    private static func configure(_ descriptor: Int32, _ options: MockServer.Options) throws(NetworkError) {
        set(descriptor, SO_REUSEADDR, 1)
        if let size = options.receiveBuffer { set(descriptor, SO_RCVBUF, Int32(clamping: size)) }
        if let size = options.sendBuffer { set(descriptor, SO_SNDBUF, Int32(clamping: size)) }
    }

    private static func set(_ descriptor: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func bind(_ descriptor: Int32, _ address: MockServer.Address) throws(NetworkError) {
        let code: Int32
        switch address {
        case .ipv4(let port):
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            Platform.length(of: &name)
            code = bindDescriptor(descriptor, &name, MemoryLayout<sockaddr_in>.size)
        case .ipv6(let port):
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = port.bigEndian
            name.sin6_addr = in6addr_loopback
            Platform.length(of: &name)
            code = bindDescriptor(descriptor, &name, MemoryLayout<sockaddr_in6>.size)
        case .unixSocket(let path):
            var name = try unixName(path)
            code = bindDescriptor(descriptor, &name, MemoryLayout<sockaddr_un>.size)
        }
        guard code == 0 else { throw failure("cannot bind to \(address)") }
    }

    private static func unixName(_ path: String) throws(NetworkError) -> sockaddr_un {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        Platform.length(of: &name)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &name.sun_path) { target in
            guard bytes.count < target.count, !bytes.contains(0) else { return false }
            target.copyBytes(from: bytes)
            return true
        }
        guard fits else {
            throw NetworkError(
                .invalidRequest(reason: "the path of the unix-domain socket is too long: \(path)"), phase: .building)
        }
        return name
    }

    private static func port(of descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let name = bytes.baseAddress else { return 0 }
            getsockname(descriptor, name.assumingMemoryBound(to: sockaddr.self), &size)
            // Both families store the port in bytes 2 and 3.
            return Int(bytes[2]) << 8 | Int(bytes[3])
        }
    }

    /// The URL of a socket that has an address.
    static func url(_ options: MockServer.Options, of descriptor: Int32) throws(NetworkError) -> HTTPURL {
        let port = port(of: descriptor)
        let host =
            switch options.address {
            case .ipv4: "127.0.0.1:\(port)"
            case .ipv6: "[::1]:\(port)"
            case .unixSocket: "localhost"
            }
        let text = "\(options.tls == nil ? "http" : "https")://\(host)"
        do {
            return try HTTPURL(text)
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building)
        }
    }

    private static func failure(_ what: String) -> NetworkError {
        let reason = String(cString: strerror(errno))
        return NetworkError(.transport(.other("MockServer \(what): \(reason)")), phase: .connecting)
    }
}

private func bindDescriptor<Name>(_ descriptor: Int32, _ name: inout Name, _ size: Int) -> Int32 {
    withUnsafeMutableBytes(of: &name) { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return bind(descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
    }
}
