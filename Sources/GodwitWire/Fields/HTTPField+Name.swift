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
