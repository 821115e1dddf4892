/// How keys are spelled in JSON.
///
/// ```swift
/// $0.json = JSONCoding(keys: .snakeCase)          // publishedAt <-> published_at
/// ```
public enum JSONKeys: Sendable, Nonisolated {
    /// As the Swift types spell them.
    case asWritten
    /// `publishedAt` in Swift is `published_at` in JSON.
    case snakeCase
    /// Your own spelling. Keys of dictionaries are not changed.
    ///
    /// - Parameters:
    ///   - write: Makes the key in JSON of the key in Swift: `publishedAt` to `PublishedAt`.
    ///   - read: Makes the key in Swift of the key in JSON.
    case custom(write: @Sendable (String) -> String, read: @Sendable (String) -> String)

    func apply(to decoder: JSONDecoder, _ encoder: JSONEncoder) {
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

    /// The key in JSON of a key in Swift.
    func written(_ key: String) -> String {
        switch self {
        case .asWritten: key
        case .snakeCase: SnakeCase.snake(key)
        case .custom(let write, _): write(key)
        }
    }

    /// The key in Swift of a key in JSON.
    func read(_ key: String) -> String {
        switch self {
        case .asWritten: key
        case .snakeCase: SnakeCase.camel(key)
        case .custom(_, let read): read(key)
        }
    }
}

/// How bytes are written in JSON.
public enum JSONBytes: Sendable, Nonisolated {
    /// As a Base64 string.
    case base64
    /// As an array of numbers.
    case numbers
    /// Your own form, as text.
    ///
    /// - Parameters:
    ///   - name: What is expected, for the error: "bytes in hex".
    ///   - parse: Gives `nil` for text that is no such form.
    ///   - format: Writes bytes.
    case custom(name: String, parse: @Sendable (String) -> Data?, format: @Sendable (Data) -> String)

    func apply(to decoder: JSONDecoder, _ encoder: JSONEncoder) {
        switch self {
        case .base64: break
        case .numbers:
            decoder.dataDecodingStrategy = .deferredToData
            encoder.dataEncodingStrategy = .deferredToData
        case .custom(let name, let parse, let format):
            decoder.dataDecodingStrategy = .custom { decoder in
                guard let text = try? decoder.singleValueContainer().decode(String.self), let data = parse(text) else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: decoder.codingPath, debugDescription: "expected \(name)"))
                }
                return data
            }
            encoder.dataEncodingStrategy = .custom { data, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(format(data))
            }
        }
    }
}

/// How infinity and NaN are written in JSON, which has no numbers for them.
///
/// ```swift
/// $0.json = JSONCoding(nonFiniteNumbers: .texts(infinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN"))
/// ```
public enum JSONNonFiniteNumbers: Sendable, Hashable {
    /// Not at all: writing one throws `.encoding`.
    case refused
    /// As texts.
    case texts(infinity: String, negativeInfinity: String, nan: String)

    func apply(to decoder: JSONDecoder, _ encoder: JSONEncoder) {
        guard case .texts(let infinity, let negativeInfinity, let nan) = self else { return }
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: nan)
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: nan)
    }
}

/// How JSON is laid out.
///
/// ```swift
/// $0.json = JSONCoding(format: [.sortedKeys, .indented])
/// ```
public struct JSONFormat: OptionSet, Sendable, Hashable {
    /// One bit for each option.
    public let rawValue: Int

    /// Makes a set of bits; prefer the names.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Keys in the order of their text, so that a value is always written as the same bytes: what signatures, stored
    /// models and recorded requests compare. Without it their order changes from run to run.
    public static let sortedKeys = JSONFormat(rawValue: 1)
    /// With line breaks and indentation.
    public static let indented = JSONFormat(rawValue: 2)
    /// With `\/` for a slash.
    public static let escapedSlashes = JSONFormat(rawValue: 4)

    var formatting: JSONEncoder.OutputFormatting {
        var formatting: JSONEncoder.OutputFormatting = contains(.escapedSlashes) ? [] : .withoutEscapingSlashes
        if contains(.sortedKeys) { formatting.insert(.sortedKeys) }
        if contains(.indented) { formatting.insert(.prettyPrinted) }
        return formatting
    }
}

/// What a decoder takes as JSON.
public enum JSONSyntax: Sendable, Hashable {
    /// JSON alone (RFC 8259).
    case strict
    /// JSON5 as well: comments, trailing commas, keys without quotes.
    case json5
}
