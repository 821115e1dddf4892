/// What can stand as a value in ``QueryItems``: numbers, text, booleans, dates, raw-valued enums, and lists of these.
///
/// ```swift
/// enum Order: String, QueryConvertible { case newest, oldest }
/// let query: QueryItems = ["order": Order.newest, "page": 2, "tag": ["swift", "linux"]]
/// ```
///
/// A type whose raw value can stand in a query only declares the conformance. Others return a ``QueryValue``:
///
/// ```swift
/// struct Coordinate: QueryConvertible {
///     var latitude, longitude: Double
///
///     var queryValue: QueryValue { .text("\(latitude),\(longitude)") }
/// }
/// ```
public protocol QueryConvertible: SendableMetatype {
    /// The value as it stands in a query, not yet percent-encoded.
    var queryValue: QueryValue { get }
}

extension QueryValue: QueryConvertible {
    public var queryValue: QueryValue { self }
}

extension String: QueryConvertible {
    public var queryValue: QueryValue { .text(self) }
}

extension Substring: QueryConvertible {
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
    /// The number with a point, in every locale.
    public var queryValue: QueryValue { .text(description) }
}

extension UUID: QueryConvertible {
    /// Upper-case hexadecimal with hyphens.
    public var queryValue: QueryValue { .text(uuidString) }
}

extension Date: QueryConvertible {
    /// ISO 8601 in UTC without fractions of a second: `2026-01-31T12:00:00Z`. Format another form as text.
    public var queryValue: QueryValue { .text(formatted(.iso8601)) }
}

extension Optional: QueryConvertible where Wrapped: QueryConvertible {
    /// The value; nil is left out.
    public var queryValue: QueryValue { self?.queryValue ?? .absent }
}

extension Array: QueryConvertible where Element: QueryConvertible {
    /// The elements as one flat list; nil is left out.
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
    /// The raw value.
    public var queryValue: QueryValue { rawValue.queryValue }
}
