package import GodwitCore

/// Why a job failed. Holds nothing secret.
public struct BackgroundFailure: Error, Sendable, Hashable, Codable {
    /// The kind of the error, as ``NetworkError/shortDescription`` has it; `interrupted` for content that may have been
    /// received and is not sent again.
    public let label: String

    /// What went wrong, in words.
    public let reason: String

    /// The status that the server answered with; nil where it did not come to that.
    public let status: Int?

    /// What the server said, if it was written for people.
    private let words: String?
    /// Which of the sentences for people fits; another program may have written it down.
    private let messageKey: String?

    package init(label: String, reason: String, status: Int? = nil, message: UserMessages.Key) {
        self.label = label
        self.reason = reason
        self.status = status
        words = nil
        messageKey = message.rawValue
    }

    /// What a person may be shown, in the language of this program; `nil` if the job was canceled.
    ///
    /// What the server said with a status from 400 to 499, if that is a sentence; else one of ``UserMessages/current``.
    public var userMessage: String? {
        if isCancelled { return nil }
        return words ?? UserMessages.current[messageKey.flatMap(UserMessages.Key.init(rawValue:)) ?? .failed]
    }

    /// Whether the job was given up by ``BackgroundSession/cancel(_:)``.
    public var isCancelled: Bool { label == "cancelled" }
}

extension BackgroundFailure: CustomStringConvertible, LocalizedError {
    public var description: String { reason }

    /// What `localizedDescription` says: ``userMessage``, and "This was canceled." for a job that was canceled.
    public var errorDescription: String? { userMessage ?? UserMessages.current[.cancelled] }

    /// What failed, for a developer: ``reason``.
    public var failureReason: String? { reason }
}

extension BackgroundFailure {
    package static let interrupted = BackgroundFailure(
        label: "interrupted", reason: "the content may have been received, and is not sent again",
        message: .connectionEnded)
    package static let cancelled = BackgroundFailure(
        label: "cancelled", reason: "cancelled", message: .cancelled)
    package static let outOfTime = BackgroundFailure(
        label: "timed_out.total", reason: "the job's time is over",
        message: .timedOut)
    package static let unreadable = BackgroundFailure(
        label: "file", reason: "what was written down of the job is damaged", message: .file)

    package init(_ error: NetworkError) {
        label = error.shortDescription
        reason = error.description
        status = error.response?.status.code
        words = error.messageOfServer
        messageKey = error.messageKey.rawValue
    }
}
