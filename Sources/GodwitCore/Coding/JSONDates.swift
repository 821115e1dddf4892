/// How dates are written in JSON.
///
/// ```swift
/// $0.json = JSONCoding(dates: .epochMilliseconds)
/// ```
public enum JSONDates: Sendable, Nonisolated {
    /// `2026-03-01T12:30:00Z`; read with and without fractional seconds and with any offset, and also as a day alone.
    /// Written in UTC, with milliseconds if there are any; a date outside of the years 0 to 9999 throws `.encoding`.
    case iso8601

    /// Seconds since 1970, whole or not.
    /// As a JSON number; a text throws `.decoding`.
    case epochSeconds

    /// Milliseconds since 1970.
    /// As a JSON number; a text throws `.decoding`.
    case epochMilliseconds

    /// The caller's own form, as text.
    ///
    /// - Parameters:
    ///   - name: What is expected, for the error: "a date like 01.03.2026".
    ///   - parse: Gives nil for text that is no such date.
    ///   - format: Writes a date.
    ///
    /// ```swift
    /// let dates = JSONDates.custom(
    ///     name: "seconds as text", parse: { Double($0).map { Date(timeIntervalSince1970: $0) } },
    ///     format: { String($0.timeIntervalSince1970) })
    /// ```
    case custom(name: String, parse: @Sendable (String) -> Date?, format: @Sendable (Date) -> String)

    func apply(to decoder: JSONDecoder, _ encoder: JSONEncoder) {
        switch self {
        case .iso8601:
            Self.apply(name: "ISO 8601 date", ISO8601.date, ISO8601.text, to: decoder, encoder)
        case .epochSeconds:
            decoder.dateDecodingStrategy = .secondsSince1970
            encoder.dateEncodingStrategy = .secondsSince1970
        case .epochMilliseconds:
            decoder.dateDecodingStrategy = .millisecondsSince1970
            encoder.dateEncodingStrategy = .millisecondsSince1970
        case .custom(let name, let parse, let format):
            Self.apply(name: name, parse, format, to: decoder, encoder)
        }
    }

    private static func apply(
        name: String, _ parse: @escaping @Sendable (String) -> Date?, _ format: @escaping @Sendable (Date) -> String?,
        to decoder: JSONDecoder, _ encoder: JSONEncoder
    ) {
        decoder.dateDecodingStrategy = .custom { decoder in
            guard let text = try? decoder.singleValueContainer().decode(String.self), let date = parse(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "expected \(name)"))
            }
            return date
        }
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let text = format(date) else {
                throw EncodingError.invalidValue(
                    date,
                    .init(codingPath: encoder.codingPath, debugDescription: "the date has no form as \(name)"))
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
}
