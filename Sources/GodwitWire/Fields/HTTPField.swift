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
