/// How dates are represented in JSON.
///
/// ```swift
/// $0.json = JSONCoding(dates: .epochMilliseconds)
/// ```
public struct JSONDates: Sendable, Nonisolated {
    enum Form: Sendable {
        case iso8601(digits: Int?), epochSeconds, epochMilliseconds
        case custom(
            name: String, read: @Sendable (JSONDateValue) -> Date?, write: @Sendable (Date) -> JSONDateValue?)
    }

    let form: Form

    /// `2026-03-01T12:30:00Z`. Parsed with or without fractional seconds, with any offset, and also without a time.
    /// Written in UTC, with milliseconds unless they are zero; a date outside the years 0 to 9999 throws `.encoding`.
    public static let iso8601 = JSONDates(form: .iso8601(digits: nil))

    /// As ``iso8601``, written with so many digits of the second's fraction.
    ///
    /// For servers that compare what you send back with what they sent, such as `updated_at`.
    ///
    /// - Parameter digits: 0 to 6; others are the nearest of these. A `Date` of this century keeps microseconds, not more.
    ///
    /// ```swift
    /// let coding = JSONCoding(dates: .iso8601(fractionDigits: 6))        // 2026-03-01T12:30:28.123286Z
    /// ```
    public static func iso8601(fractionDigits digits: Int) -> JSONDates {
        JSONDates(form: .iso8601(digits: min(max(0, digits), 6)))
    }

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

    func apply(to decoder: inout JSONModelDecoder, _ encoder: inout JSONModelEncoder) {
        switch form {
        case .iso8601(let digits):
            decoder.dateFormat = JSONScalarReading(name: "ISO 8601 date", bytes: InternetDate.date) {
                if case .text(let text) = $0 { ISO8601.date(text) } else { nil }
            }
            encoder.dateFormat = JSONScalarFormat(name: "ISO 8601 date") {
                ISO8601.text($0, digits: digits).map(JSONScalar.text)
            }
        case .epochSeconds:
            decoder.dateDecodingStrategy = .secondsSince1970
            encoder.dateEncodingStrategy = .secondsSince1970
        case .epochMilliseconds:
            decoder.dateDecodingStrategy = .millisecondsSince1970
            encoder.dateEncodingStrategy = .millisecondsSince1970
        case .custom(let name, let read, let write):
            decoder.dateFormat = JSONScalarReading(name: name) { read(JSONDateValue($0)) }
            encoder.dateFormat = JSONScalarFormat(name: name) { write($0)?.scalar }
        }
    }
}

/// A date in JSON, for ``JSONDates/custom(name:read:write:)``.
public enum JSONDateValue: Sendable, Hashable {
    /// A date that is a number in JSON.
    case number(Double)
    /// A date that is a string in JSON.
    case text(String)

    fileprivate init(_ scalar: JSONScalar) {
        switch scalar {
        case .number(let number): self = .number(number)
        case .text(let text): self = .text(text)
        }
    }

    fileprivate var scalar: JSONScalar {
        switch self {
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        }
    }

    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
