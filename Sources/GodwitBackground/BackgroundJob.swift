public import GodwitCore

/// A snapshot of a job of a ``BackgroundSession``.
public struct BackgroundJob: Sendable, Hashable, Identifiable, Codable {
    /// A UUID, which you can choose: see ``BackgroundJobOptions/id``.
    public typealias ID = UUID

    /// Whether a job receives a file or sends one.
    public enum Direction: String, Sendable, Hashable, Codable {
        /// `download` receives a file from the server; `upload` sends one to it.
        case download, upload
    }

    /// The state of a job.
    public enum State: String, Sendable, Hashable, Codable {
        /// It waits until fewer jobs run.
        case queued
        /// It waits before another attempt, after an error of the network or the server.
        case retrying
        /// It is discretionary, and waits for an inexpensive network or an idle machine.
        case waiting
        /// It is transferring.
        case running
        /// It waits for ``BackgroundSession/resume(_:)``.
        case paused
        /// It has ended, and its event is not acknowledged.
        case ended
    }

    /// The ID of the job.
    public let id: ID

    /// Whether it is a download or an upload.
    public let direction: Direction

    /// The state of the job.
    public let state: State

    /// The URL, without parts that may be secret.
    public let url: String

    /// The path of the file; for a download it may be a folder.
    public let path: String

    /// The transferred bytes.
    public let completed: Int64

    /// The bytes to transfer; `nil` if unknown.
    public let total: Int64?

    /// What keeps the job from its next step, in words, such as a full disk. `nil` if nothing does.
    ///
    /// The job continues by itself once the obstacle is gone.
    public let obstacle: String?

    package init(
        id: ID, direction: Direction, state: State, url: String, path: String, completed: Int64, total: Int64?,
        obstacle: String? = nil
    ) {
        self.id = id
        self.direction = direction
        self.state = state
        self.url = url
        self.path = path
        self.completed = completed
        self.total = total
        self.obstacle = obstacle
    }

    /// The progress, without a rate.
    public var progress: TransferProgress { TransferProgress(completed: completed, total: total) }
}

/// Configures a job of a ``BackgroundSession``.
///
/// ```swift
/// try await session.download(request, to: folder) {
///     $0.isDiscretionary = true
///     $0.existingFile = .replace
/// }
/// ```
public struct BackgroundJobOptions: Sendable, Hashable {
    /// The ID of the job. A new one by default.
    ///
    /// A job with a known ID is not added again. If you keep the ID, you can hand the job over again when you don't know
    /// whether it was added.
    public var id = BackgroundJob.ID()

    /// Whether the job waits for an inexpensive network and an idle machine. False by default.
    public var isDiscretionary = false

    /// How long the job may take, waiting included, before it fails with `timed_out.total`. Seven days by default.
    public var timeLimit = Duration.seconds(7 * 86_400)

    /// What happens if a file exists at the destination. `DownloadOptions.ExistingFile.fail` by default.
    public var existingFile = DownloadOptions.ExistingFile.fail

    /// The expected digest of a download. `nil` (the default) accepts any content.
    public var digest: ContentDigest?

    /// How many parts of a download are fetched at once; see `DownloadOptions.parallelRanges`. 1 by default.
    ///
    /// No effect on Apple platforms.
    public var parallelRanges = 1

    /// The TLS rules for the host of the job's URL. Only the system's rules by default.
    public var tls = BackgroundTLS()

    /// The file of the job's token, as written by `FileTokenStore`. `nil` (the default) means no token.
    ///
    /// Only its path is saved. The token is read for each attempt, so that a refreshed token is used. The job doesn't refresh
    /// it; a response with 401 ends the job.
    ///
    /// On Apple platforms the system gets the token with the request, and repeats that after network errors. The file must
    /// be readable while the device is locked.
    public var tokenFile: URL?

    /// Creates options with default values.
    public init() {}
}
