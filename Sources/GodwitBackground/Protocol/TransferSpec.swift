package import GodwitCore

/// A job as it is handed over and saved. It may contain credentials; its description doesn't.
package struct TransferSpec: Sendable, Hashable {
    /// The maximum length of a URL, path or field in bytes.
    private static let longest = 16_384

    package let id: UUID
    package let direction: BackgroundJob.Direction
    package let method: HTTPMethod
    package let url: HTTPURL
    package private(set) var fields: HTTPFields
    /// The file's absolute path; a folder's ends with a slash.
    package private(set) var path: String
    package var existingFile = DownloadOptions.ExistingFile.fail
    package var digest: ContentDigest?
    package var isDiscretionary = false
    package var networks = NetworkAllowance.all
    package var timeLimit: Duration
    package var timeouts = Timeouts()
    package var plaintextHosts: Set<String> = []
    /// `nil` to follow redirects.
    package private(set) var redirects: RedirectRule?
    package private(set) var tls = BackgroundTLS()
    /// The absolute path of the token file.
    package private(set) var tokenFile: String?
    package private(set) var parallelRanges = 1

    package init(
        download request: HTTPRequest, to destination: URL, _ options: BackgroundJobOptions,
        _ configuration: BackgroundConfiguration
    ) throws(NetworkError) {
        try self.init(.download, request, destination, options)
        plaintextHosts = configuration.plaintextHosts
        existingFile = options.existingFile
        digest = options.digest
        parallelRanges = min(max(1, options.parallelRanges), 16)
    }

    package init(
        upload request: HTTPRequest, fromFile file: URL, _ options: BackgroundJobOptions,
        _ configuration: BackgroundConfiguration
    ) throws(NetworkError) {
        try self.init(.upload, request, file, options)
        plaintextHosts = configuration.plaintextHosts
        guard !path.hasSuffix("/"), FileManager.default.isReadableFile(atPath: path) else {
            throw NetworkError(.file(reason: "cannot read \(file.lastPathComponent)"), phase: .building)
        }
    }

    private init(
        _ direction: BackgroundJob.Direction, _ original: HTTPRequest, _ file: URL, _ options: BackgroundJobOptions
    ) throws(NetworkError) {
        var request = original
        request.writeIdempotencyKey()
        id = options.id
        self.direction = direction
        method = request.method
        url = request.url
        fields = request.fields
        path = file.isFileURL ? file.absoluteURL.path + (file.hasDirectoryPath ? "/" : "") : ""
        isDiscretionary = options.isDiscretionary
        networks = request.options.allowedNetworks
        timeLimit = options.timeLimit
        timeouts = request.options.timeouts
        redirects = try RedirectRule(request.options.redirects)
        tls = options.tls
        tokenFile = options.tokenFile?.absoluteURL.path
        if let fault = fault ?? request.body.map({ _ in "its body must be a file" }) {
            throw NetworkError(.invalidRequest(reason: fault), phase: .building)
        }
        if let fault = request.fieldFault { throw NetworkError(fault, phase: .building) }
    }

    /// Whether it may be sent again if the server may have received it.
    package var isRepeatable: Bool { method.isIdempotent || fields.contains(.idempotencyKey) }

    /// A copy without fields, as they may contain credentials, for a job that has ended.
    package var withoutFields: TransferSpec {
        var spec = self
        spec.fields = [:]
        return spec
    }

    /// A copy whose fields have the token that its file holds now. It is only for the system: a saved job has the path.
    ///
    /// Throws `.unauthorized` if the file doesn't exist, and `.file` if it can't be read.
    package func withStoredToken() throws(NetworkError) -> TransferSpec {
        guard let tokenFile, !fields.contains(.authorization) else { return self }
        guard url.origin.isConfidential else {
            throw NetworkError(.insecure(.plaintext(host: url.host)), phase: .building)
        }
        guard let token = try Self.token(at: tokenFile) else { throw NetworkError(.unauthorized, phase: .building) }
        var spec = self
        spec.fields[.authorization] = token.authorization
        return spec
    }

    private static func token(at path: String) throws(NetworkError) -> AccessToken? {
        do throws(TokenStoreError) {
            return try FileTokenStore(at: URL(filePath: path)).load()
        } catch {
            throw NetworkError(error)
        }
    }

    /// A copy for a file that has moved.
    package func moved(to path: String) -> TransferSpec {
        var spec = self
        spec.path = path
        return spec
    }

    /// Whether it has rules that a process with protocol version 1 would ignore.
    package var hasRules: Bool { redirects != nil || !tls.isEmpty || tokenFile != nil }

    /// Why the job is not valid; `nil` if it is.
    private var fault: String? {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { return "the URL of the file is not a file URL" }
        let texts = [path, url.absoluteString] + fields.map(\.value)
        guard texts.allSatisfy({ $0.utf8.count <= Self.longest }), fields.count <= 200 else {
            return "its URL, path or fields are too long"
        }
        guard timeLimit > .zero else { return "its time limit is not positive" }
        guard tls.isEmpty || url.scheme == .https else { return "TLS rules need an https URL" }
        return tls.fault
    }
}

