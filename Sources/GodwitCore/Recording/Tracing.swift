import GodwitSupport

/// Makes each call part of a distributed trace (W3C Trace Context). Use it once per call.
///
/// ```swift
/// $0.middleware.append(Tracing())
/// $0.attemptMiddleware.append(TraceFields())
/// ```
///
/// The trace is the first of: ``RequestOptions/trace``, the request's own `traceparent` field, the task's
/// ``current``, a new one. ``TraceFields`` writes it, with a new span, to each request that is sent.
public struct Tracing: RequestMiddleware {
    /// The trace that calls of this task continue.
    ///
    /// ```swift
    /// try await Tracing.$current.withValue(TraceContext(traceparent: request.fields["traceparent"] ?? "")) {
    ///     try await api.send(.article(id: 42))
    /// }
    /// ```
    @TaskLocal public static var current: TraceContext?

    private let isSampled: Bool
    private let random: RandomSource

    /// Creates the middleware, with random IDs.
    ///
    /// - Parameter isSampled: Whether new traces are recorded.
    public init(isSampled: Bool = true) {
        self.init(isSampled: isSampled, using: QuickRandom())
    }

    /// Creates a middleware that starts traces with IDs from a random number generator.
    ///
    /// - Parameters:
    ///   - isSampled: Whether new traces are recorded.
    ///   - generator: The random number generator for IDs.
    public init(isSampled: Bool = true, using generator: any RandomNumberGenerator & Sendable) {
        self.isSampled = isSampled
        random = RandomSource(generator)
    }

    /// Finds or starts the call's trace, and removes its fields, which ``TraceFields`` writes.
    public func prepare(_ call: inout Call) {
        call.request.options.trace = call.request.options.trace ?? call.request.trace ?? Self.current ?? begin()
        call.request.trace = nil
    }

    private func begin() -> TraceContext {
        random.draw { TraceContext(isSampled: isSampled, using: &$0) }
    }
}

extension HTTPRequest {
    /// The trace in the request's fields; `nil` if they have no valid one.
    package var trace: TraceContext? {
        get {
            // Several contradict each other, so none counts (section 3.2).
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

/// Writes `traceparent` and `tracestate` with a new span ID to each request that is sent.
///
/// Place it inside retries and redirects, so that every attempt and hop is a span. Without an outer ``Tracing``, each of
/// them starts a trace.
///
/// ```swift
/// TraceFields { origin in origin.host.hasSuffix(".example.com") }
/// ```
public struct TraceFields: RequestMiddleware {
    private let isAllowed: @Sendable (Origin) -> Bool
    private let random: RandomSource

    /// Creates the middleware, with random IDs.
    ///
    /// - Parameter isAllowed: Whether an origin gets the fields. All do by default.
    public init(to isAllowed: @escaping @Sendable (Origin) -> Bool = { _ in true }) {
        self.init(using: QuickRandom(), to: isAllowed)
    }

    /// Creates a middleware that writes span IDs from a random number generator.
    ///
    /// - Parameters:
    ///   - generator: The random number generator for IDs.
    ///   - isAllowed: Whether an origin gets the fields. All do by default.
    public init(
        using generator: any RandomNumberGenerator & Sendable,
        to isAllowed: @escaping @Sendable (Origin) -> Bool = { _ in true }
    ) {
        self.isAllowed = isAllowed
        random = RandomSource(generator)
    }

    /// Sets the fields. The error or response names the request with its span.
    public func prepare(_ call: inout Call) {
        // An unrecorded span must not be a parent.
        guard !call.request.options.isUntraced else { return }
        call.request.trace = isAllowed(call.request.url.origin) ? span(of: call.request) : nil
    }

    private func span(of request: HTTPRequest) -> TraceContext {
        let trace = request.options.trace ?? request.trace ?? Tracing.current
        return random.draw { generator in
            trace?.newSpan(using: &generator) ?? TraceContext(using: &generator)
        }
    }
}

extension HTTPField.Name {
    /// The trace and span of a request (W3C Trace Context).
    public static let traceparent: Self = "traceparent"
    /// Vendor-specific data of a trace (W3C Trace Context).
    public static let tracestate: Self = "tracestate"
}

/// Random numbers for IDs that must be unique but need not be secret: xoshiro256**, seeded by the system.
///
/// The system's generator makes a system call for each number.
package struct QuickRandom: RandomNumberGenerator, Sendable {
    private var state: SIMD4<UInt64>

    package init() {
        var system = SystemRandomNumberGenerator()
        // The lowest bit keeps the state from being all zeros, of which nothing else would come.
        state = SIMD4(system.next() | 1, system.next(), system.next(), system.next())
    }

    package mutating func next() -> UInt64 {
        let number = Self.rotated(state[1] &* 5, by: 7) &* 9
        let shifted = state[1] << 17
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = Self.rotated(state[3], by: 45)
        return number
    }

    private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
        word << count | word >> (64 - count)
    }
}

extension TraceContext: RequestOption {
    public static var defaultValue: TraceContext? { nil }
    /// A trace only names the call.
    public static var affectsResponse: Bool { false }
}

private enum UntracedRequest: RequestOption {
    static var defaultValue: Bool { false }
    static var affectsResponse: Bool { false }
}

extension RequestOptions {
    /// Whether the request is part of no trace, and no telemetry observes it: an export of telemetry. It would be the
    /// reason for the next one.
    package var isUntraced: Bool {
        @inline(__always) get { self[UntracedRequest.self] }
        set { self[UntracedRequest.self] = newValue }
    }

    /// The trace that the request belongs to; `nil` (the default) continues the task's trace or starts one.
    ///
    /// See ``Tracing``.
    public var trace: TraceContext? {
        @inline(__always) get { self[TraceContext.self] }
        set { self[TraceContext.self] = newValue }
    }
}
