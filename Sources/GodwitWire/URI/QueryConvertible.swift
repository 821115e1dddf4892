/// A value in ``QueryItems``: a number, text, Boolean, date, raw-valued enum, or a list of these.
///
/// ```swift
/// enum Order: String, QueryConvertible { case newest, oldest }
/// let query: QueryItems = ["order": Order.newest, "page": 2, "tag": ["swift", "linux"]]
/// ```
///
/// A type whose raw value is convertible only declares the conformance. Other types return a ``QueryValue``:
///
/// ```swift
/// struct Coordinate: QueryConvertible {
///     var latitude, longitude: Double
///
///     var queryValue: QueryValue { .text("\(latitude),\(longitude)") }
/// }
/// ```
public protocol QueryConvertible: SendableMetatype {
    /// The value as it appears in a query, not percent-encoded.
    var queryValue: QueryValue { get }
}

extension QueryValue: QueryConvertible {
    /// This value itself.
    public var queryValue: QueryValue { self }
}

extension String: QueryConvertible {
    /// This text, as one value.
    public var queryValue: QueryValue { .text(self) }
}

extension Substring: QueryConvertible {
    /// This text, as one value.
    public var queryValue: QueryValue { .text(String(self)) }
}

extension Bool: QueryConvertible {
    /// `true` or `false`.
    public var queryValue: QueryValue { .text(self ? "true" : "false") }
}

extension QueryConvertible where Self: FixedWidthInteger {
    /// The number in decimal.
    public var queryValue: QueryValue { .text(String(self)) }
}

extension Int: QueryConvertible {}
extension Int8: QueryConvertible {}
extension Int16: QueryConvertible {}
extension Int32: QueryConvertible {}
extension Int64: QueryConvertible {}
extension UInt: QueryConvertible {}
extension UInt8: QueryConvertible {}
extension UInt16: QueryConvertible {}
extension UInt32: QueryConvertible {}
extension UInt64: QueryConvertible {}

extension Double: QueryConvertible {
    /// The shortest decimal that reads back as the same number.
    public var queryValue: QueryValue { .text(description) }
}

extension Float: QueryConvertible {
    /// The shortest decimal that reads back as the same number.
    public var queryValue: QueryValue { .text(description) }
}

extension Decimal: QueryConvertible {
    /// The number with a decimal point, in every locale.
    public var queryValue: QueryValue { .text(description) }
}

extension UUID: QueryConvertible {
    /// Upper-case hexadecimal with hyphens.
    public var queryValue: QueryValue { .text(uuidString) }
}

extension Date: QueryConvertible {
    /// ISO 8601 in UTC without fractional seconds: `2026-01-31T12:00:00Z`. For another form, format it as text.
    public var queryValue: QueryValue { .text(formatted(.iso8601)) }
}

extension Optional: QueryConvertible where Wrapped: QueryConvertible {
    /// The value; `nil` is omitted.
    public var queryValue: QueryValue { self?.queryValue ?? .absent }
}

extension Array: QueryConvertible where Element: QueryConvertible {
    /// The elements as one flat list; `nil` elements are omitted.
    public var queryValue: QueryValue {
        .list(
            flatMap { element -> [String] in
                switch element.queryValue {
                case .absent: []
                case .flag: [""]
                case .text(let text): [text]
                case .list(let texts): texts
                }
            })
    }
}

extension QueryConvertible where Self: RawRepresentable, RawValue: QueryConvertible {
    /// The raw value's own form in a query.
    public var queryValue: QueryValue { rawValue.queryValue }
}

/// The value of one name in a query or form.
///
/// ```swift
/// let query: QueryItems = ["verbose": QueryValue.flag, "author": QueryValue.absent]       // ?verbose
/// ```
public enum QueryValue: Sendable, Hashable, Nonisolated {
    /// No value: the item is omitted.
    case absent

    /// A bare name without `=`.
    case flag

    /// One value; an empty string is written as `name=`.
    case text(String)

    /// Several values, encoded by the ``ArrayStrategy``. An empty list omits the item.
    case list([String])
}
