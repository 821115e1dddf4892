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

extension BackgroundFailure {
    package static let interrupted = BackgroundFailure(
        label: "interrupted", reason: "the content may have been received, and is not sent again")
    package static let cancelled = BackgroundFailure(label: "cancelled", reason: "cancelled")
    package static let outOfTime = BackgroundFailure(label: "timed_out.total", reason: "the job's time is over")
    package static let unreadable = BackgroundFailure(
        label: "file", reason: "what was written down of the job is damaged")

    package init(_ error: NetworkError) {
        self.init(label: error.shortDescription, reason: error.description, status: error.response?.status.code)
    }
}
