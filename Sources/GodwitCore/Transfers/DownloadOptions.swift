/// What a download wants otherwise than the defaults.
///
/// ```swift
/// api.download(.image(id: 7), to: folder) {
///     $0.existingFile = .keepBoth
///     $0.digest = ContentDigest("sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// }
/// ```
public struct DownloadOptions: Sendable, Hashable, Nonisolated {
    /// What becomes of a file that is in the place of the new one.
    public enum ExistingFile: String, Sendable, Hashable, Codable {
        /// It stays, and the download throws `.file`: before anything is sent, where the name is known by then.
        case fail
        /// The new one takes its place, in one step, once it is complete.
        case replace
        /// Both stay: the new one is called `name (2)`.
        case keepBoth
        /// It stays, and the download is done with it, if the server says that it has the right size (and digest, where one is
        /// known); nothing is transferred then, and ``Download/wasAlreadyComplete`` says so. Else the download throws `.file`.
        ///
        /// The server is asked for what comes after the file's last byte. Of the same size is not the same: give a
        /// ``DownloadOptions/digest`` if the content may have changed.
        case keepIfComplete

        /// Whether the new file must not take the place of another.
        var keepsOld: Bool { self == .fail || self == .keepIfComplete }
    }

    /// What becomes of the part that an earlier run of the same download has left.
    public enum Leftover: Sendable, Hashable {
        /// It is completed, where the server says that it still fits.
        case resume
        /// It is thrown away.
        case discard
    }

    /// What becomes of a file that is in the place of the new one. ``ExistingFile/fail`` by default.
    public var existingFile = ExistingFile.fail

    /// What becomes of the part that an earlier run has left. ``Leftover/resume`` by default.
    public var leftover = Leftover.resume

    /// What the content has to be; nil, the default, for whatever comes. A `Repr-Digest` of the server's is checked too.
    ///
    /// Another content throws `.invalidResponse` and is thrown away.
    public var digest: ContentDigest?

    /// Whether the file is on the disk, and not only in the system's memory, when the download is done.
    ///
    /// False by default.
    public var synchronizesToDisk = false

    /// Whether the system leaves the finished file out of backups (iCloud, Finder, Time Machine). False by default.
    ///
    /// For content that can be downloaded again: Apple rejects apps that back up much of it. The mark is set before the file is
    /// in its place; if it can't be set, the download throws `.file`. On Linux it has no effect.
    public var isExcludedFromBackup = false

    /// How many parts of the content are fetched at once, each over a connection or stream of its own; 1 by default.
    ///
    /// From 1 to 16; what lies outside counts as the nearest. It takes a server that gives parts of the content under a
    /// strong validator; from any other, and from one that refuses parts on the way, it is fetched as one.
    public var parallelRanges = 1

    /// The least time between two steps of ``Download/progress``. A tenth of a second by default.
    public var progressInterval = Duration.milliseconds(100)

    /// Makes the defaults.
    public init() {}
}
