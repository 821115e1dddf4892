/// One field line of a message: a name and a value (RFC 9110 section 5).
///
/// ```swift
/// HTTPField(name: .accept, value: "application/json")?.description    // Accept: application/json
/// HTTPField(name: "X-Note", value: "one\r\ntwo")                      // nil
/// ```
public struct HTTPField: Sendable, Hashable, Nonisolated {
    /// The field's name, compared without case.
    public let name: Name

    /// The field's value, without surrounding white space.
    public let value: String

    /// Makes a field, or nil where the name is no token or the value holds CR, LF or NUL.
    ///
    /// Spaces and tabs around the value are not part of it and are taken off (RFC 9110 section 5.5).
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value. Bytes that are not ASCII are sent as UTF-8.
    public init?(name: Name, value: String) {
        guard name.isValid, Token.isValidFieldValue(value) else { return nil }
        self.init(unchecked: name, value: value)
    }

    /// Makes a field that may be one which cannot be sent; ``isValid`` tells.
    package init(unchecked name: Name, value: String) {
        self.name = name
        self.value = value.trimmingBlanks
    }

    /// Whether the field can be sent as it is.
    ///
    /// Always true of what `init(name:value:)` made; ``HTTPFields`` does not check what it is assigned.
    public var isValid: Bool {
        name.isValid && Token.isValidFieldValue(value)
    }
}

extension HTTPField: CustomStringConvertible, CustomReflectable {
    /// The field as a line; a value that may hold a secret is not shown.
    public var description: String {
        "\(name): \(shownValue)"
    }

    /// The name, and the value unless it may hold a secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": "\(name)", "value": shownValue])
    }

    private var shownValue: String {
        if name.hidesValue { return "<redacted>" }
        return name.holdsURLs ? RedactedText.references(value) : value
    }
}

extension HTTPField {
    /// A field name: a token, compared without case (RFC 9110 section 5.1).
    ///
    /// A literal reads as a name, `fields["X-Trace"] = "on"`; a literal that is no token makes a name whose use every
    /// transport refuses before anything is sent. For text from outside use ``init(_:)``, which is nil there.
    ///
    /// ```swift
    /// extension HTTPField.Name {
    ///     static let tenant: Self = "X-Tenant"
    /// }
    /// fields[.tenant] = "reader"
    /// ```
    public struct Name: Sendable, Nonisolated {
        /// The name as it was written.
        public let rawName: String

        /// Makes a name, or nil where the text is no token.
        ///
        /// A token is one or more ASCII letters, digits, `! # $ % & ' * + - . ^ _ | ~` and the grave
        /// accent (RFC 9110 section 5.6.2).
        ///
        /// - Parameter name: The name in any case; it is sent as it is written here, over HTTP/2 in lower case.
        public init?(_ name: String) {
            guard Token.isValid(name) else { return nil }
            rawName = name
        }

        package init(unchecked name: String) {
            rawName = name
        }

        /// The name in lower case, as HTTP/2 sends it.
        /// Only ASCII letters are changed (RFC 9113 section 8.2.1).
        public var canonicalName: String { rawName.asciiLowercased }

        /// Whether the name is a token, and so can be sent.
        public var isValid: Bool { Token.isValid(rawName) }
    }
}

extension HTTPField.Name: Hashable {
    /// Compares ASCII letters without case; all other bytes as they are.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawName.equalsIgnoringASCIICase(right.rawName)
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
    /// Takes the literal as it is; one that is no token is refused when the field is sent.
    public init(stringLiteral value: String) {
        rawName = value
    }
}

extension HTTPField.Name: CustomStringConvertible {
    /// The name as it was written.
    public var description: String { rawName }
}
