import GodwitCore

/// What a response's head says about the content behind it, as URLSession hands it over.
struct ResponseContent {
    /// The head without what no longer describes the content.
    let head: HTTPResponseHead
    /// Whether URLSession undoes a content coding.
    let isDecoded: Bool
    /// As it is sent; nil where the head does not say, or there is no content.
    let declaredLength: Int64?

    init(_ head: HTTPResponseHead, to request: HTTPRequest) {
        let hasContent = request.method != .head && !head.status.forbidsContent
        let length = head.fields.contains(.transferEncoding) ? nil : head.fields[.contentLength].flatMap { Int64($0) }
        declaredLength = hasContent ? length : nil
        isDecoded = hasContent && Self.isCoded(head.fields)
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
        let limits = request.options.responseLimit
        if let limit = limits.encoded {
            if let declaredLength, declaredLength > limit { return .tooLarge(limit: limit) }
            if isDecoded, declaredLength == nil {
                return Platform.unsupported("a limit on the encoded bytes of a response without a length")
            }
        }
        guard let plainLength else { return nil }
        if let limit = limits.decoded, plainLength > limit { return .tooLarge(limit: limit) }
        if case .buffered(let limit) = request.delivery, plainLength > limit { return .tooLarge(limit: Int64(limit)) }
        return nil
    }

    private static func isCoded(_ fields: HTTPFields) -> Bool {
        let codings = fields.values(of: .contentEncoding).flatMap { $0.split(separator: ",") }
            .map { String($0).trimmingBlanks.asciiLowercased }
        return codings.contains { $0 != "identity" } && codings.allSatisfy(Platform.codings.contains)
    }
}
