public import GodwitCore

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
