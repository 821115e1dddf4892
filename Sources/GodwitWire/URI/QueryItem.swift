/// One `name=value` of a query or form, not encoded.
///
/// ```swift
/// for item in query.items { print(item.name, item.value ?? "") }
/// ```
public struct QueryItem: Sendable, Hashable, Nonisolated {
    /// The name.
    public let name: String

    /// The value; nil for a name that stands alone, without `=`.
    public let value: String?

    /// Makes an item.
    ///
    /// - Parameters:
    ///   - name: The name, not encoded.
    ///   - value: The value, not encoded; nil for a name alone, an empty text for `name=`.
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}

extension QueryItem: CustomStringConvertible, CustomReflectable {
    /// `name=value`, not encoded; a value that looks like a secret is not shown.
    public var description: String { shownValue.map { "\(name)=\($0)" } ?? name }

    /// The name, and the value unless it looks like a secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue as Any])
    }

    private var shownValue: String? {
        value.map { SecretName.isSecretQueryItem(name) ? "<redacted>" : $0 }
    }
}
