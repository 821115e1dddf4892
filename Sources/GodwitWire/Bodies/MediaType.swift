/// What kind of content a body holds: the value of `Content-Type` (RFC 9110 section 8.3.1).
///
/// ```swift
/// let type = MediaType("text/html; charset=utf-8")
/// type?.essence                   // text/html
/// type?.charset                   // utf-8
/// ```
///
/// Types are compared with their parameters, and parameters in order; use ``matches(_:)`` to compare types alone.
public struct MediaType: Sendable, Hashable, Nonisolated {
    /// A parameter behind the type.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public let name: String

        /// The value without quotes.
        public let value: String
    }

    /// What stands before the slash, in lower case.
    public let type: String

    /// What stands behind the slash, in lower case.
    public let subtype: String

    /// The parameters in order; of a repeated one only the first is kept.
    public private(set) var parameters: [Parameter] = []

    private init(known type: String, _ subtype: String) {
        self.type = type
        self.subtype = subtype
    }

    /// Reads a field value; nil where it does not begin with `type/subtype`.
    ///
    /// A parameter that cannot be read is passed over, because servers send many that cannot.
    ///
    /// - Parameter text: A field's value, such as `text/html; charset=utf-8`.
    public init?(_ text: String) {
        var scanner = FieldScanner(text.trimmingBlanks)
        guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token() else { return nil }
        self.init(known: type.asciiLowercased, subtype.asciiLowercased)
        scanner.skipBlanks()
        guard scanner.isAtEnd || scanner.skip(";") else { return nil }
        while !scanner.isAtEnd { readParameter(from: &scanner) }
    }

    private mutating func readParameter(from scanner: inout FieldScanner) {
        scanner.skipBlanks()
        if let name = scanner.token(), scanner.skip("=") {
            if let value = scanner.quotedString() {
                add(name, value)
            } else {
                add(name, scanner.read { $0 == UInt8(ascii: ";") }.trimmingBlanks)
            }
        }
        scanner.read { $0 == UInt8(ascii: ";") }
        _ = scanner.skip(";")
    }

    private mutating func add(_ name: String, _ value: String) {
        guard parameter(name) == nil, !value.isEmpty, value.utf8.allSatisfy(Self.isValueByte) else { return }
        parameters.append(Parameter(name: name.asciiLowercased, value: value))
    }

    /// What a quoted string can hold (RFC 9110 section 5.6.4).
    private static func isValueByte(_ byte: UInt8) -> Bool {
        byte == 0x09 || byte >= 0x20 && byte != 0x7F
    }

    /// The type without parameters.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of a parameter, whose name is compared without case.
    ///
    /// Returns nil where the type has no such parameter.
    ///
    /// - Parameter name: The parameter's name, compared without case.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// The same type with a parameter set; nil where the name is no token, or the value is empty or has a control
    /// character in it.
    ///
    /// An existing parameter of that name is replaced; the new one stands at the end.
    ///
    /// ```swift
    /// MediaType("text/csv")?.setting("header", to: "present")     // text/csv; header=present
    /// ```
    ///
    /// - Parameters:
    ///   - name: The parameter's name; one that is there already is replaced.
    ///   - value: The value, without quotes; they are added where they are needed.
    public func setting(_ name: String, to value: String) -> MediaType? {
        var copy = self
        copy.parameters.removeAll { $0.name.equalsIgnoringASCIICase(name) }
        copy.add(name, value)
        return Token.isValid(name) && copy.parameter(name) != nil ? copy : nil
    }

    /// The character encoding, in lower case, where the type names one.
    public var charset: String? { parameter("charset")?.asciiLowercased }

    /// What stands between the parts of a multipart body.
    ///
    /// Nil where the type names none (RFC 2046 section 5.1.1).
    public var boundary: String? { parameter("boundary") }

    /// Whether the content is JSON: `application/json`, `text/json`, or a type that ends in `+json` (RFC 6839).
    public var isJSON: Bool {
        subtype.hasSuffix("+json") || subtype == "json" && (type == "application" || type == "text")
    }

    /// Whether the type is the same as another's, whatever their parameters.
    ///
    /// ```swift
    /// MediaType("application/json; charset=utf-8")?.matches(.json)        // true
    /// ```
    ///
    /// - Parameter other: The type to compare with.
    public func matches(_ other: MediaType) -> Bool {
        type == other.type && subtype == other.subtype
    }
}

extension MediaType {
    /// `application/json`
    public static let json = MediaType(known: "application", "json")
    /// `application/problem+json` (RFC 9457)
    public static let problemJSON = MediaType(known: "application", "problem+json")
    /// `application/x-ndjson`: one JSON value a line
    public static let ndjson = MediaType(known: "application", "x-ndjson")
    /// `application/x-www-form-urlencoded`
    public static let form = MediaType(known: "application", "x-www-form-urlencoded")
    /// `application/octet-stream`: bytes of any kind
    public static let octetStream = MediaType(known: "application", "octet-stream")
    /// `text/event-stream`: server-sent events
    public static let eventStream = MediaType(known: "text", "event-stream")
    /// `text/plain; charset=utf-8`
    public static let text: MediaType = {
        var type = MediaType(known: "text", "plain")
        type.add("charset", "utf-8")
        return type
    }()

    /// `multipart/form-data` with this boundary (RFC 7578).
    static func multipartForm(boundary: String) -> MediaType {
        var type = MediaType(known: "multipart", "form-data")
        type.add("boundary", boundary)
        return type
    }
}

extension MediaType: CustomStringConvertible {
    /// The type as it stands in a field; values that are no tokens are quoted.
    public var description: String {
        parameters.reduce(essence) { text, parameter in
            guard !Token.isValid(parameter.value) else { return "\(text); \(parameter.name)=\(parameter.value)" }
            let escaped = parameter.value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
            return "\(text); \(parameter.name)=\"\(escaped)\""
        }
    }
}