extension TransferSpec: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(direction) \(id)" }
    package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

extension TransferSpec: Codable {
    private enum Key: String, CodingKey {
        case id, direction, method, url, fields, path, existingFile, digest, isDiscretionary, networks, timeLimit
        case connectTimeout, inactivityTimeout, totalTimeout, plaintextHosts, redirects, tls, tokenFile, parallelRanges
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func seconds(_ key: Key) throws -> Duration? {
            guard let number = try values.decodeIfPresent(Double.self, forKey: key) else { return nil }
            guard number >= 0, number <= 3e9 else { throw TransferRefusal.invalid("a time is out of range") }
            return .seconds(number)
        }
        id = try values.decode(UUID.self, forKey: .id)
        direction = try values.decode(BackgroundJob.Direction.self, forKey: .direction)
        guard let method = HTTPMethod(rawValue: try values.decode(String.self, forKey: .method)) else {
            throw TransferRefusal.invalid("the method is not valid")
        }
        self.method = method
        let text = try values.decode(String.self, forKey: .url)
        do throws(InvalidURL) {
            url = try HTTPURL(text)
        } catch {
            throw TransferRefusal.invalid("the URL is not valid")
        }
        guard let fields = HTTPFields(lines: try values.decode([[String]].self, forKey: .fields)) else {
            throw TransferRefusal.invalid("a header field is not valid")
        }
        self.fields = fields
        path = try values.decode(String.self, forKey: .path)
        existingFile = try values.decode(DownloadOptions.ExistingFile.self, forKey: .existingFile)
        digest = try values.decodeIfPresent(ContentDigest.self, forKey: .digest)
        isDiscretionary = try values.decode(Bool.self, forKey: .isDiscretionary)
        networks = NetworkAllowance(rawValue: try values.decode(UInt8.self, forKey: .networks))
        timeLimit = try seconds(.timeLimit) ?? .zero
        timeouts.connect = try seconds(.connectTimeout) ?? timeouts.connect
        timeouts.inactivity = try seconds(.inactivityTimeout) ?? timeouts.inactivity
        timeouts.total = try seconds(.totalTimeout)
        plaintextHosts = try values.decodeIfPresent(Set<String>.self, forKey: .plaintextHosts) ?? []
        redirects = try values.decodeIfPresent(RedirectRule.self, forKey: .redirects)
        tls = try values.decodeIfPresent(BackgroundTLS.self, forKey: .tls) ?? BackgroundTLS()
        tokenFile = try values.decodeIfPresent(String.self, forKey: .tokenFile)
        parallelRanges = try values.decodeIfPresent(Int.self, forKey: .parallelRanges) ?? 1
        if let fault { throw TransferRefusal.invalid(fault) }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(direction, forKey: .direction)
        try values.encode(method.rawValue, forKey: .method)
        try values.encode(url.absoluteString, forKey: .url)
        try values.encode(fields.lines, forKey: .fields)
        try values.encode(path, forKey: .path)
        try values.encode(existingFile, forKey: .existingFile)
        try values.encodeIfPresent(digest, forKey: .digest)
        try values.encode(isDiscretionary, forKey: .isDiscretionary)
        try values.encode(networks.rawValue, forKey: .networks)
        try values.encode(timeLimit / .seconds(1), forKey: .timeLimit)
        try values.encode(timeouts.connect / .seconds(1), forKey: .connectTimeout)
        try values.encode(timeouts.inactivity / .seconds(1), forKey: .inactivityTimeout)
        try values.encode(plaintextHosts, forKey: .plaintextHosts)
        try values.encodeIfPresent(timeouts.total.map { $0 / .seconds(1) }, forKey: .totalTimeout)
        try values.encodeIfPresent(redirects, forKey: .redirects)
        if !tls.isEmpty { try values.encode(tls, forKey: .tls) }
        try values.encodeIfPresent(tokenFile, forKey: .tokenFile)
        if parallelRanges > 1 { try values.encode(parallelRanges, forKey: .parallelRanges) }
    }
}

/// How a job handles redirects, if it doesn't follow them by default.
package enum RedirectRule: Sendable, Hashable, Codable {
    case upTo(Int)
    case refused

    /// `nil` if redirects are followed. Throws `.invalidRequest` for a closure, which can't run in the background.
    init?(_ policy: RedirectPolicy) throws(NetworkError) {
        switch policy {
        case .follow: return nil
        case .followUp(let count): self = .upTo(max(0, count))
        case .block: self = .refused
        case .decide:
            throw NetworkError(
                .invalidRequest(reason: "a closure can't decide on redirects in the background"),
                phase: .building)
        }
    }

    package var policy: RedirectPolicy {
        switch self {
        case .upTo(let count): .followUp(to: count)
        case .refused: .block
        }
    }
}
