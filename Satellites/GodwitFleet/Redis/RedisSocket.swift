#if os(Linux)
import GodwitCore
import GodwitLibc
import GodwitSupport
import GodwitTLS

/// A non-blocking TCP connection, with TLS if asked for. Used by one thread.
final class RedisSocket {
    private let carrier: RedisCarrier
    private var tls: TLSSession?
    /// Bytes to send.
    private var output: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    var descriptor: Int32 { carrier.descriptor }
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
                carrier = RedisCarrier(descriptor)
                return
            case .failure(let failure): reason = failure.reason
            }
        }
        throw RedisFailure(.unreachable, "no connection to \(address.host):\(address.port): \(reason)")
    }

    private static func connect(
        _ info: addrinfo, until deadline: ContinuousClock.Instant
    ) -> Result<Int32, RedisFailure> {
        let descriptor = StreamSocket.open(info.ai_family, isBlocking: false)
        guard descriptor >= 0 else { return .failure(system(errno)) }
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let result = GodwitLibc.connect(descriptor, info.ai_addr, info.ai_addrlen)
        let code = StreamSocket.outcome(ofConnecting: descriptor, result, until: deadline)
        guard code == 0 else {
            close(descriptor)
            return .failure(system(code))
        }
        return .success(descriptor)
    }

    /// Secures the connection.
    ///
    /// - Parameter host: The name or address that the certificate has to be for.
    func startTLS(_ tls: RedisTLS, to host: String, until deadline: ContinuousClock.Instant) throws(RedisFailure) {
        let context = try tls.context()
        guard let session = try? TLSSession(context, host: host, over: carrier) else {
            throw RedisFailure(.unreachable, "TLS can't be set up")
        }
        while true {
            let step = session.handshake()
            if try Self.count(step) != nil { break }
            let events = step == .wantsWrite ? POLLOUT : POLLIN
            guard Descriptor.wait(descriptor, for: Int32(events), until: deadline) else { throw Self.late }
        }
        self.tls = session
    }

    /// Queues bytes, and sends what the system accepts now.
    func send(_ bytes: [UInt8]) throws(RedisFailure) {
        output.append(contentsOf: bytes)
        try flush()
    }

    /// Sends what is queued and what the system accepts now.
    func flush() throws(RedisFailure) {
        // TLS takes a record at a time. What is left is moved once.
        var sent = 0
        defer { output.removeFirst(sent) }
        while sent < output.count {
            let step = output.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return tls?.write(rest) ?? Self.step(carrier.send(rest))
            }
            guard let count = try Self.count(step) else { return }
            sent += count
        }
    }

    /// Reads what has arrived into the parser. Never waits.
    func receive(into parser: inout RedisParser) throws(RedisFailure) {
        while true {
            let step = buffer.withUnsafeMutableBytes { tls?.read(into: $0) ?? Self.step(carrier.receive(into: $0)) }
            guard let count = try Self.count(step) else { return }
            try feed(count, to: &parser)
            // Less than the buffer holds means that nothing is left.
            if tls == nil, count < buffer.count { return }
        }
    }

    /// The number of bytes that were read or taken; `nil` if the socket has to be waited for.
    private static func count(_ step: TLSSession.Step) throws(RedisFailure) -> Int? {
        switch step {
        case .done(let count): return count
        case .wantsRead, .wantsWrite: return nil
        case .ended: throw RedisFailure(.unreachable, "Redis closed the connection")
        case .failed(let kind): throw RedisFailure(.unreachable, kind.summary)
        }
    }

    /// What the carrier's result means without TLS.
    private static func step(_ count: Int) -> TLSSession.Step {
        switch count {
        case 0: .ended(notified: false)
        case -Int(EAGAIN): .wantsRead
        case ..<0: .failed(.transport(.connectionLost(String(cString: strerror(Int32(-count))))))
        default: .done(count)
        }
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

/// The socket of a connection, with or without TLS.
private final class RedisCarrier: TLSCarrier {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        Self.result { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        Self.result { GodwitLibc.send(descriptor, bytes.baseAddress, bytes.count, StreamSocket.sendFlags) }
    }

    private static func result(_ call: () -> Int) -> Int {
        while true {
            let count = call()
            guard count < 0 else { return count }
            guard errno == EINTR else { return -Int(errno) }
        }
    }
}
#endif
