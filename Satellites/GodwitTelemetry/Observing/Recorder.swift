import GodwitCore
import GodwitSupport
import Synchronization

/// Decides what is recorded of calls and requests, and passes it to the exporters.
final class Recorder: Sendable {
    private let spans: SpanExporter
    let metrics: MetricExporter
    private let options: TelemetryOptions
    private let timeline: Timeline
    private let random = RandomSource(QuickRandom())

    init(_ spans: SpanExporter, _ metrics: MetricExporter, _ options: TelemetryOptions, _ timeline: Timeline) {
        self.spans = spans
        self.metrics = metrics
        self.options = options
        self.timeline = timeline
    }

    var now: Moment { Moment(options.now(), timeline.now) }

    func time(since start: Moment) -> Duration { max(.zero, timeline.now - start.steady) }

    /// A new span of a trace, or of a new trace, whose sampling is decided here.
    func span(in parent: TraceContext?) -> TraceContext {
        random.draw { generator in
            if let parent { return parent.newSpan(using: &generator) }
            var trace = TraceContext(using: &generator)
            // Other services must not record children of spans that are never exported.
            trace.isSampled = options.signals.contains(.traces) && options.sampling.samples(trace.traceID)
            return trace
        }
    }

    /// Exports a span, if its trace is sampled.
    func record(_ span: @autoclosure () -> SpanRecord, of trace: TraceContext) {
        if trace.isSampled, options.signals.contains(.traces) { spans.add(span()) }
    }

    func knows(_ method: HTTPMethod) -> Bool { options.knownMethods.contains(method) }

    /// The method's name, if it is known: a label must have few values.
    func label(_ method: HTTPMethod) -> String { method.label(among: options.knownMethods) }
}

/// The span of a call, which its requests belong to.
final class CallSpan: Sendable, RequestOption {
    typealias Value = CallSpan?
    static var defaultValue: CallSpan? { nil }
    static var affectsResponse: Bool { false }

    let trace: TraceContext
    let parent: TraceContext?
    let start: Moment
    private let requests = Atomic(0)

    init(_ trace: TraceContext, parent: TraceContext?, _ start: Moment) {
        self.trace = trace
        self.parent = parent
        self.start = start
    }

    /// How many requests were sent.
    var requestCount: Int { requests.load(ordering: .relaxed) }

    /// The number of the next request, from 0.
    func nextRequest() -> Int { requests.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// The span of a request that is being sent.
struct RequestSpan: Sendable, RequestOption {
    typealias Value = RequestSpan?
    static var defaultValue: RequestSpan? { nil }
    static var affectsResponse: Bool { false }

    let trace: TraceContext
    let parent: TraceContext?
    let start: Moment
    let resendCount: Int
    /// The method as a label.
    let method: String
    /// Its row among the requests in progress.
    let row: Int
}
