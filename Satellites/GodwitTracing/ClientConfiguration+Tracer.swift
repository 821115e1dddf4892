#if Tracing
public import GodwitCore
public import Tracing

extension ClientConfiguration {
    /// Traces calls with a tracer of swift-distributed-tracing.
    ///
    /// ```swift
    /// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.trace(with: InstrumentationSystem.tracer) }
    /// ```
    ///
    /// Each call is a span in the task's `ServiceContext`, and each request that it sends is a child span, with the names
    /// and attributes that GodwitTelemetry uses. The tracer writes its context, baggage included, into the fields of
    /// each request. Middlewares inside the call see its span as `ServiceContext.current`.
    ///
    /// A streamed response ends its spans with its head. Use it instead of ``tracing`` and GodwitTelemetry.
    ///
    /// - Parameters:
    ///   - tracer: The tracer.
    ///   - isAllowed: Whether an origin gets the tracer's fields. All do by default.
    public mutating func trace(
        with tracer: some Tracer, to isAllowed: @escaping @Sendable (Origin) -> Bool = { _ in true }
    ) {
        middleware.insert(CallSpans(tracer: tracer), at: 0)
        attemptMiddleware.append(RequestSpans(tracer: tracer, isAllowed: isAllowed))
    }
}
#endif
