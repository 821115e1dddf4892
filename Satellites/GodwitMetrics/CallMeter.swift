#if Metrics
import GodwitCore
import Metrics

/// Counts calls, by the place that their response came from.
struct CallMeter: ReviewingMiddleware {
    private let active: Meter
    private let fromNetwork: Counter
    private let fromCache: Counter
    private let failed: Counter

    init(_ factory: any MetricsFactory) {
        func calls(_ source: String) -> Counter {
            Counter(label: "godwit.client.calls", dimensions: [("godwit.call.source", source)], factory: factory)
        }
        active = Meter(label: "godwit.client.active_calls", factory: factory)
        fromNetwork = calls("network")
        fromCache = calls("cache")
        failed = calls("none")
    }

    func prepare(_ call: inout Call) {
        active.increment()
    }

    func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        active.decrement()
        switch outcome {
        case .success(let response): (response.metrics.source == .cache ? fromCache : fromNetwork).increment()
        case .failure: failed.increment()
        }
        return .finish(outcome)
    }
}
#endif
