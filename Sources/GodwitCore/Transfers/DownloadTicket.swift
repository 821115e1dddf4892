/// Resumes a download later: after a pause, or in another process.
///
/// ```swift
/// let ticket = try await download.pause()
/// try JSONEncoder().encode(ticket).write(to: file)
/// // later
/// let kept = try JSONDecoder().decode(DownloadTicket.self, from: Data(contentsOf: file))
/// let file = try await api.resume(kept).file
/// ```
///
/// A ticket holds the URL with its query, and the options in which the endpoint differs from its client: timeouts, networks,
/// redirects, retries and limits. It holds neither closures, such as ``RequestOptions/onEvent``, nor credentials: the client
/// that resumes adds its own.
///
/// Decoding throws a `DecodingError` with the reason if the ticket is damaged, or from a later version.
public struct DownloadTicket: Sendable, Hashable {
    /// The version if the file has gaps, which earlier versions of the library can't handle.
    private static let versionWithPieces = 2
    private static let version = 1

    /// The URL of the content.
    public let url: HTTPURL

    /// The destination file or folder.
    public let destination: URL

    /// The number of bytes received without a gap. If it differs from the partial file, the file counts.
    public internal(set) var offset: Int64 = 0

    /// The size of the content in bytes; `nil` if the server didn't say.
    public internal(set) var total: Int64?

    /// The hidden file with the received bytes, next to the destination. Only its owner may read it.
    public var partialFile: URL { place.partialFile }

    /// The request's fields, without those that hold secrets.
    var fields: HTTPFields = [:]
    /// Whether the destination is a folder.
    let isFolder: Bool
    /// Identifies the version of the content; `nil` if the server sent no strong validator.
    var validator: ResumeValidator?
    /// The safe file name that the server suggests.
    var suggestedName: String?
    /// The digest that the server reports.
    var reportedDigest: ContentDigest?
    /// The digest that the caller expects.
    var digest: ContentDigest?
    /// The received ranges after the first gap; `nil` if the file has no gaps.
    var pieces: [Range<Int64>]?
    var parallelRanges = 1
    var existingFile = DownloadOptions.ExistingFile.fail
    var synchronizesToDisk = false
    var isExcludedFromBackup = false
    /// The options in which the endpoint differs from the client.
    var options = TicketOptions()

    init(url: HTTPURL, destination: URL, isFolder: Bool) {
        self.url = url
        self.destination = destination
        self.isFolder = isFolder
    }

    /// The number of received bytes, those after gaps included.
    var received: Int64 { (pieces ?? []).reduce(offset) { $0 + Int64($1.count) } }

    /// The ticket's part of the download options.
    var downloadOptions: DownloadOptions {
        get {
            var values = DownloadOptions()
            values.existingFile = existingFile
            values.digest = digest
            values.synchronizesToDisk = synchronizesToDisk
            values.isExcludedFromBackup = isExcludedFromBackup
            values.parallelRanges = parallelRanges
            return values
        }
        set {
            existingFile = newValue.existingFile
            digest = newValue.digest
            synchronizesToDisk = newValue.synchronizesToDisk
            isExcludedFromBackup = newValue.isExcludedFromBackup
            parallelRanges = newValue.parallelRanges
        }
    }

    var place: DownloadPlace { DownloadPlace(destination, isFolder: isFolder, url: url) }

    /// Drops what was received.
    mutating func startOver() {
        offset = 0
        pieces = nil
        total = nil
        validator = nil
        reportedDigest = nil
        suggestedName = nil
    }
}

extension HTTPFields {
    /// Names and values, as saved in tickets and jobs.
    package var lines: [[String]] { map { [$0.name.rawName, $0.value] } }

    /// `nil` if a name or value is not valid.
    package init?(lines: [[String]]) {
        self.init()
        for line in lines {
            guard line.count == 2, let name = HTTPField.Name(line[0]), let field = HTTPField(name: name, value: line[1])
            else { return nil }
            append(field)
        }
    }
}

extension HTTPURL {
    fileprivate static func decoded(_ text: String, for decoder: any Decoder) throws -> HTTPURL {
        do throws(InvalidURL) {
            return try HTTPURL(text)
        } catch {
            throw DownloadTicket.damaged("its URL cannot be used: \(error.reason)", decoder)
        }
    }
}

