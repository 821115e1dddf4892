/// Configures a download.
///
/// ```swift
/// api.download(.image(id: 7), to: folder) {
///     $0.existingFile = .keepBoth
///     $0.digest = ContentDigest("sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// }
/// ```
public struct DownloadOptions: Sendable, Hashable, Nonisolated {
    /// What happens if a file exists at the destination.
    public enum ExistingFile: String, Sendable, Hashable, Codable {
        /// The download throws `.file`, before anything is sent if the name is known by then.
        case fail
        /// The complete new file replaces it in one step.
        case replace
        /// Both are kept: the new file is named `name (2)`.
        case keepBoth
        /// The existing file is kept if the server says that it has the right size, and digest if one is known. Nothing is
        /// transferred then, and ``Download/wasAlreadyComplete`` is true. Otherwise the download throws `.file`.
        ///
        /// The size is checked by requesting the bytes after the file's last. Content of the same size may differ: set
        /// ``DownloadOptions/digest`` if it may have changed.
        case keepIfComplete

        /// Whether the new file must not replace another one.
        var keepsOld: Bool { self == .fail || self == .keepIfComplete }
    }

    /// What happens with a part that an earlier run of the same download has left.
    public enum Leftover: Sendable, Hashable {
        /// The part is completed if the server says that it still fits.
        case resume
        /// The part is discarded.
        case discard
    }

    /// What happens if a file exists at the destination. ``ExistingFile/fail`` by default.
    public var existingFile = ExistingFile.fail

    /// What happens with a part that an earlier run has left. ``Leftover/resume`` by default.
    public var leftover = Leftover.resume

    /// The expected digest of the content. `nil` (the default) accepts any. The server's `Repr-Digest` is checked too.
    ///
    /// Other content throws `.invalidResponse` and is discarded.
    public var digest: ContentDigest?

    /// Whether the file is written to the disk before the download finishes, and not only to the system's cache.
    ///
    /// False by default.
    public var synchronizesToDisk = false

    /// Whether the system excludes the finished file from backups (iCloud, Finder, Time Machine). False by default.
    ///
    /// Meant for content that can be downloaded again: Apple rejects apps that back up much of it. The mark is set before the
    /// file is moved; if that fails, the download throws `.file`. No effect on Linux.
    public var isExcludedFromBackup = false

    /// How many parts of the content are fetched at once, each over its own connection or stream. 1 by default.
    ///
    /// From 1 to 16; other values are clamped. Parallel ranges need a server that supports ranges and sends a strong
    /// validator. From other servers, and after a server refuses a range, the content is fetched as one.
    public var parallelRanges = 1

    /// The minimum time between two updates of ``Download/progress``. 0.1 seconds by default.
    public var progressInterval = Duration.milliseconds(100)

    /// Creates options with default values.
    public init() {}
}
