/// The options of a ``JSONModelEncoder``, resolved once for all that is encoded.
struct EncodingOptions {
    enum Keys {
        case asWritten
        case snakeCase
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    enum Dates {
        case deferred, iso8601, seconds, milliseconds
        case custom(@Sendable (Date, any Encoder) throws -> Void)
        case scalar(JSONScalarFormat<Date>)
    }

    enum Bytes {
        case deferred, base64
        case custom(@Sendable (Data, any Encoder) throws -> Void)
        case scalar(JSONScalarFormat<Data>)
    }

    struct NonFinite {
        let infinity: String
        let negativeInfinity: String
        let nan: String
    }

    let isPretty: Bool
    let sortsKeys: Bool
    let escapesSlashes: Bool
    let keys: Keys
    let convertsKeys: Bool
    let dates: Dates
    let bytes: Bytes
    /// `nil` to throw.
    let nonFinite: NonFinite?
    let userInfo: [CodingUserInfoKey: any Sendable]

    init(_ encoder: JSONModelEncoder) {
        isPretty = encoder.outputFormatting.contains(.prettyPrinted)
        sortsKeys = encoder.outputFormatting.contains(.sortedKeys)
        escapesSlashes = !encoder.outputFormatting.contains(.withoutEscapingSlashes)
        keys = Keys(encoder.keyEncodingStrategy)
        convertsKeys = if case .asWritten = keys { false } else { true }
        dates = encoder.dateFormat.map(Dates.scalar) ?? Dates(encoder.dateEncodingStrategy)
        bytes = encoder.dataFormat.map(Bytes.scalar) ?? Bytes(encoder.dataEncodingStrategy)
        nonFinite = NonFinite(encoder.nonConformingFloatEncodingStrategy)
        userInfo = encoder.userInfo
    }
}

// Comparisons of single cases: a switch over enums of the system needs `@unknown default` on Apple platforms, and warns
// about it on Linux.
extension EncodingOptions.Keys {
    fileprivate init(_ strategy: JSONEncoder.KeyEncodingStrategy) {
        if case .custom(let convert) = strategy {
            self = .custom(convert)
        } else if case .convertToSnakeCase = strategy {
            self = .snakeCase
        } else {
            self = .asWritten
        }
    }
}

extension EncodingOptions.Dates {
    fileprivate init(_ strategy: JSONEncoder.DateEncodingStrategy) {
        if case .custom(let encode) = strategy {
            self = .custom(encode)
        } else if case .iso8601 = strategy {
            self = .iso8601
        } else if case .secondsSince1970 = strategy {
            self = .seconds
        } else if case .millisecondsSince1970 = strategy {
            self = .milliseconds
        } else {
            self = .platform(strategy)
        }
    }
}

extension EncodingOptions.Bytes {
    fileprivate init(_ strategy: JSONEncoder.DataEncodingStrategy) {
        if case .custom(let encode) = strategy {
            self = .custom(encode)
        } else if case .deferredToData = strategy {
            self = .deferred
        } else {
            self = .base64
        }
    }
}

extension EncodingOptions.NonFinite {
    fileprivate init?(_ strategy: JSONEncoder.NonConformingFloatEncodingStrategy) {
        guard case .convertToString(let infinity, let negativeInfinity, let nan) = strategy else { return nil }
        self.init(infinity: infinity, negativeInfinity: negativeInfinity, nan: nan)
    }
}