extension DownloadTicket: Codable {
    private enum Key: String, CodingKey {
        case version, url, destination, isFolder, offset, total, fields, validator, suggestedName, reportedDigest
        case digest, existingFile, synchronizesToDisk, isExcludedFromBackup, pieces, parallelRanges, options
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let version = try values.decode(Int.self, forKey: .version)
        guard [Self.version, Self.versionWithPieces].contains(version) else {
            throw Self.damaged("its version, \(version), is not known", decoder)
        }
        url = try HTTPURL.decoded(values.decode(String.self, forKey: .url), for: decoder)
        let path = try values.decode(String.self, forKey: .destination)
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw Self.damaged("its destination is not an absolute path", decoder)
        }
        isFolder = try values.decode(Bool.self, forKey: .isFolder)
        destination = URL(filePath: path, directoryHint: isFolder ? .isDirectory : .notDirectory)
        offset = try values.decode(Int64.self, forKey: .offset)
        total = try values.decodeIfPresent(Int64.self, forKey: .total)
        guard offset >= 0, total ?? offset >= offset else { throw Self.damaged("its offset makes no sense", decoder) }
        parallelRanges = try values.decodeIfPresent(Int.self, forKey: .parallelRanges) ?? 1
        if version == Self.versionWithPieces { pieces = try Self.pieces(values, from: offset, to: total, decoder) }
        guard let fields = HTTPFields(lines: try values.decode([[String]].self, forKey: .fields)) else {
            throw Self.damaged("a header field is not valid", decoder)
        }
        self.fields = fields
        validator = try values.decodeIfPresent(ResumeValidator.self, forKey: .validator)
        suggestedName = try values.decodeIfPresent(String.self, forKey: .suggestedName).flatMap(SafeFileName.init)?.text
        reportedDigest = try values.decodeIfPresent(ContentDigest.self, forKey: .reportedDigest)
        digest = try values.decodeIfPresent(ContentDigest.self, forKey: .digest)
        existingFile = try values.decode(DownloadOptions.ExistingFile.self, forKey: .existingFile)
        synchronizesToDisk = try values.decode(Bool.self, forKey: .synchronizesToDisk)
        isExcludedFromBackup = try values.decodeIfPresent(Bool.self, forKey: .isExcludedFromBackup) ?? false
        options = try values.decodeIfPresent(TicketOptions.self, forKey: .options) ?? TicketOptions()
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(pieces == nil ? Self.version : Self.versionWithPieces, forKey: .version)
        try values.encode(url.absoluteString, forKey: .url)
        try values.encode(destination.path, forKey: .destination)
        try values.encode(isFolder, forKey: .isFolder)
        try values.encode(offset, forKey: .offset)
        try values.encodeIfPresent(total, forKey: .total)
        try values.encode(fields.lines, forKey: .fields)
        try values.encodeIfPresent(validator, forKey: .validator)
        try values.encodeIfPresent(suggestedName, forKey: .suggestedName)
        try values.encodeIfPresent(reportedDigest, forKey: .reportedDigest)
        try values.encodeIfPresent(digest, forKey: .digest)
        try values.encode(existingFile, forKey: .existingFile)
        try values.encode(synchronizesToDisk, forKey: .synchronizesToDisk)
        try values.encodeIfPresent(pieces?.map { [$0.lowerBound, $0.upperBound] }, forKey: .pieces)
        if isExcludedFromBackup { try values.encode(true, forKey: .isExcludedFromBackup) }
        if parallelRanges > 1 { try values.encode(parallelRanges, forKey: .parallelRanges) }
        if options != TicketOptions() { try values.encode(options, forKey: .options) }
    }

    /// Decodes the pieces, which must be sorted, after the offset, and within the total.
    private static func pieces(
        _ values: KeyedDecodingContainer<Key>, from offset: Int64, to total: Int64?, _ decoder: any Decoder
    ) throws -> [Range<Int64>] {
        guard let total else { throw damaged("it has pieces of an unknown whole", decoder) }
        var (pieces, last): ([Range<Int64>], Int64) = ([], offset)
        for ends in try values.decode([[Int64]].self, forKey: .pieces) {
            guard ends.count == 2, last <= ends[0], ends[0] < ends[1], ends[1] <= total else {
                throw damaged("its pieces make no sense", decoder)
            }
            pieces.append(ends[0]..<ends[1])
            last = ends[1]
        }
        return pieces
    }

    fileprivate static func damaged(_ what: String, _ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "the download ticket cannot be used: \(what)"))
    }
}
