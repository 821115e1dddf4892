import GodwitCore

/// Records a span for each call, and makes it the parent of the spans of its requests.
struct CallObserver: ReviewingMiddleware {
    let recorder: Recorder

    func handles(_ call: Call) -> Bool { !call.request.options.isUntraced }

    func prepare(_ call: inout Call) {
        var options = call.request.options
        let parent = options.trace ?? call.request.trace ?? Tracing.current
        let trace = recorder.span(in: parent)
        options.trace = trace
        options[CallSpan.self] = CallSpan(trace, parent: parent, recorder.now)
        call.request.options = options
        recorder.metrics.startCall()
    }

    func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        guard let span = call.request.options[CallSpan.self] else { return .finish(outcome) }
        let source = Self.source(of: outcome)
        recorder.metrics.change { $0.endCall(source ?? "none") }
        let request = call.request
        recorder.record(
            SpanRecord(
                scope: .call(source: source, requests: span.requestCount), trace: span.trace, parent: span.parent,
                start: span.start, duration: recorder.time(since: span.start), method: request.method,
                isKnownMethod: recorder.knows(request.method), url: request.url, template: request.options.urlTemplate,
                secrets: call.secretQueryItems,
                outcome: Outcome(outcome) { Self.isFailure($0, request.options) }),
            of: span.trace)
        return .finish(outcome)
    }

    /// Where the response came from; `nil` without a response.
    private static func source(of outcome: CallOutcome) -> String? {
        guard case .success(let response) = outcome else { return nil }
        return response.provider?.rawValue
    }

    /// Whether the call throws for a status; for a plain request, which returns every status, whether it is an error.
    private static func isFailure(_ status: HTTPStatus, _ options: RequestOptions) -> Bool {
        if status.isSuccessful || options.acceptedStatuses.contains(status.code) { return false }
        return options.checksStatus || status.code >= 400
    }
}
