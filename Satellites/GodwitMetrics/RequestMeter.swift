#if Metrics
import GodwitCore
import Metrics

/// Measures each request that is sent. The time of a streamed response ends with its head.
struct RequestMeter: ReviewingMiddleware {
    private let table: RequestSeriesTable
    private let clock: any Clock<Duration>

    init(_ table: RequestSeriesTable, _ clock: any Clock<Duration>) {
        (self.table, self.clock) = (table, clock)
    }

    func prepare(_ call: inout Call) {
        call.request.options[Stopwatch.self] = Stopwatch(clock)
        table.active(call.request).increment()
    }

    func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        table.active(call.request).decrement()
        let series = table.series(call.request, outcome)
        if let elapsed = call.request.options[Stopwatch.self]?.elapsed() {
            series.duration.recordNanoseconds(elapsed / .nanoseconds(1))
        }
        if case .success(let response) = outcome, response.metrics.source == .network {
            let metrics = response.metrics
            if metrics.bytesSent > 0 { series.sent.record(metrics.bytesSent) }
            // The rest of a streamed body is still to come.
            if case .streamed = response.request.delivery {} else { series.received.record(metrics.bytesReceived) }
        }
        return .finish(outcome)
    }
}

/// The time since a request was started.
private struct Stopwatch: Sendable, RequestOption {
    typealias Value = Stopwatch?
    static var defaultValue: Stopwatch? { nil }
    static var affectsResponse: Bool { false }

    let elapsed: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }
}

extension Duration {
    /// How often another duration fits in; at most the largest number.
    fileprivate static func / (left: Duration, right: Duration) -> Int64 {
        let quotient: Double = left / right
        return Int64(exactly: quotient.rounded()) ?? .max
    }
}
#endif
