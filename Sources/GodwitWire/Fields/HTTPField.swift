/// One field line of a message: a name and a value (RFC 9110 section 5).
///
/// ```swift
/// HTTPField(name: .accept, value: "application/json")?.description    // Accept: application/json
/// HTTPField(name: "X-Note", value: "one\r\ntwo")                      // nil
/// ```
public struct HTTPField: Sendable, Hashable, Nonisolated {
    /// The field name, compared case-insensitively.
    public let name: Name

    /// The field value, without surrounding whitespace.
    ///
    /// A received value that isn't UTF-8 is read as Latin-1. What a client gives back to its server, such as a cookie, an
    /// entity tag or a location, keeps its bytes instead: each that isn't UTF-8 is one of U+EF80 to U+EFFF, and is sent as
    /// that byte (RFC 9110 section 5.5).
    public let value: String

    /// Creates a field; `nil` if the name isn't a token or the value contains CR, LF or NUL.
    ///
    /// Spaces and tabs around the value are removed (RFC 9110 section 5.5).
    ///
    /// - Parameter value: The value. Bytes that are not ASCII are sent as UTF-8.
    public init?(name: Name, value: String) {
        guard name.isValid, Token.isValidFieldValue(value) else { return nil }
        self.init(unchecked: name, value: value)
    }

    /// Creates a field without validation; check ``isValid``.
    package init(unchecked name: Name, value: String) {
        self.name = name
        self.value = value.trimmingBlanks
    }

    /// Whether the field can be sent as it is.
    ///
    /// Always true for a field from `init(name:value:)`. ``HTTPFields`` doesn't validate on assignment.
    public var isValid: Bool {
        name.isValid && Token.isValidFieldValue(value)
    }
}

extension HTTPField: CustomStringConvertible, CustomReflectable {
    /// The field as a line. A value that may contain a secret is redacted.
    public var description: String {
        "\(name): \(shownValue)"
    }

    /// The name, and the value, redacted if it may contain a secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": "\(name)", "value": shownValue])
    }

    private var shownValue: String {
        name.isSensitive
            ? SecretScanner.mark : TerminalText.escaped(FieldText.readable(RedactedText.references(value)))
    }
}

extension HTTPField {
    /// A field name: a token, compared case-insensitively (RFC 9110 section 5.1).
    ///
    /// A string literal works as a name: `fields["X-Trace"] = "on"`. If a literal isn't a token, every transport
    /// rejects the request before sending. For text from outside, use ``init(_:)``, which returns `nil` in that case.
    ///
    /// ```swift
    /// extension HTTPField.Name {
    ///     static let tenant: Self = "X-Tenant"
    /// }
    /// fields[.tenant] = "reader"
    /// ```
    public struct Name: Sendable, Nonisolated {
        /// The name as written.
        public let rawName: String

        /// Creates a name; `nil` if the text isn't a token.
        ///
        /// A token is one or more ASCII letters, digits, `! # $ % & ' * + - . ^ _ | ~` and the grave
        /// accent (RFC 9110 section 5.6.2).
        ///
        /// - Parameter name: The name in any case. HTTP/1.1 sends it as written, HTTP/2 in lowercase.
        public init?(_ name: String) {
            guard Token.isValid(name) else { return nil }
            rawName = name
        }

        package init(unchecked name: String) {
            rawName = name
        }

        /// The name in lowercase, as HTTP/2 sends it. Only ASCII letters change (RFC 9113 section 8.2.1).
        public var canonicalName: String { rawName.asciiLowercased }

        /// Whether the name is a token and can be sent.
        public var isValid: Bool { Token.isValid(rawName) }
    }
}

extension HTTPField.Name: Hashable {
    /// Compares ASCII letters case-insensitively, all other bytes exactly.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawName.equalsIgnoringASCIICase(right.rawName)
    }

    /// Whether these are the name's bytes, in any case.
    func isSpelled(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        rawName.utf8.count == bytes.count && rawName.withBytes(bytes.equalsIgnoringASCIICase)
    }

    public func hash(into hasher: inout Hasher) {
        var word: UInt64 = 0
        var count = 0
        for byte in rawName.utf8 {
            word = word << 8 | UInt64(byte.asciiLowercased)
            count += 1
            if count % 8 == 0 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
    }
}

extension HTTPField.Name: ExpressibleByStringLiteral {
    /// Uses the literal as written. If it isn't a token, sending the field fails.
    public init(stringLiteral value: String) {
        rawName = value
    }
}

extension HTTPField.Name: CustomStringConvertible {
    /// The name as written.
    public var description: String { rawName }
}
