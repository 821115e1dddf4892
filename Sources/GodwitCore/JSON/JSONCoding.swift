/// A configured JSON encoder and decoder: how an API represents keys, dates and bytes.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com") {
///     $0.json = JSONCoding(keys: .snakeCase, dates: .epochSeconds)
/// }
/// ```
///
/// The coders are created once and shared by all calls. A body that doesn't match its type throws `.decoding` with the
/// path in the JSON: field `results[3].published_at`: expected ISO 8601 date, found "yesterday".
public struct JSONCoding: Sendable, Nonisolated {
    /// The spelling of keys in JSON; `.asWritten` for coders passed to ``init(decoder:encoder:)``.
    public let keys: JSONKeys

    let decoder: any JSONDecoding
    let encoder: any JSONEncoding

    /// Creates a coding. Defaults: keys as in the Swift types, ISO 8601 dates, bytes in Base64.
    ///
    /// - Parameters:
    ///   - keys: The spelling of keys in JSON.
    ///   - dates: The format of `Date`.
    ///   - data: The format of `Data`.
    ///   - nonFiniteNumbers: The format of infinity and NaN. Errors by default.
    ///   - format: The output format. Sorted keys by default.
    ///   - syntax: The accepted syntax. Strict JSON by default.
    ///   - userInfo: The `userInfo` for `init(from:)` and `encode(to:)`.
    public init(
        keys: JSONKeys = .asWritten, dates: JSONDates = .iso8601, data: JSONBytes = .base64,
        nonFiniteNumbers: JSONNonFiniteNumbers = .refused, format: JSONFormat = .sortedKeys,
        syntax: JSONSyntax = .strict, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keys = keys
        var (decoder, encoder) = (JSONModelDecoder(), JSONModelEncoder())
        encoder.outputFormatting = format.formatting
        decoder.allowsJSON5 = syntax == .json5
        decoder.userInfo = userInfo
        decoder.valueLimit = JSONValue.memoryLimit
        encoder.userInfo = userInfo
        keys.apply(to: &decoder, &encoder)
        dates.apply(to: &decoder, &encoder)
        data.apply(to: &decoder, &encoder)
        nonFiniteNumbers.apply(to: &decoder, &encoder)
        self.decoder = decoder
        self.encoder = encoder
    }

    /// Creates a coding from a custom decoder and encoder, such as a configured `JSONDecoder`.
    ///
    /// ```swift
    /// let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
    /// decoder.dateDecodingStrategy = .secondsSince1970
    /// encoder.dateEncodingStrategy = .secondsSince1970
    /// let coding = JSONCoding(decoder: decoder, encoder: encoder)
    /// ```
    ///
    /// Errors contain the keys of the Swift types, as in the `DecodingError`.
    ///
    /// - Parameters:
    ///   - decoder: The decoder. It must not change afterwards.
    ///   - encoder: The encoder. It must not change afterwards.
    public init(decoder: some JSONDecoding, encoder: some JSONEncoding) {
        keys = .asWritten
        self.decoder = decoder
        self.encoder = encoder
    }

    /// The same coding with keys as in the Swift types, for formats whose names are fixed. Custom coders don't change.
    package var keysAsWritten: JSONCoding {
        guard var decoder = decoder as? JSONModelDecoder, var encoder = encoder as? JSONModelEncoder else {
            return self
        }
        decoder.keyDecodingStrategy = .useDefaultKeys
        encoder.keyEncodingStrategy = .useDefaultKeys
        return JSONCoding(decoder: decoder, encoder: encoder)
    }
}

/// Decodes values from JSON, for ``JSONCoding/init(decoder:encoder:)``. `JSONModelDecoder` and `JSONDecoder` conform.
public protocol JSONDecoding: Sendable {
    /// Decodes a value. Errors become `.decoding`.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

/// Encodes values as JSON, for ``JSONCoding/init(decoder:encoder:)``. `JSONModelEncoder` and `JSONEncoder` conform.
public protocol JSONEncoding: Sendable {
    /// Encodes a value. Errors become `.encoding`.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONDecoder: JSONDecoding {}
extension JSONEncoder: JSONEncoding {}
extension JSONModelDecoder: JSONDecoding {}
extension JSONModelEncoder: JSONEncoding {}
