#if Tracing
import GodwitCore
import Synchronization
import Tracing

/// Makes a span of each call, which is the parent of the spans of its requests.
struct CallSpans<Instrument: Tracer>: Middleware {
    let tracer: Instrument

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let request = call.request
        let span = tracer.startSpan(request.spanName, context: ServiceContext.current ?? .topLevel, ofKind: .internal)
        defer { span.end() }
        let parent = CallParent(span.context)
        var traced = call
        traced.request.options[CallParent.self] = parent
        let outcome = await ServiceContext.withValue(span.context) { [traced] in await next.outcome(of: traced) }
        span.updateAttributes { attributes in
            attributes.describe(request)
            if case .success(let response) = outcome {
                attributes["godwit.call.source"] = response.metrics.source == .cache ? "cache" : "network"
            }
            attributes["godwit.call.requests"] = parent.requestCount
        }
        span.record(outcome) { status in
            status.code >= 400 && !request.options.acceptedStatuses.contains(status.code)
        }
        return try outcome.get()
    }
}

/// Makes a span of each request that is sent, and writes its context into the fields.
struct RequestSpans<Instrument: Tracer>: Middleware {
    let tracer: Instrument
    let isAllowed: @Sendable (Origin) -> Bool

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let parent = call.request.options[CallParent.self]
        let context = parent?.context ?? ServiceContext.current ?? .topLevel
        let span = tracer.startSpan(call.request.spanName, context: context, ofKind: .client)
        defer { span.end() }
        var traced = call
        // Those of a caller or of another telemetry would name another span.
        traced.request.fields.remove(.traceparent)
        traced.request.fields.remove(.tracestate)
        if isAllowed(call.request.url.origin) {
            tracer.inject(span.context, into: &traced.request.fields, using: FieldInjector())
        }
        let outcome = await ServiceContext.withValue(span.context) { [traced] in await next.outcome(of: traced) }
        let resendCount = parent?.nextRequest() ?? 0
        span.updateAttributes { attributes in
            attributes.describe(call.request)
            attributes["url.full"] = call.request.redacted(call.request.url.debugDescription)
            if resendCount > 0 { attributes["http.request.resend_count"] = resendCount }
            if case .success(let response) = outcome { attributes.describe(response) }
        }
        span.record(outcome) { $0.code >= 400 }
        return try outcome.get()
    }
}

/// Writes a tracer's fields into a request.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        guard let name = HTTPField.Name(key), let field = HTTPField(name: name, value: value) else { return }
        fields.remove(name)
        fields.append(field)
    }
}

/// The span of a call, for its requests.
final class CallParent: Sendable, RequestOption {
    typealias Value = CallParent?
    static var defaultValue: CallParent? { nil }
    static var affectsResponse: Bool { false }

    let context: ServiceContext
    private let requests = Atomic(0)

    init(_ context: ServiceContext) {
        self.context = context
    }

    /// How many requests were sent.
    var requestCount: Int { requests.load(ordering: .relaxed) }

    /// The number of the next request, from 0.
    func nextRequest() -> Int { requests.wrappingAdd(1, ordering: .relaxed).oldValue }
}

extension Next {
    /// Sends the call, and returns the error instead of throwing it.
    fileprivate func outcome(of call: Call) async -> CallOutcome {
        do throws(NetworkError) {
            return .success(try await self(call))
        } catch {
            return .failure(error)
        }
    }
}
#endif
