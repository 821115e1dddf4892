#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore
import GodwitSupport

/// A non-blocking TCP connection, with TLS if asked for. Used by one thread.
final class RedisSocket {
    let descriptor: Int32
    private var tls: RedisTLS?
    /// Bytes to send.
    private var output: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    var hasOutput: Bool { !output.isEmpty }

    /// Connects.
    ///
    /// - Parameters:
    ///   - order: Which address of the host is tried first.
    ///   - deadline: When to give up. Resolving a name can take longer.
    init(
        _ address: RedisURL.Address, _ order: AddressOrder, until deadline: ContinuousClock.Instant
    ) throws(RedisFailure) {
        var hints = addrinfo()
        hints.ai_socktype = StreamSocket.type
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        // `AI_ADDRCONFIG` ignores loopback addresses in a network namespace that has no other.
        if getaddrinfo(address.host, String(address.port), &hints, &list) != 0 {
            hints.ai_flags = 0
            guard getaddrinfo(address.host, String(address.port), &hints, &list) == 0 else {
                throw RedisFailure(.unreachable, "the host \(address.host) can't be resolved")
            }
        }
        defer { freeaddrinfo(list) }
        var candidates: [addrinfo] = []
        var next = list
        while let info = next?.pointee {
            candidates.append(info)
            next = info.ai_next
        }
        var reason = "it has no address"
        for (position, index) in order.indices(candidates.count).enumerated() {
            let end = AddressOrder.deadline(deadline, remaining: candidates.count - position)
            switch Self.connect(candidates[index], until: end) {
            case .success(let descriptor):
                self.descriptor = descriptor
                return
            case .failure(let failure): reason = failure.reason
            }
        }
        throw RedisFailure(.unreachable, "no connection to \(address.host):\(address.port): \(reason)")
    }

    deinit { close(descriptor) }

    private static func connect(
        _ info: addrinfo, until deadline: ContinuousClock.Instant
    ) -> Result<Int32, RedisFailure> {
        let descriptor = StreamSocket.open(info.ai_family, isBlocking: false)
        guard descriptor >= 0 else { return .failure(system(errno)) }
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let result = systemConnect(descriptor, info.ai_addr, info.ai_addrlen)
        let code = StreamSocket.outcome(ofConnecting: descriptor, result, until: deadline)
        guard code == 0 else {
            close(descriptor)
            return .failure(system(code))
        }
        return .success(descriptor)
    }

    /// Secures the connection.
    func startTLS(_ tls: RedisTLS, until deadline: ContinuousClock.Instant) throws(RedisFailure) {
        self.tls = tls
        while true {
            let isDone = try tls.shakeHands()
            tls.takeOutput(into: &output)
            try flush()
            if isDone { return }
            guard Descriptor.wait(descriptor, for: Int32(POLLIN), until: deadline) else { throw Self.late }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw RedisFailure(.unreachable, "Redis closed the connection during TLS") }
            buffer.withUnsafeBytes { tls.receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// Queues bytes, and sends what the system accepts now.
    func send(_ bytes: [UInt8]) throws(RedisFailure) {
        if let tls {
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(16 << 10))
                rest = rest.dropFirst(piece.count)
                try Self.encrypt(piece, tls)
            }
            tls.takeOutput(into: &output)
        } else {
            output.append(contentsOf: bytes)
        }
        try flush()
    }

    private static func encrypt(_ bytes: [UInt8], _ tls: RedisTLS) throws(RedisFailure) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(RedisFailure) in try tls.write(bytes) }
        }
        try result.get()
    }

    /// Sends what is queued and what the system accepts now.
    func flush() throws(RedisFailure) {
        while !output.isEmpty {
            let count = output.withUnsafeBytes {
                systemSend(descriptor, $0.baseAddress, $0.count, StreamSocket.sendFlags)
            }
            guard count > 0 else {
                if errno == EAGAIN || errno == EWOULDBLOCK { return }
                if errno == EINTR { continue }
                throw Self.system(errno)
            }
            output.removeFirst(count)
        }
    }

    /// Reads what has arrived into the parser. Never waits.
    func receive(into parser: inout RedisParser) throws(RedisFailure) {
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return }
            guard count > 0 else {
                throw count == 0 ? RedisFailure(.unreachable, "Redis closed the connection") : Self.system(errno)
            }
            guard let tls else {
                try feed(count, to: &parser)
                // Less than the buffer holds means that nothing is left.
                if count < buffer.count { return }
                continue
            }
            buffer.withUnsafeBytes { tls.receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            while true {
                let plain = try decrypt(tls)
                guard plain > 0 else { break }
                try feed(plain, to: &parser)
            }
            tls.takeOutput(into: &output)
        }
    }

    private func decrypt(_ tls: RedisTLS) throws(RedisFailure) -> Int {
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(RedisFailure) in try tls.read(into: bytes) }
        }
        return try result.get()
    }

    private func feed(_ count: Int, to parser: inout RedisParser) throws(RedisFailure) {
        let result = buffer.withUnsafeBytes { bytes in
            Result { () throws(RedisFailure) in try parser.feed(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
        }
        try result.get()
    }

    static let late = RedisFailure(.slow, "Redis didn't answer in time")

    private static func system(_ code: Int32) -> RedisFailure {
        RedisFailure(.unreachable, String(cString: strerror(code)))
    }
}

// The C functions, which the methods shadow.
private let systemConnect: @Sendable (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32 = { connect($0, $1, $2) }
private let systemSend: @Sendable (Int32, UnsafeRawPointer?, Int, Int32) -> Int = { send($0, $1, $2, $3) }
#endif
