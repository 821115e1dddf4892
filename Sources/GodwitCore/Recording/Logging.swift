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

/// What is logged, and where to.
///
/// ```swift
/// $0.logging.level = .headers
/// $0.logging.destination = { logger.debug("\($0)") }
/// ```
public struct LogOptions: Sendable, Nonisolated {
    /// How much is logged. Off by default, in every kind of build.
    public var level = LogLevel.off

    /// Takes each message; one may have several lines. Standard error by default. Called on the task that sends.
    public var destination: @Sendable (String) -> Void = StandardError.log

    /// Fields whose values are not shown, beside those that are always secret (``HTTPField/Name/isSensitive``).
    public var redactedFields: Set<HTTPField.Name> = []

    /// Names of query items, form items and JSON members whose values are not shown, beside those that look like
    /// secrets, such as `access_token` and `password`. Compared without case.
    ///
    /// Matched in queries, forms and JSON alike.
    public var redactedNames: Set<String> = []

    /// The most bytes shown of a body; 4 KiB by default.
    ///
    /// Less than 0 counts as 0. A longer body ends in `…`.
    public var bodyLimit = 4096

    /// What measures how long a call took.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Makes options: off by default.
    ///
    /// - Parameter level: How much is logged.
    public init(level: LogLevel = .off) {
        self.level = level
    }
}

/// How much is logged.
public enum LogLevel: String, Sendable, Hashable, Codable {
    /// Nothing.
    case off
    /// One line for a request and one for its outcome.
    case basic
    /// Each request as it is sent, with all its fields, and each response: also those of retries, redirects and challenges. A
    /// further line follows if a call took several requests or none.
    case headers
    /// Also content that is text and in memory, JSON over several lines; files and streams are named, not read.
    case bodies
}
