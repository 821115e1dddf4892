/// Makes the requests of an upload in the words of its protocol.
struct UploadRequests: Sendable {
    /// The request of the endpoint, which creates uploads.
    let request: HTTPRequest
    let ticket: UploadTicket

    private var grammar: UploadReport.Grammar { (ticket.server ?? .unknown).grammar }

    /// Asks the server which protocols it speaks.
    func discovery() -> HTTPRequest {
        var discovery = base(.options, request.url)
        discovery.fields[.contentType] = nil
        return discovery
    }

    /// Creates a part with its first bytes.
    func creation(of part: UploadPart, first: Range<Int64>) -> HTTPRequest {
        var creation = base(ticket.method, request.url)
        creation.body = ticket.source.body(first)
        creation.fields[.uploadLength] = "\(part.size)"
        switch grammar {
        case .tus:
            creation.fields[.contentType] = first.isEmpty ? nil : Self.tusType
            if ticket.isSplit { creation.fields[.uploadConcat] = "partial" } else { addMetadata(to: &creation) }
        case .ietf:
            if !creation.fields.contains(.contentType) { creation.fields[.contentType] = type.description }
            creation.fields[.uploadComplete] = StructuredField.text(first.upperBound == part.range.upperBound)
        }
        return creation
    }

    /// Joins the parts.
    func concatenation() -> HTTPRequest {
        var joining = base(ticket.method, request.url)
        joining.fields[.contentType] = nil
        joining.body = .empty
        let locations = ticket.parts.compactMap { $0.location?.absoluteString }
        joining.fields[.uploadConcat] = "final;" + locations.joined(separator: " ")
        addMetadata(to: &joining)
        return joining
    }

    /// Asks how much of a part the server has.
    func inquiry(_ location: HTTPURL) -> HTTPRequest {
        var inquiry = base(.head, location)
        inquiry.fields[.contentType] = nil
        return inquiry
    }

    /// Sends bytes of a part.
    func append(_ range: Range<Int64>, of part: UploadPart, to location: HTTPURL) -> HTTPRequest {
        var append = base(.patch, location)
        append.body = ticket.source.body(range)
        append.fields[.uploadOffset] = "\(range.lowerBound - part.range.lowerBound)"
        switch grammar {
        case .tus:
            append.fields[.contentType] = Self.tusType
        case .ietf:
            append.fields[.contentType] = "application/partial-upload"
            append.fields[.uploadComplete] = StructuredField.text(range.upperBound == part.range.upperBound)
        }
        return append
    }

    /// Removes an upload.
    func termination(_ location: HTTPURL) -> HTTPRequest {
        var termination = base(.delete, location)
        termination.fields[.contentType] = nil
        return termination
    }

    private static let tusType = "application/offset+octet-stream"

    private var type: MediaType { MediaType(forFileExtension: ticket.file.pathExtension) ?? .octetStream }

    /// Names are checked when the upload starts.
    private func addMetadata(to request: inout HTTPRequest) {
        let own = ["filename": ticket.file.lastPathComponent, "filetype": type.description]
        request.fields[.uploadMetadata] = TusMetadata.value(own.merging(ticket.options.metadata) { $1 })
    }

    /// A request without a body. The upload itself decides what is sent again.
    private func base(_ method: HTTPMethod, _ url: HTTPURL) -> HTTPRequest {
        var base = request
        base.method = method
        base.url = url
        base.body = nil
        base.options.retry = .never
        base.options.compression = .off
        // What the server has now is asked, and not what it had.
        base.options.cachePolicy = .reloadIgnoringCache
        if !url.isSameOrigin(as: request.url) { base.withholdSecrets() }
        switch grammar {
        case .tus: base.fields[.tusResumable] = TusServer.version
        case .ietf: base.fields[.uploadDraftInteropVersion] = UploadReport.interopVersion
        }
        // The version is negotiated by OPTIONS, which must not carry it (tus 1.0.0).
        if method == .options { base.fields[.tusResumable] = nil }
        return base
    }
}

extension HTTPRequest {
    /// Removes what another origin than the client's must not get, and keeps the client from adding it.
    fileprivate mutating func withholdSecrets() {
        fields = fields.keeping { !$0.isSensitive }
        withholdClientSecrets()
    }

    /// Keeps the client from adding credentials, cookies and its default fields.
    mutating func withholdClientSecrets() {
        options.authentication = .none
        options.cookies = .off
        options[DefaultFieldUse.self] = .none
    }
}
