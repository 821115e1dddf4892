/// A path below a base URL, written as a template. Interpolated values can't add segments.
///
/// Literal parts are used as written; a value is percent-encoded as one path segment:
///
/// ```swift
/// let path: EndpointPath = "articles/\(slug)/comments"        // slug "a/b" -> articles/a%2Fb/comments
/// ```
///
/// These are faults: an empty value, `.` or `..`; a literal with a space, control character, backslash, `?`, `#`, stray
/// `%`, `//` or dot segment. Creating the path doesn't fail; using it throws ``InvalidURL``.
public struct EndpointPath: Sendable, Hashable, Nonisolated {
    /// The percent-encoded path.
    private var encoded = ""

    /// The first fault found.
    private var fault: String?

    /// Where the values are.
    private var values = ValueRanges()

    /// Creates a path from a literal template. For text with values in it, use interpolation or ``init(encoding:)``.
    ///
    /// Doesn't fail; the call that uses a faulty path throws `.invalidURL`. Existing percent-encoding such as `%2F` is
    /// kept. Characters outside ASCII are percent-encoded as UTF-8.
    ///
    /// Traces and metrics of such a path have no template, because a text made at runtime may contain values. That of a
    /// string literal or an interpolation is known.
    ///
    /// - Parameter template: The path. A leading slash makes no difference.
    public init(template: String) {
        values = .unknown
        appendTemplate(template)
    }

    private init() {}

    /// Creates a path from segments, percent-encoding each: `["a/b", "c"]` is `a%2Fb/c`.
    ///
    /// An empty segment, `.` and `..` are faults, as in an interpolation.
    ///
    /// ```swift
    /// EndpointPath(encoding: ["files", name])         // name "a/b" -> files/a%2Fb
    /// ```
    ///
    /// - Parameter segments: The segments in order, not encoded.
    public init(encoding segments: some Sequence<String>) {
        for (index, segment) in segments.enumerated() {
            if index > 0 { encoded += "/" }
            appendValue(segment)
        }
    }

    /// Creates a path from plain text: `/` separates segments; every other reserved character is percent-encoded.
    ///
    /// Follows the rule of `URL.appending(path:)`. `%`, `?` and `#` are encoded too, so the text can't change the query
    /// or the host. A `.` or `..` segment, `//` and an absolute URL are faults: using the path throws `.invalidURL`.
    ///
    /// ```swift
    /// EndpointPath("files/" + name)                   // name "a b?.txt" -> files/a%20b%3F.txt
    /// ```
    ///
    /// A `/` inside a value starts another segment here. If a value may contain one, interpolate it: `"files/\(name)"`.
    /// For a path that is already percent-encoded, use ``init(template:)``.
    ///
    /// - Parameter text: The path, not encoded. A leading slash makes no difference.
    public init(_ text: some StringProtocol) {
        values = .unknown
        for (index, segment) in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { encoded += "/" }
            encoded += PercentEncoding.encode(String(decoding: segment, as: UTF8.self), allowing: .segmentValue)
        }
    }

    private mutating func appendTemplate(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case 0x20: refuse("it contains a space; write it as %20")
            case ..<0x20, 0x7F: refuse("it contains a control character")
            case UInt8(ascii: "\\"): refuse("it contains a backslash")
            case UInt8(ascii: "?"): refuse("it contains a ?; pass the query as query items, or write %3F")
            case UInt8(ascii: "#"): refuse("it contains a #; write it as %23")
            default: continue
            }
        }
        if !PercentEncoding.isWellFormed(text) {
            refuse("it contains a % that is not followed by two hexadecimal digits")
        }
        encoded += PercentEncoding.encode(text, allowing: .path)
    }

    private mutating func appendValue(_ value: String) {
        if value.isEmpty { refuse("a value in it is empty") }
        if value == "." || value == ".." { refuse("a value in it is \"\(value)\"") }
        let start = encoded.utf8.count
        encoded += PercentEncoding.encode(value, allowing: .segmentValue)
        values.append(start..<encoded.utf8.count)
    }

    private mutating func refuse(_ reason: String) {
        fault = fault ?? reason
    }

    /// The URL of this path below a base URL. The base's path and query come first.
    ///
    /// An empty path is the base itself. A trailing slash is kept; a leading one makes no difference.
    package func appended(to base: HTTPURL, query: QueryItems) throws(InvalidURL) -> HTTPURL {
        if let reason = fault ?? structuralFault {
            throw InvalidURL("the path \"\(withoutQuery)\" cannot be used: \(reason)")
        }
        return base.appending(path: encoded, query: base.query(with: query))
    }

    /// The path as errors and descriptions show it: a query that was written into it by mistake can have secrets.
    package var withoutQuery: String {
        let ends = ["?", "#", "%3F", "%23"].compactMap { encoded.firstRange(of: $0)?.lowerBound }
        let shown = RedactedText.references(String(encoded[..<(ends.min() ?? encoded.endIndex)]))
        return ends.isEmpty ? shown : shown + "…"
    }

    /// A fault of the path as a whole.
    private var structuralFault: String? {
        guard mayBeFaulty else { return nil }
        if encoded.contains("://") { return "it is an absolute URL; send it as HTTPRequest(url:)" }
        let segments = URLParts.segments(of: encoded)
        if segments.contains(where: { URLParts.dots(in: $0) > 0 }) { return "it contains a . or .. segment" }
        if segments.dropFirst().dropLast().contains("") { return "it contains //" }
        return nil
    }

    /// A cheap check over the bytes; false for nearly every path.
    private var mayBeFaulty: Bool {
        encoded.withBytes { bytes in
            var previous = UInt8(ascii: "/")
            for index in bytes.indices {
                let byte = bytes[index]
                if previous == UInt8(ascii: "/") {
                    if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
                    if byte == UInt8(ascii: "/") && index > 0 { return true }
                }
                previous = byte
            }
            return false
        }
    }
}

