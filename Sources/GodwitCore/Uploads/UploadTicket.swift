import GodwitSupport

/// Resumes an upload later: after a pause, or in another process.
///
/// ```swift
/// let upload = api.upload(file, to: .resumable(.post("films")))
/// let ticket = try await upload.pause()
/// try JSONEncoder().encode(ticket).write(to: file)
/// // later
/// let kept = try JSONDecoder().decode(UploadTicket.self, from: Data(contentsOf: file))
/// try await api.resume(kept).value
/// ```
///
/// A ticket holds the endpoint's URL, the upload's URL at the server, the path of the file with its size and
/// modification time, the upload's options, and the options in which the endpoint differs from its client. It holds
/// neither closures nor credentials: the client that resumes adds its own. Anyone who has the upload's URL may be able
/// to change the upload, so keep tickets where only their owner can read them.
///
/// Decoding throws a `DecodingError` with the reason if the ticket is damaged, or from a later version.
public struct UploadTicket: Sendable, Hashable {
    private static let version = 1

    /// The URL that creates the upload.
    public let url: HTTPURL

    /// The file that is uploaded.
    public var file: URL { source.url }

    /// The size of the file in bytes.
    public var total: Int64 { source.size }

    /// The number of bytes that the server has confirmed.
    public var offset: Int64 { parts.reduce(0) { $0.saturatingAdding($1.offset) } }

    /// The URL of the upload at the server; `nil` if it isn't known, or if the file is sent in several parts.
    public var location: HTTPURL? { isSplit ? nil : parts[0].location }

    /// When the server forgets the upload; `nil` if it didn't say.
    public internal(set) var expires: Date?

    let method: HTTPMethod
    /// The endpoint's fields, without those that hold secrets.
    let fields: HTTPFields
    let source: UploadFile
    /// The protocol that was asked for.
    let uploadProtocol: UploadProtocol
    /// Nothing is known of the server before it was asked.
    var server: UploadServer?
    /// At least one.
    var parts: [UploadPart]
    var options: UploadOptions
    /// The options in which the endpoint differs from the client.
    var requestOptions = TicketOptions()

    init(_ request: HTTPRequest, _ source: UploadFile, _ uploadProtocol: UploadProtocol, _ options: UploadOptions) {
        url = request.url
        method = request.method
        fields = HTTPFields(request.fields.filter { !$0.name.isSensitive })
        self.source = source
        self.uploadProtocol = uploadProtocol
        self.options = options
        parts = [UploadPart(0..<source.size)]
    }

    /// Whether the file is sent in several parts.
    var isSplit: Bool { parts.count > 1 }

    /// The maximum number of bytes in one request.
    var chunk: Int64 {
        let limits: UploadLimits? = if case .ietf(let limits)? = server { limits } else { nil }
        let wanted = max(options.chunkSize, 1 << 10, limits?.minimumAppend ?? 0)
        return min(wanted, limits?.maximumAppend ?? .max)
    }

    /// Whether a ticket is for the same upload.
    func isFor(_ other: UploadTicket) -> Bool {
        (url, method, fields, source, uploadProtocol)
            == (other.url, other.method, other.fields, other.source, other.uploadProtocol)
    }
}

extension UploadTicket: Codable {
    private enum Key: String, CodingKey {
        case version, url, method, fields, file, size, modified, inode, uploadProtocol, server, parts, expires
        case chunkSize, parallelParts, checksums, metadata, origins, ticketFile, options
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let version = try values.decode(Int.self, forKey: .version)
        guard version == Self.version else { throw Self.damaged("its version, \(version), is not known", decoder) }
        url = try Self.url(values.decode(String.self, forKey: .url), decoder)
        guard let method = HTTPMethod(rawValue: try values.decode(String.self, forKey: .method)) else {
            throw Self.damaged("its method is not valid", decoder)
        }
        self.method = method
        guard let fields = HTTPFields(lines: try values.decode([[String]].self, forKey: .fields)) else {
            throw Self.damaged("a header field is not valid", decoder)
        }
        self.fields = fields
        source = try Self.source(values, decoder)
        uploadProtocol = try values.decode(UploadProtocol.self, forKey: .uploadProtocol)
        server = try values.decodeIfPresent(UploadServer.self, forKey: .server)
        parts = try Self.parts(values, of: source.size, decoder)
        expires = try values.decodeIfPresent(Double.self, forKey: .expires).map { Date(timeIntervalSince1970: $0) }
        options = try Self.options(values, decoder)
        requestOptions = try values.decodeIfPresent(TicketOptions.self, forKey: .options) ?? TicketOptions()
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(url.absoluteString, forKey: .url)
        try values.encode(method.rawValue, forKey: .method)
        try values.encode(fields.lines, forKey: .fields)
        try values.encode(source.url.path, forKey: .file)
        try values.encode(source.identity.size, forKey: .size)
        try values.encode(source.identity.modified, forKey: .modified)
        try values.encode(source.identity.inode, forKey: .inode)
        try values.encode(uploadProtocol, forKey: .uploadProtocol)
        try values.encodeIfPresent(server, forKey: .server)
        try values.encode(parts, forKey: .parts)
        try values.encodeIfPresent(expires?.timeIntervalSince1970, forKey: .expires)
        try values.encode(options.chunkSize, forKey: .chunkSize)
        try values.encode(options.parallelParts, forKey: .parallelParts)
        try values.encode(options.checksums, forKey: .checksums)
        if !options.metadata.isEmpty { try values.encode(options.metadata, forKey: .metadata) }
        if case .origins(let origins) = options.locations {
            try values.encode(origins.map(\.description).sorted(), forKey: .origins)
        }
        try values.encodeIfPresent(options.ticketFile?.path, forKey: .ticketFile)
        if requestOptions != TicketOptions() { try values.encode(requestOptions, forKey: .options) }
    }

