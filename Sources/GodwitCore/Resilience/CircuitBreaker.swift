import GodwitSupport
import Synchronization

/// Fails calls immediately while their origin is down, and probes it from time to time.
///
/// ```swift
/// let chain = Chain([CircuitBreaker(), Retry()], over: transport)
/// ```
///
/// After ``Options/failures`` consecutive failures, calls to that origin are not sent; they throw
/// `.transport(.cannotConnect)` with a ``CircuitOpen`` as ``NetworkError/underlying``. After ``Options/pause``, one
/// call is sent as a probe: if it succeeds, all calls are sent again; if it fails, another pause starts.
///
/// Failures are transport errors, connect and inactivity timeouts, and the statuses 500, 502, 503 and 504. Any other
/// response, including a 429, counts as a success. Cancellation, a total timeout, a missing network, a request that the
/// client refuses and a cached response are not counted. A streamed response counts by its head.
///
/// Place it outside ``Retry``, so that a call counts once and an open circuit is not retried.
public struct CircuitBreaker: AdmittingMiddleware {
    /// When a circuit opens, and how it closes.
    ///
    /// ```swift
    /// $0.circuitBreaker = CircuitBreaker.Options()
    /// $0.circuitBreaker?.pause = .seconds(30)
    /// ```
    public struct Options: Sendable, Hashable {
        /// How many consecutive failures open a circuit. 5 by default; less than 1 counts as 1.
        public var failures = 5
        /// How long an open circuit sends nothing. 15 s by default.
        public var pause = Duration.seconds(15)
        /// How many probes run at the same time after the pause. 1 by default; less than 1 counts as 1.
        public var probes = 1

        /// Creates the default options.
        public init() {}
    }

    private let options: Options
    private let timeline: Timeline
    private let circuits = Circuits()
    private let sharing: (any CircuitSharing)?

    /// Creates a middleware with a circuit for each origin.
    ///
    /// - Parameters:
    ///   - options: When circuits open and close.
    ///   - clock: Measures the pauses.
    ///   - sharing: Tells the circuits to other processes. `nil` (the default) keeps them in this one.
    public init(
        _ options: Options = Options(), clock: any Clock<Duration> = ContinuousClock(),
        sharing: (any CircuitSharing)? = nil
    ) {
        self.options = options
        timeline = Timeline(clock)
        self.sharing = sharing
        sharing?.observe { [weak circuits, timeline] origin, change in
            _ = circuits?.change(origin) { $0.apply(change, at: timeline.now) }
        }
    }

    /// Admits the call, unless its origin's circuit is open.
    ///
    /// - Throws: `.transport(.cannotConnect)` with a ``CircuitOpen`` if the circuit is open.
    public func admit(_ call: inout Call, next: Next) throws(NetworkError) -> Admission? {
        let origin = call.request.url.origin
        let now = timeline.now
        // Whether this process may send a probe is asked elsewhere.
        let decision = circuits.change(origin) { sharing == nil || $0.isClosed ? $0.admit(at: now, options) : nil }
        return try decision.map { decision throws(NetworkError) in try admission(decision, origin, call) }
    }

    /// Admits the call if the circuit is closed, or if no other process sends a probe.
    ///
    /// - Throws: `.transport(.cannotConnect)` with a ``CircuitOpen`` if not.
    public func wait(for call: Call) async throws(NetworkError) -> Admission {
        let origin = call.request.url.origin
        let now = timeline.now
        let (decision, isProbe) = circuits.change(origin) { ($0.admit(at: now, options), $0.isHalfOpen) }
        if case .pass(let pass) = decision, isProbe, let sharing, await !sharing.mayProbe(origin, for: options.pause) {
            record(.unknown, for: pass, origin)
            throw refusal(of: call, CircuitOpen(origin: origin, retryAfter: nil))
        }
        return try admission(decision, origin, call)
    }

    private func admission(
        _ decision: Circuit.Decision, _ origin: Origin, _ call: Call
    ) throws(NetworkError) -> Admission {
        switch decision {
        case .refuse(let delay): throw refusal(of: call, CircuitOpen(origin: origin, retryAfter: delay))
        case .pass(let pass):
            return Admission { outcome in
                record(Self.result(of: outcome), for: pass, origin)
                return outcome
            }
        }
    }

    private func record(_ outcome: Circuit.Outcome, for pass: Circuit.Pass, _ origin: Origin) {
        let now = timeline.now
        let change = circuits.change(origin) { circuit in
            let former = circuit.state
            circuit.record(outcome, for: pass, at: now, options)
            return circuit.change(since: former, pause: options.pause)
        }
        if let sharing, let change { sharing.publish(change, of: origin) }
    }

    private func refusal(of call: Call, _ reason: CircuitOpen) -> NetworkError {
        NetworkError(
            .transport(.cannotConnect("\(reason)")), phase: .middleware, request: call.request, underlying: reason)
    }

    private static func result(of outcome: CallOutcome) -> Circuit.Outcome {
        switch outcome {
        case .success(let response):
            response.metrics.source == .network ? self.outcome(of: response.head.status.code) : .unknown
        case .failure(let error): self.outcome(of: error)
        }
    }

    private static func outcome(of status: Int) -> Circuit.Outcome {
        [500, 502, 503, 504].contains(status) ? .failure : .success
    }

    private static func outcome(of error: NetworkError) -> Circuit.Outcome {
        switch error.kind {
        case .transport(.cannotSendBody), .transport(.tooManyOpenFiles), .timedOut(.total): .unknown
        case .transport, .timedOut: .failure
        case .server(let status): outcome(of: status)
        default: .unknown
        }
    }

    /// The circuits that are not in their initial state.
    private final class Circuits: Sendable {
        private let circuits = Mutex<[Origin: Circuit]>([:])

        func change<Value: Sendable>(_ origin: Origin, _ body: (inout Circuit) -> Value) -> Value {
            circuits.withLock { circuits in
                let place = circuits.index(forKey: origin)
                var circuit = place.map { circuits.values[$0] } ?? Circuit()
                let value = body(&circuit)
                if circuit != Circuit() {
                    circuits[origin] = circuit
                } else if let place {
                    circuits.remove(at: place)
                }
                return value
            }
        }
    }
}
