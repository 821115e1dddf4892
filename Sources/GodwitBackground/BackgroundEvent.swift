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
