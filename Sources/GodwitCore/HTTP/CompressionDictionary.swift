import GodwitSupport

/// A stored response that the body of another may be compressed with (RFC 9842), as an engine gets it with a request.
///
/// An engine that can decode `dcb` or `dcz` offers it with the fields of ``offered(codings:for:)``; another one ignores it.
package struct CompressionDictionary: Sendable {
    /// The content of the stored response.
    package let content: Data
    /// SHA-256 of the content.
    package let digest: [UInt8]
    /// What the server calls it; empty for nothing.
    package let id: String
    /// Is called when the server used another dictionary, so that this one isn't offered again.
    package let wasRefused: @Sendable () -> Void

    package init(content: Data, digest: [UInt8], id: String, wasRefused: @escaping @Sendable () -> Void) {
        self.content = content
        self.digest = digest
        self.id = id
        self.wasRefused = wasRefused
    }

    /// The fields that offer the dictionary with these codings.
    fileprivate func fields(codings: String) -> HTTPFields {
        var fields: HTTPFields = [.acceptEncoding: codings]
        fields[.availableDictionary] = StructuredBareItem.bytes(digest).text
        if !id.isEmpty { fields[.dictionaryID] = StructuredBareItem.string(id).text }
        return fields
    }
}

extension CompressionDictionary: RequestOption {
    package typealias Value = CompressionDictionary?
    package static var defaultValue: CompressionDictionary? { nil }
    package static var affectsResponse: Bool { false }
}

extension HTTPRequest {
    /// The dictionary that an engine may offer, and decodes with.
    package var dictionary: CompressionDictionary? {
        get { options[CompressionDictionary.self] }
        set { options[CompressionDictionary.self] = newValue }
    }

    /// The fields that offer the request's dictionary, with the codings that the engine decodes. Empty without one, and if the
    /// request names codings, as its sender then decodes them.
    package func dictionaryFields(codings: @autoclosure () -> String) -> HTTPFields {
        guard let dictionary, !fields.contains(.acceptEncoding) else { return [:] }
        return dictionary.fields(codings: codings())
    }
}

extension NetworkError.Kind {
    /// The body needs a dictionary that wasn't offered: a cache on the way ignored `Vary`, for example.
    package static let otherDictionary = NetworkError.Kind.invalidResponse(
        reason: "the body is compressed with a dictionary that was not offered")
}
