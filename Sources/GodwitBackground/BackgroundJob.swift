public import GodwitCore

/// A job of a ``BackgroundSession``, as it stood when it was asked for.
public struct BackgroundJob: Sendable, Hashable, Identifiable, Codable {
    public typealias ID = UUID

    /// Which way the content goes.
    public enum Direction: String, Sendable, Hashable, Codable {
        case download, upload
    }

    /// What a job does.
    public enum State: String, Sendable, Hashable, Codable {
        /// It waits for its turn.
        case queued
        /// It waits before it is tried again, as the network or the server failed it.
        case retrying
        /// It is discretionary, and waits for a network that does not cost by volume or for a machine that is not busy.
        case waiting
        /// Content is under way.
        case running
        /// It waits for ``BackgroundSession/resume(_:)``.
        case paused
        /// It has ended, and its event is not acknowledged yet.
        case ended
    }

    /// What it is known by.
    public let id: ID

    /// Which way the content goes.
    public let direction: Direction

    /// What it does.
    public let state: State

    /// Where it goes to or comes from, without anything in it that may be secret.
    public let url: String

    /// The path of the file; of a download it may be that of a folder.
    public let path: String

    /// How far it is, in bytes.
    public let completed: Int64

    /// How far it has to go, in bytes; nil where that is not known.
    public let total: Int64?

    package init(
        id: ID, direction: Direction, state: State, url: String, path: String, completed: Int64, total: Int64?
    ) {
        self.id = id
        self.direction = direction
        self.state = state
        self.url = url
        self.path = path
        self.completed = completed
        self.total = total
    }

    /// How far it is. Of the rate nothing is known.
    public var progress: TransferProgress { TransferProgress(completed: completed, total: total) }
}
