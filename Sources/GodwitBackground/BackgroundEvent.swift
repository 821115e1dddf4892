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

/// Why a job failed. Holds nothing secret.
public struct BackgroundFailure: Error, Sendable, Hashable, Codable {
    /// The kind of the error, as ``NetworkError/shortDescription`` has it; `interrupted` for content that may have been
    /// received and is not sent again.
    public let label: String

    /// What went wrong, in words.
    public let reason: String

    /// The status that the server answered with; nil where it did not come to that.
    public let status: Int?

    package init(label: String, reason: String, status: Int? = nil) {
        self.label = label
        self.reason = reason
        self.status = status
    }

    /// Whether the job was given up by ``BackgroundSession/cancel(_:)``.
    public var isCancelled: Bool { label == "cancelled" }
}

extension BackgroundFailure: CustomStringConvertible {
    public var description: String { reason }
}
