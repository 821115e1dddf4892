import GodwitSupport

/// Logs each call and its outcome, without secrets.
///
/// ```text
/// --> #7 POST https://api.example.com/v1/articles?token=<redacted>
/// <-- #7 201 POST https://api.example.com/v1/articles?token=<redacted> (42 ms, 311 bytes)
/// ```
///
/// It shows a request as it is at this place in the chain. Directly above the transport, `.headers` and `.bodies`
/// include the fields that the transport adds. A client with ``ClientConfiguration/logging`` chooses the place.
///
/// Values of sensitive fields, query items, form items and JSON members are redacted; see ``LogOptions``. A failed call
/// is one line with the reason.
public struct Logging: AdmittingMiddleware {
    private let level: LogLevel
    private let log: LogWriter

    /// Creates a middleware that logs calls as the options say.
    ///
    /// - Parameter options: The level, the destination, and what to redact in addition to secrets.
    public init(_ options: LogOptions) {
        level = options.level
        log = LogWriter(options)
    }

    /// Whether anything is logged.
    public func handles(_ call: Call) -> Bool { level != .off }

    /// Logs the request, and later the response or the error.
    ///
    /// The time of a streamed response ends with its head.
    public func admit(_ call: inout Call, next: Next) -> Admission? {
        let text = log.text.adding(call)
        let request = call.request
        let line = text.line(request)
        let name = "#\(call.id)"
        let fields = shownFields(of: request, next)
        log.write("-->", name, text.message(line, fields, request.body, fields[.contentType]))
        let start = log.now
        return Admission { [log] outcome in
            let duration = log.now - start
            log.write("<--", name, text.message(outcome, of: request, line, after: duration))
            return outcome
        }
    }

    private func shownFields(of request: HTTPRequest, _ next: Next) -> HTTPFields {
        guard level != .basic else { return request.fields }
        return request.fields.joined(by: next.fieldsAddedByTransport(to: request))
    }
}

/// The level, content and destination of a log.
///
/// ```swift
/// $0.logging.level = .headers
/// $0.logging.destination = { logger.debug("\($0)") }
/// ```
public struct LogOptions: Sendable, Nonisolated {
    /// How much is logged. `.off` by default, also in debug builds.
    public var level = LogLevel.off

    /// Receives each message, which can have several lines, on the calling task. Writes to standard error by default.
    public var destination: @Sendable (String) -> Void = StandardError.log

    /// Fields whose values are redacted, in addition to those that are always secret (``HTTPField/Name/isSensitive``).
    public var redactedFields: Set<HTTPField.Name> = []

    /// Query items, form items and JSON members whose values are redacted, in addition to names that look secret, such
    /// as `access_token` and `password`. Case-insensitive.
    public var redactedNames: Set<String> = []

    /// The maximum number of bytes shown of a body. 4 KiB by default; less than 0 counts as 0.
    ///
    /// A longer body ends with `…`.
    public var bodyLimit = 4096

    /// Measures how long a call takes.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates options with a level and the other default values.
    ///
    /// - Parameter level: How much is logged. `.off` by default.
    public init(level: LogLevel = .off) {
        self.level = level
    }
}

/// How much is logged.
public enum LogLevel: String, Sendable, Hashable, Codable {
    /// Logs nothing.
    case off
    /// One line for a request and one for its outcome.
    case basic
    /// Each request with all its fields, and each response, including retries, redirects and challenges. A call with
    /// several requests, or none, gets another line for its outcome.
    case headers
    /// As `.headers`, with text bodies that are in memory. JSON is indented. Files and streams are not read.
    case bodies
}
