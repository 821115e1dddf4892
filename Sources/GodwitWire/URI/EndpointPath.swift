/// A path below a base URL, written as a template whose interpolated values cannot leave their place.
///
/// The literal parts are taken as they are; a value is percent-encoded as one path segment:
///
/// ```swift
/// let path: EndpointPath = "articles/\(slug)/comments"        // slug "a/b" -> articles/a%2Fb/comments
/// ```
///
/// A value that is empty, `.` or `..`, and a literal with a space, control character, backslash, `?`, `#`, stray `%`,
/// `//` or dot segment, is a fault: making the path does not fail, using it throws ``InvalidURL``.
public struct EndpointPath: Sendable, Hashable, Nonisolated {
    /// The percent-encoded path.
    private var encoded = ""

    /// The first thing that is wrong.
    private var fault: String?

    /// Makes a path of a template as it stands; for text with values in it, use interpolation or ``init(encoding:)``.
    ///
    /// Does not fail; a fault is thrown as `.invalidURL` by the call that uses the path.
    ///
    /// What is encoded already stays, such as `%2F`. Characters outside ASCII are percent-encoded as UTF-8.
    ///
    /// - Parameter template: The path, with or without a slash at its beginning, which changes nothing.
    public init(template: String) {
        appendTemplate(template)
    }

    /// Makes a path of segments, each percent-encoded: `["a/b", "c"]` is `a%2Fb/c`.
    ///
    /// An empty segment, `.` and `..` are faults, as values in an interpolation are.
    ///
    /// ```swift
    /// EndpointPath(encoding: ["files", name])         // name "a/b" -> files/a%2Fb
    /// ```
    ///
    /// - Parameter segments: The segments in their order, not encoded.
    public init(encoding segments: some Sequence<String>) {
        for (index, segment) in segments.enumerated() {
            if index > 0 { encoded += "/" }
            appendValue(segment)
        }
    }

    /// Makes a path from plain text: `/` separates segments, and every other reserved character is percent-encoded.
    ///
    /// The rule is that of `URL.appending(path:)`. `%`, `?` and `#` are encoded too, so text can change neither the query nor
    /// the host. A `.` or `..` segment, `//` and a whole URL are faults: the call that uses the path throws `.invalidURL`.
    ///
    /// ```swift
    /// EndpointPath("files/" + name)                   // name "a b?.txt" -> files/a%20b%3F.txt
    /// ```
    ///
    /// A `/` in a value starts another segment here. If a value may hold one, interpolate it: `"files/\(name)"`. For a path
    /// that is percent-encoded already, use ``init(template:)``.
    ///
    /// - Parameter text: The path, not encoded, with or without a slash at its beginning, which changes nothing.
    public init(_ text: some StringProtocol) {
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
            case 0x20: refuse("it holds a space; write it as %20")
            case ..<0x20, 0x7F: refuse("it holds a control character")
            case UInt8(ascii: "\\"): refuse("it holds a backslash")
            case UInt8(ascii: "?"): refuse("it holds a ?; give the query as query items, or write %3F")
            case UInt8(ascii: "#"): refuse("it holds a #; write it as %23")
            default: continue
            }
        }
        if !PercentEncoding.isWellFormed(text) {
            refuse("it holds a % that is not followed by two hexadecimal digits")
        }
        encoded += PercentEncoding.encode(text, allowing: .path)
    }

    private mutating func appendValue(_ value: String) {
        if value.isEmpty { refuse("a value in it is empty") }
        if value == "." || value == ".." { refuse("a value in it is \"\(value)\"") }
        encoded += PercentEncoding.encode(value, allowing: .segmentValue)
    }

    private mutating func refuse(_ reason: String) {
        fault = fault ?? reason
    }

    /// The URL of this path below a base URL, whose own path and query are kept and come first.
    ///
    /// An empty path is the base itself. A slash at the end is kept; one at the beginning changes nothing.
    package func appended(to base: HTTPURL, query: QueryItems) throws(InvalidURL) -> HTTPURL {
        if let reason = fault ?? structuralFault {
            throw InvalidURL("the path \"\(encoded)\" cannot be used: \(reason)")
        }
        return base.appending(path: encoded, query: base.query(with: query))
    }

    /// What is wrong with the path as a whole.
    private var structuralFault: String? {
        guard mayBeFaulty else { return nil }
        if encoded.contains("://") { return "it is a whole URL; send it as HTTPRequest(url:)" }
        let segments = URLParts.segments(of: encoded)
        if segments.contains(where: { URLParts.dots(in: $0) > 0 }) { return "it holds a . or .. segment" }
        if segments.dropFirst().dropLast().contains("") { return "it holds //" }
        return nil
    }

    /// False for nearly every path, at the price of one look at its bytes.
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

extension EndpointPath: ExpressibleByStringLiteral {
    /// Makes a path of a template without values in it, as ``init(template:)`` does.
    ///
    /// - Parameter value: The template.
    public init(stringLiteral value: String) {
        self.init(template: value)
    }
}

extension EndpointPath: ExpressibleByStringInterpolation {
    /// Collects the literal parts and the values of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path = EndpointPath(template: "")

        /// Makes room for a path.
        ///
        /// - Parameters:
        ///   - literalCapacity: The bytes of all literal parts.
        ///   - interpolationCount: The number of values.
        public init(literalCapacity: Int, interpolationCount: Int) {
            path.encoded.reserveCapacity(literalCapacity + interpolationCount * 8)
        }

        /// Adds a literal part as it stands, with the slashes in it.
        ///
        /// - Parameter literal: What ``EndpointPath/init(template:)`` takes.
        public mutating func appendLiteral(_ literal: String) {
            path.appendTemplate(literal)
        }

        /// Adds a value, percent-encoded as one segment.
        ///
        /// - Parameter value: Written as its `description` says: numbers, text, `UUID`.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            path.appendValue(value.description)
        }

        /// Adds the raw value, percent-encoded as one segment.
        ///
        /// - Parameter value: An enum with raw values, or another type that has one.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            path.appendValue(value.rawValue.description)
        }

        /// Adds the raw value, percent-encoded as one segment; the description is for people.
        ///
        /// - Parameter value: An enum with raw values, or another type that has one.
        public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            path.appendValue(value.rawValue.description)
        }
    }

    /// Makes a path of a literal with values in it.
    ///
    /// - Parameter stringInterpolation: The parts; what is wrong with one of them is thrown when the path is used.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.path
    }
}

extension EndpointPath: CustomStringConvertible {
    /// The percent-encoded path, as far as it could be made.
    public var description: String { encoded }
}
