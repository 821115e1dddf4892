/// Configures a resumable upload.
///
/// ```swift
/// api.upload(film, to: .resumable(.post("films")) {
///     $0.ticketFile = folder.appending(path: "film.ticket")
///     $0.parallelParts = 4
/// })
/// ```
public struct UploadOptions: Sendable, Hashable, Nonisolated {
    /// Whether the server can check what it receives.
    public enum Checksums: String, Sendable, Hashable, Codable {
        /// No digests are sent.
        case none
        /// Each request carries the digest of its bytes, if the server supports that: `Upload-Checksum` with SHA-256 or
        /// SHA-1 for tus, `Content-Digest` (RFC 9530) otherwise. Each byte is read twice.
        case chunks
    }

    /// Where the server may place the upload.
    public enum Locations: Sendable, Hashable {
        /// At the origin of the endpoint. Any other URL throws `.invalidResponse`, and nothing is sent there.
        case sameOrigin
        /// At these origins too. They get neither the client's credentials, cookies and default fields nor the
        /// endpoint's sensitive fields.
        case origins(Set<Origin>)
    }

    /// The maximum number of bytes sent in one request. 8 MiB by default; at least 1 KiB.
    ///
    /// After a broken connection, at most one chunk is sent again, and less if the server keeps incomplete requests. A
    /// server's own limit counts if it is lower.
    public var chunkSize: Int64 = 8 << 20

    /// How many parts of the file are sent at once, each over its own connection or stream. 1 by default.
    ///
    /// From 1 to 16; other values are clamped. Needs a tus server with the concatenation extension; other servers get
    /// the file as one.
    public var parallelParts = 1

    /// Whether requests carry digests. ``Checksums/none`` by default.
    public var checksums = Checksums.none

    /// Names and values that describe the upload to a tus server (`Upload-Metadata`). Empty by default.
    ///
    /// The file's name is added as `filename` and its type as `filetype`, unless you set them. A name with a blank, a
    /// comma or a character outside ASCII throws `.invalidRequest`.
    public var metadata: [String: String] = [:]

    /// Where the server may place the upload. ``Locations/sameOrigin`` by default.
    public var locations = Locations.sameOrigin

    /// A file in which the upload keeps its ticket while it runs, so that it can be resumed after the process was
    /// killed.
    ///
    /// It is written before the first byte is sent, only its owner can read it, and it is removed once the upload is
    /// complete or canceled. If it has a ticket for the same file and endpoint, the upload continues it. `nil` (the
    /// default) keeps none.
    public var ticketFile: URL?

    /// The minimum time between two updates of ``ResumableUpload/progress``. 0.1 seconds by default.
    public var progressInterval = Duration.milliseconds(100)

    /// Creates options with default values.
    public init() {}
}
