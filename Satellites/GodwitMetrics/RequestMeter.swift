#if Metrics
import GodwitCore
import GodwitSupport
import Metrics

/// Measures each request that is sent. The time of a streamed response ends with its head.
struct RequestMeter: ReviewingMiddleware {
    private let table: RequestSeriesTable
    private let timeline: Timeline

    init(_ table: RequestSeriesTable, _ clock: any Clock<Duration>) {
        self.table = table
        timeline = Timeline(clock)
    }

    func prepare(_ call: inout Call) {
        call.request.options[RequestStart.self] = timeline.now
        table.active(call.request).increment()
    }

    func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        table.active(call.request).decrement()
        let series = table.series(call.request, outcome)
        if let start = call.request.options[RequestStart.self] {
            series.duration.recordNanoseconds(Int64(saturating: (timeline.now - start) / .nanoseconds(1)))
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

/// When a request was started.
private enum RequestStart: RequestOption {
    static var defaultValue: Duration? { nil }
    static var affectsResponse: Bool { false }
}
#endif