extension EndpointPath {
    // Where the values are makes no difference to the URL.
    public static func == (left: EndpointPath, right: EndpointPath) -> Bool {
        left.encoded == right.encoded && left.fault == right.fault
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(encoded)
        hasher.combine(fault)
    }

    /// The path with `{}` in place of each value, such as `articles/{}/comments`.
    ///
    /// `nil` if it is unknown which parts are values: for text made at runtime, and for more than four values.
    package var template: String? {
        guard let ranges = values.all else { return nil }
        guard !ranges.isEmpty else { return encoded }
        var template: [UInt8] = []
        var end = 0
        let bytes = Array(encoded.utf8)
        for range in ranges where range.upperBound <= bytes.count {
            template += bytes[end..<range.lowerBound]
            template += "{}".utf8
            end = range.upperBound
        }
        return String(decoding: template + bytes[end...], as: UTF8.self)
    }
}

/// Up to four ranges of bytes, without an allocation.
private struct ValueRanges: Sendable {
    private static let limit = 4
    static let unknown = ValueRanges(count: limit + 1)

    /// The start and end of each range.
    private var bounds = SIMD8<UInt16>()
    private var count: UInt8

    init(count: Int = 0) {
        self.count = UInt8(clamping: count)
    }

    mutating func append(_ range: Range<Int>) {
        guard count < Self.limit, let start = UInt16(exactly: range.lowerBound),
            let end = UInt16(exactly: range.upperBound)
        else { return self = .unknown }
        bounds[Int(count) * 2] = start
        bounds[Int(count) * 2 + 1] = end
        count += 1
    }

    /// `nil` if there are too many.
    var all: [Range<Int>]? {
        guard count <= Self.limit else { return nil }
        return (0..<Int(count)).map { Int(bounds[$0 * 2])..<Int(bounds[$0 * 2 + 1]) }
    }
}

extension EndpointPath: ExpressibleByStringLiteral {
    /// Creates a path from a template without values, as ``init(template:)`` does.
    public init(stringLiteral value: String) {
        appendTemplate(value)
    }
}

extension EndpointPath: ExpressibleByStringInterpolation {
    /// Collects the literal parts and the values of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path = EndpointPath()

        /// Reserves storage for a path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            let values = min(max(0, interpolationCount), 1000) * 8
            path.encoded.reserveCapacity(min(max(0, literalCapacity), 1 << 16) + values)
        }

        /// Appends a literal part as written, slashes included.
        ///
        /// - Parameter literal: A template, as in ``EndpointPath/init(template:)``.
        public mutating func appendLiteral(_ literal: String) {
            path.appendTemplate(literal)
        }

        /// Appends a value, percent-encoded as one segment.
        ///
        /// - Parameter value: A value whose `description` is its text: numbers, strings, `UUID`.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            path.appendValue(value.description)
        }

        /// Appends a raw value, percent-encoded as one segment.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            path.appendValue(value.rawValue.description)
        }

        /// Appends a raw value, percent-encoded as one segment. The description isn't used.
        public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            path.appendValue(value.rawValue.description)
        }
    }

    /// Creates a path from a literal with values in it.
    ///
    /// - Parameter stringInterpolation: The parts. A fault in one of them is thrown when the path is used.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.path
    }
}

extension EndpointPath: CustomStringConvertible {
    /// The percent-encoded path, including the part after a fault.
    public var description: String { encoded }
}
