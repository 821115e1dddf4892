import GodwitCore

/// Records a span and the metrics of each request that is sent. A streamed response ends its span with its head.
struct RequestObserver: ReviewingMiddleware {
    let recorder: Recorder

    func handles(_ call: Call) -> Bool { !call.request.options.isUntraced }

    func prepare(_ call: inout Call) {
        let request = call.request
        let span = request.options[CallSpan.self]
        let parent = span?.trace ?? request.options.trace
        let trace = request.trace ?? recorder.span(in: parent)
        let series = ActiveSeries(method: recorder.label(request.method), origin: request.url.origin)
        let row = recorder.metrics.change { $0.startRequest(series) }
        call.request.options[RequestSpan.self] = RequestSpan(
            trace: trace, parent: parent, start: recorder.now, resendCount: span?.nextRequest() ?? 0,
            method: series.method, row: row)
    }

    func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        let request = call.request
        guard let span = request.options[RequestSpan.self] else { return .finish(outcome) }
        let duration = recorder.time(since: span.start)
        // After a redirect, the path is another.
        let template = call.redirectCount == 0 ? request.options.urlTemplate : nil
        let end = Outcome(outcome)
        let series = RequestSeries(
            method: span.method, origin: request.url.origin, template: template,
            status: end.status, error: end.error, version: end.version)
        recorder.metrics.change { $0.endRequest(span.row, series, duration / .seconds(1), end) }
        recorder.record(
            SpanRecord(
                scope: .request(resendCount: span.resendCount), trace: span.trace, parent: span.parent,
                start: span.start, duration: duration, method: request.method,
                isKnownMethod: span.method != HTTPMethod.otherLabel, url: request.url, template: template,
                secrets: call.secretQueryItems,
                foreignURL: call.redirectCount > 0 ? Redaction().adding(call).foreignURL(request.url) : nil,
                outcome: end),
            of: span.trace)
        return .finish(outcome)
    }
}
