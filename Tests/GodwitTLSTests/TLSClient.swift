#if os(Linux)
import GodwitCore
import GodwitSupport
import GodwitTLS
import GodwitTesting

/// A client that sends one request over a session, as a test configures it.
final class TLSClient: Sendable {
    let server: MockServer
    private let stores: TrustStores
    private let rules: HostRules

    /// - Parameter configure: Changes rules that trust the server.
    init(_ server: MockServer, _ configure: (inout TLSConfiguration) -> Void = { $0 = $0 }) throws {
        var tls = TLSConfiguration()
        tls.trust(server)
        configure(&tls)
        let rules = try LoadedRules.load(tls, additional: nil)
        stores = TrustSource(additional: nil, rules: rules).load(replacing: nil)
        self.rules = HostRules(rules)
        self.server = server
    }

    /// What came of a request.
    struct Outcome: Sendable {
        var handshake = TLSSession.Step.wantsRead
        var response = ""
        var end = TLSSession.Step.wantsRead
        var negotiatedProtocol: String?
        var isResumed = false
        var versionName = ""
        /// The bytes that were sent until the handshake ended.
        var sentCount = 0
    }

    func makeContext(_ host: String, _ protocols: [String] = []) throws -> TLSContext {
        let rule = rules.rule(for: try HTTPURL("https://\(host)/"))
        return try TLSContext(
            store: stores.store(for: rule.authorities), identity: rule.identity, protocols: protocols)
    }

    func makeSession(
        _ host: String, over carrier: any TLSCarrier, _ protocols: [String] = [], _ tickets: TLSTickets? = nil
    ) throws -> TLSSession {
        let rule = rules.rule(for: try HTTPURL("https://\(host)/"))
        return try TLSSession(
            makeContext(host, protocols), host: host, over: carrier, pins: rule.pins, tickets: tickets, ticketKey: host)
    }

    /// Sends requests for `/`, one per connection, which share tickets.
    func get(
        from host: String = "127.0.0.1", times: Int = 1, offering protocols: [String] = [],
        _ configure: @escaping @Sendable (SocketCarrier) -> Void = { _ in }
    ) async throws -> [Outcome] {
        try await BlockingWork.run { () -> Result<[Outcome], any Error> in
            Result {
                let tickets = TLSTickets()
                return try (0..<times).map { _ in
                    let carrier = SocketCarrier(port: self.server.url.port)
                    configure(carrier)
                    let session = try self.makeSession(host, over: carrier, protocols, tickets)
                    return Self.exchange(session, carrier)
                }
            }
        }.get()
    }

    static func exchange(_ session: TLSSession, _ carrier: SocketCarrier) -> Outcome {
        var outcome = Outcome()
        outcome.handshake = settled { session.handshake() }
        outcome.sentCount = carrier.sentCount
        outcome.negotiatedProtocol = session.negotiatedProtocol
        outcome.isResumed = session.isResumed
        outcome.versionName = session.versionName
        guard outcome.handshake == .done(0) else { return outcome }
        if let failure = send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", over: session) {
            outcome.end = failure
            return outcome
        }
        (outcome.response, outcome.end) = read(session)
        session.sendCloseNotify()
        return outcome
    }

    /// Sends all of the text; returns why that failed.
    static func send(_ text: String, over session: TLSSession) -> TLSSession.Step? {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let step = settled { bytes[sent...].withUnsafeBytes { session.write($0) } }
            guard case .done(let count) = step else { return step }
            sent += count
        }
        return nil
    }

    /// Reads until the end.
    static func read(_ session: TLSSession) -> (text: String, end: TLSSession.Step) {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
        while true {
            let step = settled { buffer.withUnsafeMutableBytes { session.read(into: $0) } }
            guard case .done(let count) = step else { return (String(decoding: bytes, as: UTF8.self), step) }
            bytes += buffer[..<count]
        }
    }

    /// Repeats a step while it has to wait, as the socket does the waiting.
    static func settled(_ step: () -> TLSSession.Step) -> TLSSession.Step {
        for _ in 0..<1_000_000 {
            let result = step()
            if result != .wantsRead && result != .wantsWrite { return result }
        }
        return .wantsRead
    }
}
#endif
