/// The type of a body: the value of `Content-Type` (RFC 9110 section 8.3.1).
///
/// ```swift
/// let type = MediaType("text/html; charset=utf-8")
/// type?.essence                   // text/html
/// type?.charset                   // utf-8
/// ```
///
/// Equality includes parameters and their order; use ``matches(_:)`` to compare types alone.
public struct MediaType: Sendable, Hashable, Nonisolated {
    /// A parameter of a media type.
    public struct Parameter: Sendable, Hashable {
        /// The name in lowercase.
        public let name: String

        /// The value without quotes.
        public let value: String
    }

    /// The part before the slash, in lowercase.
    public let type: String

    /// The part after the slash, in lowercase.
    public let subtype: String

    /// The parameters in order. If a name repeats, only the first is kept.
    public private(set) var parameters: [Parameter] = []

    private init(known type: String, _ subtype: String) {
        self.type = type
        self.subtype = subtype
    }

    /// Parses a field value; `nil` if it doesn't start with `type/subtype`.
    ///
    /// Parameters that can't be parsed are skipped, because many servers send such.
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

    /// Whether a quoted string can contain the byte (RFC 9110 section 5.6.4).
    private static func isValueByte(_ byte: UInt8) -> Bool {
        byte == 0x09 || byte >= 0x20 && byte != 0x7F
    }

    /// The type without parameters.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of a parameter; `nil` if missing.
    ///
    /// - Parameter name: The parameter's name, compared case-insensitively.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// Returns this type with a parameter set. It replaces an existing one of that name and moves to the end.
    ///
    /// `nil` if the name isn't a token, or the value is empty or contains a control character.
    ///
    /// ```swift
    /// MediaType("text/csv")?.setting("header", to: "present")     // text/csv; header=present
    /// ```
    ///
    /// - Parameter value: The value without quotes; they are added if needed.
    public func setting(_ name: String, to value: String) -> MediaType? {
        var copy = self
        copy.parameters.removeAll { $0.name.equalsIgnoringASCIICase(name) }
        copy.add(name, value)
        return Token.isValid(name) && copy.parameter(name) != nil ? copy : nil
    }

    /// The character encoding in lowercase; `nil` if missing.
    public var charset: String? { parameter("charset")?.asciiLowercased }

    /// The delimiter between the parts of a multipart body; `nil` if missing (RFC 2046 section 5.1.1).
    public var boundary: String? { parameter("boundary") }

    /// Whether the content is JSON: `application/json`, `text/json`, or a type with the suffix `+json` (RFC 6839).
    public var isJSON: Bool {
        subtype.hasSuffix("+json") || subtype == "json" && (type == "application" || type == "text")
    }

    /// Whether the type and subtype are equal, ignoring parameters.
    ///
    /// ```swift
    /// MediaType("application/json; charset=utf-8")?.matches(.json)        // true
    /// ```
    public func matches(_ other: MediaType) -> Bool {
        type == other.type && subtype == other.subtype
    }
}

extension MediaType {
    /// `application/json`
    public static let json = MediaType(known: "application", "json")
    /// `application/problem+json` (RFC 9457)
    public static let problemJSON = MediaType(known: "application", "problem+json")
    /// `application/x-ndjson`: one JSON value per line
    public static let ndjson = MediaType(known: "application", "x-ndjson")
    /// `application/x-www-form-urlencoded`
    public static let form = MediaType(known: "application", "x-www-form-urlencoded")
    /// `application/octet-stream`: arbitrary bytes
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
    /// The type as in a header field. Values that aren't tokens are quoted.
    public var description: String {
        parameters.reduce(essence) { text, parameter in
            guard !Token.isValid(parameter.value) else { return "\(text); \(parameter.name)=\(parameter.value)" }
            let escaped = parameter.value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
            return "\(text); \(parameter.name)=\"\(escaped)\""
        }
    }
}

extension MediaType {
    /// Whether content of this type is already compressed, so that compressing it again wastes time.
    package var isCompressed: Bool {
        switch type {
        case "audio", "video": true
        case "image": !subtype.hasSuffix("+xml") && !Self.plainImages.contains(subtype)
        case "font": subtype.hasPrefix("woff")
        case "application":
            Self.archives.contains(subtype) || subtype.hasSuffix("+zip") || subtype.hasSuffix("+gzip")
                || subtype.hasPrefix("vnd.openxmlformats-") || subtype.hasPrefix("vnd.oasis.opendocument.")
        default: false
        }
    }

    private static let plainImages: Set<String> = ["bmp", "x-bmp", "x-ms-bmp", "x-icon", "vnd.microsoft.icon", "tiff"]

    private static let archives: Set<String> = [
        "gzip", "java-archive", "pdf", "vnd.android.package-archive", "vnd.rar", "x-7z-compressed", "x-brotli",
        "x-bzip2",
        "x-gzip", "x-rar-compressed", "x-xz", "zip", "zstd",
    ]
}
