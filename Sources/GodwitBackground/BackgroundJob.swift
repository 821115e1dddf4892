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

/// What a job of a ``BackgroundSession`` wants otherwise than the defaults.
///
/// ```swift
/// try await session.download(request, to: folder) {
///     $0.isDiscretionary = true
///     $0.existingFile = .replace
/// }
/// ```
public struct BackgroundJobOptions: Sendable, Hashable {
    /// What the job is known by; a new one by default.
    ///
    /// A job with an id that the session knows already is not added again: a program that keeps the id can hand a job
    /// over once more when it does not know whether it got through.
    public var id = BackgroundJob.ID()

    /// Whether the job waits for a network that does not cost by volume, and for a machine that is not busy.
    ///
    /// False by default.
    public var isDiscretionary = false

    /// How long the job may take, waiting included, before it fails with `timed_out.total`. Seven days by default.
    public var timeLimit = Duration.seconds(7 * 86_400)

    /// What becomes of a file that is in a download's place. ``DownloadOptions/ExistingFile/fail`` by default.
    public var existingFile = DownloadOptions.ExistingFile.fail

    /// What a download's content has to be; nil, the default, for whatever comes.
    public var digest: ContentDigest?

    /// How many parts of a download are fetched at once, as ``DownloadOptions/parallelRanges``. 1 by default.
    ///
    /// Has no effect on Apple's systems.
    public var parallelRanges = 1

    /// What holds for TLS with the host of the job's URL; the system's rules alone by default.
    public var tls = BackgroundTLS()

    /// The file of the token that the job signs in by, as a ``FileTokenStore`` keeps it; nil, the default, for none.
    ///
    /// Its path is handed over, and the token is read anew for each attempt: the job waits with no secret of its own, and
    /// gets what was refreshed meanwhile. Whoever hands the job over sees to it that the token lasts; an answer with
    /// 401 ends the job. On Apple's systems a job with one is refused with `.unsupported`.
    public var tokenFile: URL?

    /// Makes the defaults.
    public init() {}
}
