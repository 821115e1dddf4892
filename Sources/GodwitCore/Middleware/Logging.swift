/// Logs each call and its outcome, without secrets.
///
/// ```text
/// --> #7 POST https://api.example.com/v1/articles?token=<redacted>
/// <-- #7 201 POST https://api.example.com/v1/articles?token=<redacted> (42 ms, 311 bytes)
/// ```
///
/// It shows a request as it is where this middleware stands. Directly above the transport, at `.headers` and `.bodies`, it shows
/// the fields that the transport adds too. A client with ``ClientConfiguration/logging`` places it right by itself.
///
/// Values of sensitive fields, query items, form items and JSON members are replaced; see ``LogOptions``. A failed call
/// is one line with the reason.
public struct Logging: Middleware {
    private let options: LogOptions
    private let text: LogText
    private let timeline: Timeline

    /// Makes the middleware.
    ///
    /// - Parameter options: How much is logged, where to, and what is left out beside secrets.
    public init(_ options: LogOptions) {
        self.options = options
        text = LogText(options)
        timeline = Timeline(options.clock)
    }

    /// Logs the request, passes it on, and logs the response or the error.
    ///
    /// A streamed body is not read: its time ends with the head.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard options.level != .off else { return try await next(call) }
        let text = text.adding(call)
        let line = text.line(call.request)
        let fields = shownFields(of: call.request, next)
        tell("-->", call, text.message(line, fields, call.request.body, fields[.contentType]))
        let start = timeline.now
        do throws(NetworkError) {
            let response = try await next(call)
            let answered = response.request.isNamed(like: call.request) ? line : text.line(response.request)
            tell(
                "<--", call,
                text.message(
                    response, answered, after: timeline.now - start, suffix: LogText.redirects(before: response)))
            return response
        } catch {
            let failed = error.request.map { $0.isNamed(like: call.request) ? line : text.line($0) } ?? line
            tell("<--", call, text.message(error, failed, after: timeline.now - start))
            throw error
        }
    }

    private func shownFields(of request: HTTPRequest, _ next: Next) -> HTTPFields {
        guard options.level != .basic else { return request.fields }
        return request.fields.joined(by: next.fieldsAddedByTransport(to: request))
    }

    private func tell(_ direction: String, _ call: Call, _ message: String) {
        options.destination("\(direction) #\(call.id) \(message)")
    }
}

extension HTTPRequest {
    /// Whether the same line stands for both.
    fileprivate func isNamed(like other: HTTPRequest) -> Bool {
        method == other.method && url == other.url
    }
}
