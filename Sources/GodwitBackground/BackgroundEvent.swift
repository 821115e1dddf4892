public import GodwitCore

/// What became of a job of a ``BackgroundSession``: each job has one, which is told until it is acknowledged.
public struct BackgroundEvent: Sendable, Hashable, Identifiable, Codable {
    /// How a job ended.
    public enum Outcome: Sendable, Hashable, Codable {
        /// The file is complete and in its place.
        case downloaded(URL)
        /// The server has accepted the content: its status, and the first 64 KiB of what it said.
        case uploaded(status: Int, answer: Data)
        /// It did not succeed, and is not tried again.
        case failed(BackgroundFailure)
    }

    /// Larger for later events, and never given twice.
    public let id: Int64

    /// The job.
    public let job: BackgroundJob.ID

    /// How it ended.
    public let outcome: Outcome

    package init(id: Int64, job: BackgroundJob.ID, outcome: Outcome) {
        self.id = id
        self.job = job
        self.outcome = outcome
    }
}

/// The events of a ``BackgroundSession``: those that are not acknowledged, then each as it happens.
///
/// One loop is told an event once. Each new loop begins with what is not acknowledged by then. Ends with
/// ``BackgroundSession/finish()``, or when the task is cancelled.
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

    /// Reads the events one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let following: any TransferFollowing

        fileprivate init(following: any TransferFollowing) {
            self.following = following
        }

        /// The next event; nil at the end.
        ///
        /// Throws what ``BackgroundSession/jobs()`` throws.
        public mutating func next() async throws(NetworkError) -> BackgroundEvent? {
            try await following.next()
        }

        /// The same, for whichever actor asks.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> BackgroundEvent? {
            try await following.next()
        }
    }
}

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
