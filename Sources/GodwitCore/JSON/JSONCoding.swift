/// One configured pair of JSON encoder and decoder: how a whole API spells its keys, dates and bytes.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com") {
///     $0.json = JSONCoding(keys: .snakeCase, dates: .epochSeconds)
/// }
/// ```
///
/// The pair is made once and shared by all calls. A body that does not fit its type throws `.decoding`, which names the
/// place as it stands in the JSON: field `results[3].published_at`: expected ISO 8601 date, found "yesterday".
public struct JSONCoding: Sendable, Nonisolated {
    /// How keys are spelled on the wire; `.asWritten` for a pair that was made by ``init(decoder:encoder:)``.
    public let keys: JSONKeys

    let decoder: any JSONDecoding
    let encoder: any JSONEncoding

    /// Makes a pair: by default keys as the types spell them, ISO 8601 dates, and bytes in Base64.
    ///
    /// - Parameters:
    ///   - keys: How keys are spelled on the wire.
    ///   - dates: How `Date` is written and read.
    ///   - data: How `Data` is written and read.
    ///   - nonFiniteNumbers: How infinity and NaN are written and read. By default they are errors.
    ///   - format: How the JSON is laid out. By default keys are sorted.
    ///   - syntax: What is read besides JSON. Nothing by default.
    ///   - userInfo: What `init(from:)` and `encode(to:)` of the types find in `userInfo`.
    public init(
        keys: JSONKeys = .asWritten, dates: JSONDates = .iso8601, data: JSONBytes = .base64,
        nonFiniteNumbers: JSONNonFiniteNumbers = .refused, format: JSONFormat = .sortedKeys,
        syntax: JSONSyntax = .strict, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keys = keys
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        encoder.outputFormatting = format.formatting
        decoder.allowsJSON5 = syntax == .json5
        decoder.userInfo = userInfo
        encoder.userInfo = userInfo
        keys.apply(to: decoder, encoder)
        dates.apply(to: decoder, encoder)
        data.apply(to: decoder, encoder)
        nonFiniteNumbers.apply(to: decoder, encoder)
        self.decoder = decoder
        self.encoder = encoder
    }

    /// Makes a pair of your own decoder and encoder, such as a `JSONDecoder` that is set up already.
    ///
    /// ```swift
    /// let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
    /// decoder.dateDecodingStrategy = .secondsSince1970
    /// encoder.dateEncodingStrategy = .secondsSince1970
    /// let coding = JSONCoding(decoder: decoder, encoder: encoder)
    /// ```
    ///
    /// Errors name keys as the Swift types spell them, where a `DecodingError` says which.
    ///
    /// - Parameters:
    ///   - decoder: Reads values. It must not change any more.
    ///   - encoder: Writes values. It must not change any more.
    public init(decoder: some JSONDecoding, encoder: some JSONEncoding) {
        keys = .asWritten
        self.decoder = decoder
        self.encoder = encoder
    }
}

/// Reads values out of JSON, for ``JSONCoding/init(decoder:encoder:)``. `JSONDecoder` does.
public protocol JSONDecoding: Sendable {
    /// Reads a value; what it throws becomes `.decoding`.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

/// Writes values as JSON, for ``JSONCoding/init(decoder:encoder:)``. `JSONEncoder` does.
public protocol JSONEncoding: Sendable {
    /// Writes a value; what it throws becomes `.encoding`.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONDecoder: JSONDecoding {}
extension JSONEncoder: JSONEncoding {}
