/// Makes each call part of a distributed trace (W3C Trace Context): the place to begin it, once per call.
///
/// ```swift
/// $0.middleware.append(Tracing())
/// $0.attemptMiddleware.append(TraceFields())
/// ```
///
/// The trace is the first of: ``RequestOptions/trace``, the request's own `traceparent` field, the task's
/// ``current``, a new one. ``TraceFields`` writes it, with a span of its own, to each request that goes out.
public struct Tracing: RequestMiddleware {
    /// The trace that calls of this task go on with.
    ///
    /// ```swift
    /// try await Tracing.$current.withValue(TraceContext(traceparent: request.fields["traceparent"] ?? "")) {
    ///     try await api.send(.article(id: 42))
    /// }
    /// ```
    @TaskLocal public static var current: TraceContext?

    private let isSampled: Bool
    private let random: RandomSource

    /// Makes the middleware, with random ids.
    ///
    /// - Parameter isSampled: Whether traces begun here are recorded.
    public init(isSampled: Bool = true) {
        self.init(isSampled: isSampled, using: QuickRandom())
    }

    /// Makes the middleware with ids from a generator.
    ///
    /// - Parameters:
    ///   - isSampled: Whether traces begun here are recorded.
    ///   - generator: Where ids come from.
    public init(isSampled: Bool = true, using generator: any RandomNumberGenerator & Sendable) {
        self.isSampled = isSampled
        random = RandomSource(generator)
    }

    /// Finds or begins the call's trace, which goes on with it.
    public func prepare(_ call: inout Call) {
        call.request.options.trace = call.request.options.trace ?? call.request.trace ?? Self.current ?? begin()
        call.request.trace = nil
    }

    private func begin() -> TraceContext {
        random.draw { TraceContext(isSampled: isSampled, using: &$0) }
    }
}

extension HTTPRequest {
    /// The trace in the request's fields; nil where they have none that is valid.
    var trace: TraceContext? {
        get {
            // Two of them contradict each other; then neither counts (section 3.2).
            let parents = fields.values(of: .traceparent)
            guard parents.count == 1 else { return nil }
            return TraceContext(traceparent: parents[0], tracestate: fields[.tracestate])
        }
        set {
            fields.remove(.traceparent)
            fields.remove(.tracestate)
            guard let newValue else { return }
            fields.append(newValue.traceparent, for: .traceparent)
            if let state = newValue.state { fields.append(state, for: .tracestate) }
        }
    }
}
