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
    /// How keys are spelled on the wire.
    public let keys: JSONKeys

    /// How dates are written.
    public let dates: JSONDates

    private let decoder: JSONDecoder
    private let encoder: JSONEncoder

    /// Makes a pair: by default keys as the types spell them, ISO 8601 dates, and bytes in Base64.
    ///
    /// - Parameters:
    ///   - keys: How keys are spelled on the wire.
    ///   - dates: How `Date` is written and read.
    ///   - data: How `Data` is written and read.
    public init(keys: JSONKeys = .asWritten, dates: JSONDates = .iso8601, data: JSONBytes = .base64) {
        self.keys = keys
        self.dates = dates
        decoder = JSONDecoder()
        encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        if case .snakeCase = keys {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            encoder.keyEncodingStrategy = .convertToSnakeCase
        }
        dates.apply(to: decoder, encoder)
        data.apply(to: decoder, encoder)
    }

    /// Reads a value out of JSON.
    ///
    /// Throws `.decoding` with the path, what was expected and what was found.
    ///
    /// ```swift
    /// let article = try JSONCoding(keys: .snakeCase).decode(Article.self, from: data)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The JSON, in UTF-8.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data
    ) throws(NetworkError) -> Value {
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw failure(error, in: data)
        }
    }

    /// Reads a value whose type needs to be told something to read itself.
    func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
    ) throws(NetworkError) -> Value {
        do {
            return try decoder.decode(type, from: data, configuration: configuration)
        } catch {
            throw failure(error, in: data)
        }
    }

    /// Writes a value as JSON; throws `.encoding` for one that has none, such as an infinite number.
    ///
    /// Slashes are not escaped. The order of keys is not fixed.
    ///
    /// - Parameter value: The value.
    /// - Returns: The JSON, in UTF-8.
    public func encode(_ value: some Encodable) throws(NetworkError) -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            throw NetworkError(.encoding(reason: Self.reason(of: error)), phase: .building, underlying: error)
        }
    }

    /// Writes a value with sorted keys, so that equal values have equal bytes.
    package func encodeSorted(_ value: some Encodable) throws(NetworkError) -> Data {
        let sorted = JSONEncoder()
        sorted.outputFormatting = encoder.outputFormatting.union(.sortedKeys)
        sorted.keyEncodingStrategy = encoder.keyEncodingStrategy
        sorted.dateEncodingStrategy = encoder.dateEncodingStrategy
        sorted.dataEncodingStrategy = encoder.dataEncodingStrategy
        sorted.nonConformingFloatEncodingStrategy = encoder.nonConformingFloatEncodingStrategy
        sorted.userInfo = encoder.userInfo
        do {
            return try sorted.encode(value)
        } catch {
            throw NetworkError(.encoding(reason: Self.reason(of: error)), phase: .building, underlying: error)
        }
    }

    private func failure(_ error: any Error, in data: Data) -> NetworkError {
        let failure = DecodingDiagnosis(of: error, in: data, keys: keys).failure
        return NetworkError(.decoding(failure), phase: .decoding, underlying: error)
    }

    private static func reason(of error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
        let path = JSONPath(context.codingPath).description
        return path.isEmpty ? context.debugDescription : "field `\(path)`: \(context.debugDescription)"
    }
}

/// How keys are spelled in JSON.
///
/// ```swift
/// $0.json = JSONCoding(keys: .snakeCase)          // publishedAt <-> published_at
/// ```
public enum JSONKeys: Sendable, Hashable {
    /// As the Swift types spell them.
    case asWritten
    /// `publishedAt` in Swift is `published_at` in JSON.
    case snakeCase
}

/// How bytes are written in JSON.
public enum JSONBytes: Sendable, Hashable {
    /// As a Base64 string.
    case base64
    /// As an array of numbers.
    case numbers

    func apply(to decoder: JSONDecoder, _ encoder: JSONEncoder) {
        decoder.dataDecodingStrategy = self == .base64 ? .base64 : .deferredToData
        encoder.dataEncodingStrategy = self == .base64 ? .base64 : .deferredToData
    }
}
