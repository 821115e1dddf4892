import GodwitCore

/// What a response's head says about the content behind it, as URLSession hands it over.
struct ResponseContent {
    /// The head without what no longer describes the content.
    let head: HTTPResponseHead
    /// Whether URLSession undoes a content coding.
    let isDecoded: Bool
    /// What was applied to the content.
    private let codings: ContentCodings
    /// As it is sent; nil where the head does not say, or there is no content.
    let declaredLength: Int64?

    init(_ head: HTTPResponseHead, to request: HTTPRequest) {
        let hasContent = request.method != .head && !head.status.forbidsContent
        let length = head.fields.contains(.transferEncoding) ? nil : head.fields[.contentLength].flatMap { Int64($0) }
        declaredLength = hasContent ? length : nil
        codings = ContentCodings(head.fields[.contentEncoding] ?? "")
        isDecoded = hasContent && !codings.applied.isEmpty && codings.applied.allSatisfy(Platform.codings.contains)
        var head = head
        if isDecoded {
            head.fields.remove(.contentEncoding)
            head.fields.remove(.contentLength)
        }
        self.head = head
    }

    /// As it is handed over; nil where it is not known.
    var plainLength: Int64? { isDecoded ? nil : declaredLength }

    /// Why it cannot be taken in, or nil.
    func fault(for request: HTTPRequest) -> NetworkError.Kind? {
        if isDecoded, head.status == .partialContent { return Platform.unsupported("a part of a coded content") }
        if isDecoded, let fault = codings.fault { return .invalidResponse(reason: fault) }
        let limits = BodyLimits(for: request)
        guard let declaredLength else {
            return isDecoded && limits.limitsEncoded
                ? Platform.unsupported("a limit on the encoded bytes of a response without a length") : nil
        }
        return limits.fault(declared: declaredLength, isDecoded: isDecoded)
    }
}

/// Where the content of one response goes.
enum ResponseSink: Sendable {
    /// The head is not in yet, or there is nothing to keep.
    case none
    /// Into memory.
    case buffer
    case file(FileWriter, URL)
    case stream(BodyChannel)
}

/// The content of a request in one of the forms that URLSession takes.
package enum UploadContent: Sendable {
    case none
    case bytes(Data)
    /// A temporary one is removed after the exchange.
    case file(URL, isTemporary: Bool)
    /// The delegate is asked for the stream.
    case stream

    /// The task that sends it.
    func task(for request: URLRequest, in session: URLSession) -> URLSessionTask {
        switch self {
        case .none:
            return session.dataTask(with: request)
        case .bytes(let data):
            var request = request
            request.httpBody = data
            return session.dataTask(with: request)
        case .file(let url, _):
            return session.uploadTask(with: request, fromFile: url)
        case .stream:
            return session.uploadTask(withStreamedRequest: request)
        }
    }

    /// Removes what was made for the exchange alone.
    func discard() {
        if case .file(let url, isTemporary: true) = self { try? FileManager.default.removeItem(at: url) }
    }
}
