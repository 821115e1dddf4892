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
