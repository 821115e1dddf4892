import Synchronization

/// Fails calls at once while their origin is down, and lets one try now and then.
///
/// ```swift
/// let chain = Chain([CircuitBreaker(), Retry()], over: transport)
/// ```
///
/// After ``Options/failures`` failures in a row, calls to that origin throw `.transport(.cannotConnect)` with a
/// ``CircuitOpen`` as ``NetworkError/underlying``, without being sent. After ``Options/pause`` a call goes through as a
/// probe: its success lets all through again, its failure begins another pause.
///
/// Failures are transport errors, connect and inactivity time-outs, and the statuses 500, 502, 503 and 504. Every other
/// answer, a 429 too, shows that the origin works. Cancellation, a total time-out, a missing network and what the client
/// itself refuses say nothing about it, nor does what the cache answers without asking. Streamed responses are judged by their head.
///
/// Stands best outside of ``Retry``: a call then counts once, and retries are not spent on an open circuit.
public struct CircuitBreaker: Middleware {
    /// When a circuit opens, and how it closes.
    ///
    /// ```swift
    /// $0.circuitBreaker = CircuitBreaker.Options()
    /// $0.circuitBreaker?.pause = .seconds(30)
    /// ```
    public struct Options: Sendable, Hashable {
        /// How many failures in a row open it; less than 1 counts as 1.
        public var failures = 5
        /// How long nothing is sent then.
        public var pause = Duration.seconds(15)
        /// How many calls may try at once after the pause; less than 1 counts as 1.
        public var probes = 1

        /// Makes the defaults.
        public init() {}
    }

    private let options: Options
    private let timeline: Timeline
    private let circuits = Shelf()

    /// Makes the middleware.
    ///
    /// - Parameter clock: What pauses are measured by.
    public init(_ options: Options = Options(), clock: any Clock<Duration> = ContinuousClock()) {
        self.options = options
        timeline = Timeline(clock)
    }

    /// Passes the call on, unless its origin's circuit is open.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    ///
    /// Throws `.transport(.cannotConnect)` with a ``CircuitOpen`` where it is, and else what the call throws.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let origin = call.request.url.origin
        switch circuits.change(origin, { $0.admit(at: timeline.now, options) }) {
        case .refuse(let delay):
            throw refusal(of: call, CircuitOpen(origin: origin, retryAfter: delay))
        case .pass(let pass):
            do throws(NetworkError) {
                let response = try await next(call)
                record(Self.outcome(of: response), for: pass, origin)
                return response
            } catch {
                record(Self.outcome(of: error), for: pass, origin)
                throw error
            }
        }
    }

    private func record(_ outcome: Circuit.Outcome, for pass: Circuit.Pass, _ origin: Origin) {
        circuits.change(origin) { $0.record(outcome, for: pass, at: timeline.now, options) }
    }

    private func refusal(of call: Call, _ reason: CircuitOpen) -> NetworkError {
        NetworkError(
            .transport(.cannotConnect("\(reason)")), phase: .middleware, request: call.request, underlying: reason)
    }

    private static func outcome(of response: HTTPResponse) -> Circuit.Outcome {
        guard response.metrics.source == .network else { return .unknown }
        return outcome(of: response.head.status.code)
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

    /// The circuits of the origins that have failed; those as good as new are not kept.
    private final class Shelf: Sendable {
        private let circuits = Mutex<[Origin: Circuit]>([:])

        @discardableResult
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
