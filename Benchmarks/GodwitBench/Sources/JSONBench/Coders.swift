import FoundationEssentials
import GodwitJSON

/// The coders that are compared, configured alike: ISO 8601 dates, slashes unescaped.
protocol BenchCoder {
    init(sortsKeys: Bool, convertsSnakeCase: Bool)

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// FoundationEssentials' `JSONDecoder` and `JSONEncoder`.
struct FoundationCoder: BenchCoder {
    private let decoder = JSONDecoder()
    private let encoder = JSONEncoder()

    init(sortsKeys: Bool, convertsSnakeCase: Bool) {
        decoder.dateDecodingStrategy = .iso8601
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = sortsKeys ? [.sortedKeys, .withoutEscapingSlashes] : .withoutEscapingSlashes
        if convertsSnakeCase {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            encoder.keyEncodingStrategy = .convertToSnakeCase
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decoder.decode(type, from: data)
    }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try encoder.encode(value)
    }
}

/// GodwitJSON's `JSONModelDecoder` and `JSONModelEncoder`.
struct GodwitCoder: BenchCoder {
    private var decoder = JSONModelDecoder()
    private var encoder = JSONModelEncoder()

    init(sortsKeys: Bool, convertsSnakeCase: Bool) {
        decoder.dateDecodingStrategy = .iso8601
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = sortsKeys ? [.sortedKeys, .withoutEscapingSlashes] : .withoutEscapingSlashes
        if convertsSnakeCase {
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            encoder.keyEncodingStrategy = .convertToSnakeCase
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decoder.decode(type, from: data)
    }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try encoder.encode(value)
    }
}