    private typealias Values = KeyedDecodingContainer<Key>

    private static func source(_ values: Values, _ decoder: any Decoder) throws -> UploadFile {
        let size = try values.decode(Int64.self, forKey: .size)
        guard size >= 0 else { throw damaged("its file has no size", decoder) }
        return UploadFile(
            url: try path(values.decode(String.self, forKey: .file), decoder),
            identity: UploadFile.Identity(
                size: size, modified: try values.decode(Int64.self, forKey: .modified),
                inode: try values.decode(UInt64.self, forKey: .inode)))
    }

    /// The parts must cover the file without gaps, in order.
    private static func parts(_ values: Values, of size: Int64, _ decoder: any Decoder) throws -> [UploadPart] {
        let parts = try values.decode([UploadPart].self, forKey: .parts)
        var end: Int64 = 0
        for part in parts {
            guard part.range.lowerBound == end, part.offset <= part.size else {
                throw damaged("its parts make no sense", decoder)
            }
            end = part.range.upperBound
        }
        guard !parts.isEmpty, end == size else { throw damaged("its parts make no sense", decoder) }
        return parts
    }

    private static func options(_ values: Values, _ decoder: any Decoder) throws -> UploadOptions {
        var options = UploadOptions()
        options.chunkSize = try values.decode(Int64.self, forKey: .chunkSize)
        options.parallelParts = try values.decode(Int.self, forKey: .parallelParts)
        options.checksums = try values.decode(UploadOptions.Checksums.self, forKey: .checksums)
        options.metadata = try values.decodeIfPresent([String: String].self, forKey: .metadata) ?? [:]
        if let origins = try values.decodeIfPresent([String].self, forKey: .origins) {
            options.locations = .origins(Set(try origins.map { try url($0, decoder).origin }))
        }
        options.ticketFile = try values.decodeIfPresent(String.self, forKey: .ticketFile)
            .map { try path($0, decoder) }
        return options
    }

    private static func path(_ path: String, _ decoder: any Decoder) throws -> URL {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw damaged("a path in it is not absolute", decoder)
        }
        return URL(filePath: path, directoryHint: .notDirectory)
    }

    fileprivate static func url(_ text: String, _ decoder: any Decoder) throws -> HTTPURL {
        do throws(InvalidURL) {
            return try HTTPURL(text)
        } catch {
            throw damaged("a URL in it cannot be used: \(error.reason)", decoder)
        }
    }

    fileprivate static func damaged(_ what: String, _ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "the upload ticket cannot be used: \(what)"))
    }
}

extension UploadPart: Codable {
    private enum Key: String, CodingKey {
        case start, end, location, offset, isComplete, etag
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let (start, end) = (try values.decode(Int64.self, forKey: .start), try values.decode(Int64.self, forKey: .end))
        offset = try values.decode(Int64.self, forKey: .offset)
        guard 0 <= start, start <= end, offset >= 0 else {
            throw UploadTicket.damaged("its parts make no sense", decoder)
        }
        range = start..<end
        location = try values.decodeIfPresent(String.self, forKey: .location).map { try UploadTicket.url($0, decoder) }
        isComplete = try values.decode(Bool.self, forKey: .isComplete)
        etag = try values.decodeIfPresent(String.self, forKey: .etag)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(range.lowerBound, forKey: .start)
        try values.encode(range.upperBound, forKey: .end)
        try values.encodeIfPresent(location?.absoluteString, forKey: .location)
        try values.encode(offset, forKey: .offset)
        try values.encode(isComplete, forKey: .isComplete)
        try values.encodeIfPresent(etag, forKey: .etag)
    }
}

extension UploadServer: Codable {
    private enum Key: String, CodingKey {
        case name, tus, limits
    }

    private enum Name: String, Codable {
        case unknown, tus, ietf, presigned
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self =
            switch try values.decode(Name.self, forKey: .name) {
            case .unknown: .unknown
            case .presigned: .presigned
            case .tus: .tus(try values.decode(TusServer.self, forKey: .tus))
            case .ietf: .ietf(try values.decodeIfPresent(UploadLimits.self, forKey: .limits))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .unknown: try values.encode(Name.unknown, forKey: .name)
        case .presigned: try values.encode(Name.presigned, forKey: .name)
        case .tus(let server):
            try values.encode(Name.tus, forKey: .name)
            try values.encode(server, forKey: .tus)
        case .ietf(let limits):
            try values.encode(Name.ietf, forKey: .name)
            try values.encodeIfPresent(limits, forKey: .limits)
        }
    }
}
