import GodwitCore

/// The body of a response as described by its head and delivered by URLSession.
struct ResponseContent {
    /// The head without fields that no longer describe the body.
    let head: HTTPResponseHead
    /// Whether URLSession decodes the body.
    let isDecoded: Bool
    /// The content codings of the body.
    private let codings: ContentCodings
    /// The encoded length; `nil` if unknown, or without a body.
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

    /// The decoded length; `nil` if unknown.
    var plainLength: Int64? { isDecoded ? nil : declaredLength }

    /// Why the body can't be received; `nil` if it can.
    func fault(for request: HTTPRequest) -> NetworkError.Kind? {
        if isDecoded, head.status == .partialContent { return Platform.unsupported("a part of an encoded body") }
        if isDecoded, let fault = codings.fault { return .invalidResponse(reason: fault) }
        let limits = BodyLimits(for: request)
        guard let declaredLength else {
            return isDecoded && limits.limitsEncoded
                ? Platform.unsupported("a limit on the encoded bytes of a response without a length") : nil
        }
        return limits.fault(declared: declaredLength, isDecoded: isDecoded)
    }
}

/// The destination of a response body.
enum ResponseSink: Sendable {
    /// No head yet, or nothing to keep.
    case none
    /// Memory.
    case buffer
    case file(FileWriter, URL)
    case stream(BodyChannel)
}
