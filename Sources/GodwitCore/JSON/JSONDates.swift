/// How dates are represented in JSON.
///
/// ```swift
/// $0.json = JSONCoding(dates: .epochMilliseconds)
/// ```
public struct JSONDates: Sendable, Nonisolated {
    enum Form: Sendable {
        case epochSeconds, epochMilliseconds
        case custom(
            name: String, read: @Sendable (JSONDateValue) -> Date?, write: @Sendable (Date) -> JSONDateValue?)
    }

    let form: Form

    /// `2026-03-01T12:30:00Z`. Parsed with or without fractional seconds, with any offset, and also without a time.
    /// Written in UTC, with milliseconds unless they are zero; a date outside the years 0 to 9999 throws `.encoding`.
    public static let iso8601 = JSONDates(
        form: .custom(name: "ISO 8601 date", read: { $0.text.flatMap(ISO8601.date) }) {
            ISO8601.text($0).map(JSONDateValue.text)
        })

    /// Seconds since 1970 as a number, possibly fractional. Text throws `.decoding`.
    public static let epochSeconds = JSONDates(form: .epochSeconds)

    /// Milliseconds since 1970 as a number. Text throws `.decoding`.
    public static let epochMilliseconds = JSONDates(form: .epochMilliseconds)

    /// A custom text format.
    ///
    /// - Parameters:
    ///   - name: The expected format, for errors: "a date like 01.03.2026".
    ///   - parse: Parses a date; `nil` if the text is invalid.
    ///
    /// ```swift
    /// let dates = JSONDates.custom(
    ///     name: "seconds as text", parse: { Double($0).map { Date(timeIntervalSince1970: $0) } },
    ///     format: { String($0.timeIntervalSince1970) })
    /// ```
    public static func custom(
        name: String, parse: @escaping @Sendable (String) -> Date?, format: @escaping @Sendable (Date) -> String
    ) -> JSONDates {
        custom(name: name, read: { $0.text.flatMap(parse) }, write: { .text(format($0)) })
    }

    /// A custom format of numbers, text, or both.
    ///
    /// - Parameters:
    ///   - name: The expected format, for errors: "a date or seconds".
    ///   - read: Parses a date; `nil` if the value is invalid.
    ///   - write: Writes a date; `nil` throws `.encoding`.
    ///
    /// ```swift
    /// let dates = JSONDates.custom(name: "a Unix time, as number or text") { value in
    ///     switch value {
    ///     case .number(let seconds): Date(timeIntervalSince1970: seconds)
    ///     case .text(let text): Double(text).map { Date(timeIntervalSince1970: $0) }
    ///     }
    /// } write: { .number($0.timeIntervalSince1970) }
    /// ```
    public static func custom(
        name: String, read: @escaping @Sendable (JSONDateValue) -> Date?,
        write: @escaping @Sendable (Date) -> JSONDateValue?
    ) -> JSONDates {
        JSONDates(form: .custom(name: name, read: read, write: write))
    }

    func apply(to decoder: JSONDecoder, _ encoder: JSONEncoder) {
        switch form {
        case .epochSeconds:
            decoder.dateDecodingStrategy = .secondsSince1970
            encoder.dateEncodingStrategy = .secondsSince1970
        case .epochMilliseconds:
            decoder.dateDecodingStrategy = .millisecondsSince1970
            encoder.dateEncodingStrategy = .millisecondsSince1970
        case .custom(let name, let read, let write):
            decoder.dateDecodingStrategy = .custom { decoder in
                guard let value = JSONDateValue(decoder), let date = read(value) else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: decoder.codingPath, debugDescription: "expected \(name)"))
                }
                return date
            }
            encoder.dateEncodingStrategy = .custom { date, encoder in
                guard let value = write(date) else {
                    throw EncodingError.invalidValue(
                        date,
                        .init(codingPath: encoder.codingPath, debugDescription: "the date can't be written as \(name)"))
                }
                try value.encode(to: encoder)
            }
        }
    }
}

/// A date in JSON, for ``JSONDates/custom(name:read:write:)``.
public enum JSONDateValue: Sendable, Hashable {
    /// A JSON number.
    case number(Double)
    /// A JSON string.
    case text(String)

    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    fileprivate init?(_ decoder: any Decoder) {
        guard let container = try? decoder.singleValueContainer() else { return nil }
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            return nil
        }
    }

    fileprivate func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}
