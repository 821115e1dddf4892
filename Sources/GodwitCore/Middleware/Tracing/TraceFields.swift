/// Writes `traceparent` and `tracestate` to each request that goes out, with a span id of its own.
///
/// Stands below retries and redirects, so that every attempt and hop is a span. Without ``Tracing`` further out, each
/// of them begins a trace.
///
/// ```swift
/// TraceFields { origin in origin.host.hasSuffix(".example.com") }
/// ```
public struct TraceFields: RequestMiddleware {
    private let isAllowed: @Sendable (Origin) -> Bool
    private let random: RandomSource

    /// Makes the middleware, with random ids.
    ///
    /// - Parameter isAllowed: Which origins are told; all by default. To others neither field is sent.
    public init(to isAllowed: @escaping @Sendable (Origin) -> Bool = { _ in true }) {
        self.init(using: QuickRandom(), to: isAllowed)
    }

    /// Makes the middleware with ids from a generator.
    ///
    /// - Parameters:
    ///   - generator: Where ids come from.
    ///   - isAllowed: Which origins are told; all by default. To others neither field is sent.
    public init(
        using generator: any RandomNumberGenerator & Sendable,
        to isAllowed: @escaping @Sendable (Origin) -> Bool = { _ in true }
    ) {
        self.isAllowed = isAllowed
        random = RandomSource(generator)
    }

    /// Sets the fields. The error or response names the request with its span.
    public func prepare(_ call: inout Call) {
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
    /// Where a request stands in a trace (W3C Trace Context).
    public static let traceparent: Self = "traceparent"
    /// What tracing systems keep beside it (W3C Trace Context).
    public static let tracestate: Self = "tracestate"
}
