/// Decodes `Decodable` types from JSON, with the results of Foundation's `JSONDecoder` in a fraction of the time.
///
/// ```swift
/// var decoder = JSONModelDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let articles = try decoder.decode([Article].self, from: data)
/// ```
///
/// The options have the names and meanings of `JSONDecoder`. The grammar is RFC 8259, so that a few documents are
/// treated differently: see "Differences from Foundation" in the documentation on JSON.
public struct JSONModelDecoder: Sendable {
    /// The format of `Date`. `.deferredToDate` by default, as in Foundation.
    public var dateDecodingStrategy = JSONDecoder.DateDecodingStrategy.deferredToDate

    /// The format of `Data`. Base64 by default.
    public var dataDecodingStrategy = JSONDecoder.DataDecodingStrategy.base64

    /// The texts that stand for infinity and NaN. By default there are none.
    public var nonConformingFloatDecodingStrategy = JSONDecoder.NonConformingFloatDecodingStrategy.throw

    /// The spelling of keys. As in the types by default.
    public var keyDecodingStrategy = JSONDecoder.KeyDecodingStrategy.useDefaultKeys

    /// Whether JSON5 is accepted: comments, trailing commas, unquoted keys. `false` by default.
    ///
    /// JSON5 is decoded by Foundation's decoder, at its speed and with its errors.
    public var allowsJSON5 = false

    /// Values for `init(from:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// How deeply arrays and objects can be nested. 512 by default, at most 100,000.
    public var maximumDepth = 512

    /// A format of dates that needs no decoder, instead of ``dateDecodingStrategy``.
    package var dateFormat: JSONScalarReading<Date>?

    /// A format of bytes that needs no decoder, instead of ``dataDecodingStrategy``.
    package var dataFormat: JSONScalarReading<Data>?

    /// The most memory that values of the type ``JSONValue`` may take, with the index of their document; `nil` means no limit.
    /// More throws ``JSONValuesTooLarge``.
    package var valueLimit: Int?

    /// Creates a decoder with Foundation's defaults.
    public init() {}

    /// Decodes a value.
    ///
    /// Throws `DecodingError` with the case and path that `JSONDecoder` throws. If the text isn't JSON, the underlying
    /// error of `.dataCorrupted` is a ``JSONSyntaxError``.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The JSON, in UTF-8, UTF-16 or UTF-32.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws -> Value {
        if allowsJSON5 { return try json5.decode(type, from: data) }
        try checkSize(of: type, data)
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: data, maximumDepth: maximumDepth, isKept: false)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The data is not valid JSON: \(error)", underlyingError: error))
        }
        return try decode(type, from: document.root)
    }

    /// Decodes a value from a part of a document that is already parsed.
    ///
    /// Coding paths start at the document's root.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from element: JSONElement) throws -> Value {
        let source = element.document.source
        return try source.withUnsafeBytes { buffer in
            try buffer.withMemoryRebound(to: UInt8.self) { bytes in
                guard let start = bytes.baseAddress else { throw DecodingError.emptyDocument }
                var session = DecodingSession(element.document, start, self)
                // An initializer can keep a container, which needs the bytes after this closure.
                defer { if !isKnownUniquelyReferenced(&session) { session.keepBytes() } }
                return try session.value(type, at: element.index)
            }
        }
    }
}

extension JSONElement {
    /// Decodes this value, without parsing again.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The options.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, with decoder: JSONModelDecoder = JSONModelDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: self)
    }
}

extension DecodingError {
    /// A parsed document has at least one byte.
    fileprivate static let emptyDocument = DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "The document is empty"))
}
