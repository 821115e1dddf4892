public import GodwitCore

/// One way in which a network fails, and what a transport must do then.
///
/// Proves that an `HTTPTransport` of your own keeps its contract when servers reset, stall, truncate and lie. Each scenario
/// starts a server on 127.0.0.1 that misbehaves, sends requests through the transport, and checks three things: how each call
/// ends, what the server saw, and that nothing is left open. Then an ordinary request must still work.
///
/// ```swift
/// for scenario in BadNetworkScenario.all { try await scenario.check(transport) }
/// ```
///
/// With Swift Testing, pass `BadNetworkScenario.all` as the arguments of a test: each scenario is then one case. Leave out
/// what your transport can't do, such as TLS: `BadNetworkScenario.all.filter { $0.stage != .handshake }`.
public struct BadNetworkScenario: Sendable, Identifiable, CustomStringConvertible {
    /// The part of an exchange in which the network fails.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The connection is refused, or ends before a request is read.
        case connecting
        /// The TLS handshake doesn't end. Needs a transport with TLS.
        case handshake
        /// The response head is missing, cut off, malformed or too large.
        case head
        /// The response body is cut off, malformed or too large.
        case body
        /// The server is silent or slow. These scenarios measure `HTTPRequest`'s timeouts in real time.
        case time
        /// The server answers, ends or stalls during an upload; `Expect: 100-continue`.
        case upload
        /// A connection ends between two requests, or carries unrequested bytes.
        case reuse
        /// The calling task is canceled.
        case cancellation
        /// The server restarts during many calls.
        case restart
    }

    /// The name, unique among ``all``, such as `a reset within the body`.
    public let name: String

    /// The part of an exchange that fails.
    public let stage: Stage

    /// What the server does.
    public let server: String

    /// What the transport must do.
    public let expectation: String

    /// The ``name``.
    public var id: String { name }

    /// The ``name``.
    public var description: String { name }

    let run: @Sendable (Trial) async throws(BadNetworkFailure) -> Void

    /// All scenarios, in the order of an exchange.
    public static let all: [BadNetworkScenario] =
        connecting + heads + bodies + timing + uploads + reuse + cancellations + restarts

    /// Checks a transport, and throws what it did wrong.
    ///
    /// Doesn't shut the transport down: you can check it with one scenario after another, or with several at once.
    ///
    /// - Parameters:
    ///   - transport: The transport. It must reach 127.0.0.1 over plain http, without a proxy.
    ///   - limit: Maximum time for each call to end and for each connection to be released. 10 seconds by default.
    /// - Throws: The first difference from ``expectation``, or that no server could be started.
    public func check(
        _ transport: some HTTPTransport, limit: Duration = .seconds(10)
    ) async throws(BadNetworkFailure) {
        let trial = Trial(scenario: self, transport: transport, limit: limit)
        try await run(trial)
        try await trial.checkUsable()
    }
}

/// What a transport did wrong in a ``BadNetworkScenario``.
///
/// Its text names the scenario, the difference, and the server's part: `a reset within the body (streamed): expected
/// transport.connection_lost, but got status 200 with 4 bytes. The server: …`.
public struct BadNetworkFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The ``BadNetworkScenario/name``.
    public let scenario: String

    /// The difference from what was expected.
    public let reason: String

    /// What the server did.
    public let server: String

    /// All of it in one line.
    public var description: String { "\(scenario): \(reason). The server: \(server)" }
}
