public import GodwitCore

/// The result of a job of a ``BackgroundSession``. Each job has one, which is kept until it is acknowledged.
public struct BackgroundEvent: Sendable, Hashable, Identifiable, Codable {
    /// How a job ended.
    public enum Outcome: Sendable, Hashable, Codable {
        /// The complete file is at its destination.
        case downloaded(URL)
        /// The server accepted the upload: its status, and the first 64 KiB of its response body.
        case uploaded(status: Int, answer: Data)
        /// The job failed, and is not retried.
        case failed(BackgroundFailure)
    }

    /// Grows with each event, and is never reused.
    public let id: Int64

    /// The ID of the job.
    public let job: BackgroundJob.ID

    /// How the job ended.
    public let outcome: Outcome

    package init(id: Int64, job: BackgroundJob.ID, outcome: Outcome) {
        self.id = id
        self.job = job
        self.outcome = outcome
    }
}

/// The events of a ``BackgroundSession``: those that are not acknowledged, then new ones.
///
/// A loop gets each event once. A new loop starts with the events that are not acknowledged. It ends after
/// ``BackgroundSession/finish()``, or when its task is canceled.
public struct BackgroundEvents: AsyncSequence, Sendable {
    public typealias Element = BackgroundEvent
    public typealias Failure = NetworkError

    private let link: any TransferLink

    init(_ link: any TransferLink) {
        self.link = link
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(following: link.following())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let following: any TransferFollowing

        fileprivate init(following: any TransferFollowing) {
            self.following = following
        }

        /// Waits for the next event; `nil` at the end.
        ///
        /// Throws what ``BackgroundSession/jobs()`` throws.
        public mutating func next() async throws(NetworkError) -> BackgroundEvent? {
            try await following.next()
        }

        /// Waits for the next event; `nil` at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> BackgroundEvent? {
            try await following.next()
        }
    }
}

/// Why a job failed. Contains no secrets.
public struct BackgroundFailure: Error, Sendable, Hashable, Codable {
    /// The kind of the error, as in `NetworkError.shortDescription`; `interrupted` if the server may have received an
    /// upload that must not be sent twice.
    public let label: String

    /// The reason for a developer.
    public let reason: String

    /// The status of the response; `nil` if there was no response.
    public let status: Int?

    /// The server's message for users.
    private let words: String?
    /// The key of the message for users; another version may have written it.
    private let messageKey: String?

    package init(label: String, reason: String, status: Int? = nil, message: UserMessages.Key) {
        self.label = label
        self.reason = reason
        self.status = status
        words = nil
        messageKey = message.rawValue
    }

    /// A message for the user, in the language of this program; `nil` if the job was canceled.
    ///
    /// The server's message for a status from 400 to 499, if it is a sentence; otherwise one of `UserMessages.current`.
    public var userMessage: String? {
        if isCancelled { return nil }
        return words ?? UserMessages.current[UserMessages.Key.allCases.first { $0.rawValue == messageKey } ?? .failed]
    }

    /// Whether the job was canceled by ``BackgroundSession/cancel(_:)``.
    public var isCancelled: Bool { label == "cancelled" }
}

extension BackgroundFailure: CustomStringConvertible, LocalizedError {
    public var description: String { reason }

    /// The `localizedDescription`: ``userMessage``, or "This was canceled." for a canceled job.
    public var errorDescription: String? { userMessage ?? UserMessages.current[.cancelled] }

    /// The ``reason``, for a developer.
    public var failureReason: String? { reason }
}

extension BackgroundFailure {
    package static let interrupted = BackgroundFailure(
        label: "interrupted", reason: "the server may have received the upload, and it must not be sent twice",
        message: .connectionEnded)
    package static let cancelled = BackgroundFailure(
        label: "cancelled", reason: "canceled", message: .cancelled)
    package static let outOfTime = BackgroundFailure(
        label: "timed_out.total", reason: "the job's time limit has passed",
        message: .timedOut)
    package static let unreadable = BackgroundFailure(
        label: "file", reason: "the saved job is damaged", message: .file)

    package init(_ error: NetworkError) {
        label = error.shortDescription
        reason = error.description
        status = error.response?.status.code
        words = error.messageOfServer
        messageKey = error.messageKey.rawValue
    }
}
