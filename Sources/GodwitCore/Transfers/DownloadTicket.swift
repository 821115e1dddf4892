/// What it takes to go on with a download later: after a pause, or in another process.
///
/// ```swift
/// let ticket = try await download.pause()
/// try JSONEncoder().encode(ticket).write(to: file)
/// // later
/// let kept = try JSONDecoder().decode(DownloadTicket.self, from: Data(contentsOf: file))
/// let file = try await api.resume(kept).file
/// ```
///
/// It holds what the endpoint wanted otherwise than its client: time-outs, networks, redirects, retries, limits. It holds no
/// closures, such as ``RequestOptions/onEvent``, and no credentials: those are the client's that resumes. The URL is in it with
/// its query.
///
/// Decoding throws a `DecodingError` that says what is wrong with a ticket that is damaged, or of a later version.
public struct DownloadTicket: Sendable, Hashable {
    /// Written where the file has gaps, so that no earlier version takes it for one without.
    private static let versionWithPieces = 2
    private static let version = 1

    /// What is downloaded.
    public let url: HTTPURL

    /// The file to be, or the folder it is put into.
    public let destination: URL

    /// How many bytes were there, from the beginning on. What counts in the end is what the partial file holds.
    public internal(set) var offset: Int64 = 0

    /// How many there will be; nil where the server did not say.
    public internal(set) var total: Int64?

    /// The file that holds what is there so far; beside the file to be, readable by its owner alone.
    public var partialFile: URL { place.partialFile }

    /// The fields of the request that say what is wanted, without any that hold secrets.
    var fields: HTTPFields = [:]
    /// Whether the destination is a folder.
    let isFolder: Bool
    /// What the bytes belong to; nil where the server gave nothing to tell by.
    var validator: ResumeValidator?
    /// The name that the server suggests, made safe.
    var suggestedName: String?
    /// What the server says that the content is.
    var reportedDigest: ContentDigest?
    /// What the caller says that it is.
    var digest: ContentDigest?
    /// What is there behind the first gap; nil where the file has no gaps, and its size is what is there.
    var pieces: [Range<Int64>]?
    /// How many parts are fetched at once.
    var parallelRanges = 1
    var existingFile = DownloadOptions.ExistingFile.fail
    var synchronizesToDisk = false
    var isExcludedFromBackup = false
    /// What the endpoint wanted otherwise than the client.
    var options = TicketOptions()

    init(url: HTTPURL, destination: URL, isFolder: Bool) {
        self.url = url
        self.destination = destination
        self.isFolder = isFolder
    }

    /// How many bytes are there in all.
    var received: Int64 { (pieces ?? []).reduce(offset) { $0 + Int64($1.count) } }

    var place: DownloadPlace { DownloadPlace(destination, isFolder: isFolder, url: url) }

    /// Forgets what was received.
    mutating func startOver() {
        offset = 0
        pieces = nil
        total = nil
        validator = nil
        reportedDigest = nil
        suggestedName = nil
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
            throw Self.damaged("its destination is no absolute path", decoder)
        }
        isFolder = try values.decode(Bool.self, forKey: .isFolder)
        destination = URL(filePath: path, directoryHint: isFolder ? .isDirectory : .notDirectory)
        offset = try values.decode(Int64.self, forKey: .offset)
        total = try values.decodeIfPresent(Int64.self, forKey: .total)
        guard offset >= 0, total ?? offset >= offset else { throw Self.damaged("its offset makes no sense", decoder) }
        parallelRanges = try values.decodeIfPresent(Int.self, forKey: .parallelRanges) ?? 1
        if version == Self.versionWithPieces { pieces = try Self.pieces(values, from: offset, to: total, decoder) }
        for line in try values.decode([[String]].self, forKey: .fields) {
            guard line.count == 2, let name = HTTPField.Name(line[0]), let field = HTTPField(name: name, value: line[1])
            else { throw Self.damaged("a field cannot be sent", decoder) }
            fields.append(field)
        }
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
        try values.encode(fields.map { [$0.name.rawName, $0.value] }, forKey: .fields)
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

    /// In order, behind the beginning, within the whole.
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
