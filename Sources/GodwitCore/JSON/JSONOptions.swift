/// The spelling of keys in JSON.
///
/// ```swift
/// $0.json = JSONCoding(keys: .snakeCase)          // publishedAt <-> published_at
/// ```
public enum JSONKeys: Sendable, Nonisolated {
    /// Keys in JSON are spelled as in the Swift types.
    case asWritten
    /// `publishedAt` in Swift is `published_at` in JSON.
    case snakeCase
    /// A custom spelling. Dictionary keys don't change.
    ///
    /// - Parameters:
    ///   - write: Converts a Swift key to a JSON key: `publishedAt` to `PublishedAt`.
    ///   - read: Converts a JSON key to a Swift key.
    case custom(write: @Sendable (String) -> String, read: @Sendable (String) -> String)

    func apply(to decoder: inout JSONModelDecoder, _ encoder: inout JSONModelEncoder) {
        switch self {
        case .asWritten: break
        case .snakeCase:
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            encoder.keyEncodingStrategy = .convertToSnakeCase
        case .custom(let write, let read):
            decoder.keyDecodingStrategy = .custom { AnyKey(read($0.last?.stringValue ?? "")) }
            encoder.keyEncodingStrategy = .custom { AnyKey(write($0.last?.stringValue ?? "")) }
        }
    }

    /// The JSON key of a Swift key.
    func written(_ key: String) -> String {
        switch self {
        case .asWritten: key
        case .snakeCase: SnakeCase.snake(key)
        case .custom(let write, _): write(key)
        }
    }

    /// The Swift key of a JSON key.
    func read(_ key: String) -> String {
        switch self {
        case .asWritten: key
        case .snakeCase: SnakeCase.camel(key)
        case .custom(_, let read): read(key)
        }
    }
}

/// How bytes are represented in JSON.
public enum JSONBytes: Sendable, Nonisolated {
    /// As a Base64 string.
    case base64
    /// As an array of numbers from 0 to 255.
    case numbers
    /// A custom text format.
    ///
    /// - Parameters:
    ///   - name: The expected format, for errors: "bytes in hex".
    ///   - parse: Parses bytes; `nil` if the text is invalid.
    case custom(name: String, parse: @Sendable (String) -> Data?, format: @Sendable (Data) -> String)

    func apply(to decoder: inout JSONModelDecoder, _ encoder: inout JSONModelEncoder) {
        switch self {
        case .base64: break
        case .numbers:
            decoder.dataDecodingStrategy = .deferredToData
            encoder.dataEncodingStrategy = .deferredToData
        case .custom(let name, let parse, let format):
            decoder.dataFormat = JSONScalarReading(name: name) {
                if case .text(let text) = $0 { parse(text) } else { nil }
            }
            encoder.dataFormat = JSONScalarFormat(name: name) { .text(format($0)) }
        }
    }
}

/// How infinity and NaN are represented in JSON, which has no numbers for them.
///
/// ```swift
/// $0.json = JSONCoding(nonFiniteNumbers: .texts(infinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN"))
/// ```
public enum JSONNonFiniteNumbers: Sendable, Hashable {
    /// Not represented: encoding one throws `.encoding`.
    case refused
    /// As strings: the three texts given.
    case texts(infinity: String, negativeInfinity: String, nan: String)

    func apply(to decoder: inout JSONModelDecoder, _ encoder: inout JSONModelEncoder) {
        guard case .texts(let infinity, let negativeInfinity, let nan) = self else { return }
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: nan)
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: nan)
    }
}

/// The format of encoded JSON.
///
/// ```swift
/// $0.json = JSONCoding(format: [.sortedKeys, .indented])
/// ```
public struct JSONFormat: OptionSet, Sendable, Hashable {
    /// A bit for each option.
    public let rawValue: Int

    /// Creates options from bits; prefer the names.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Sorts keys, so that a value is always encoded as the same bytes, as signatures, stored models and recorded
    /// requests require. Otherwise the order changes from run to run.
    public static let sortedKeys = JSONFormat(rawValue: 1)
    /// Adds line breaks and indentation.
    public static let indented = JSONFormat(rawValue: 2)
    /// Escapes slashes as `\/`.
    public static let escapedSlashes = JSONFormat(rawValue: 4)

    var formatting: JSONEncoder.OutputFormatting {
        var formatting: JSONEncoder.OutputFormatting = contains(.escapedSlashes) ? [] : .withoutEscapingSlashes
        if contains(.sortedKeys) { formatting.insert(.sortedKeys) }
        if contains(.indented) { formatting.insert(.prettyPrinted) }
        return formatting
    }
}

/// The syntax that a decoder accepts.
public enum JSONSyntax: Sendable, Hashable {
    /// Strict JSON (RFC 8259).
    case strict
    /// JSON5 too: comments, trailing commas, unquoted keys.
    case json5
}
