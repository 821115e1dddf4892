/// The names and values of a query or a form, in order; names may repeat.
///
/// ```swift
/// var query: QueryItems = ["page": 2, "tag": ["a", "b"], "q": search]     // a nil search is left out
/// query.append("verbose")                                                // ?page=2&tag=a&tag=b&verbose
/// ```
///
/// Values are plain text; encoding is automatic.
public struct QueryItems: Sendable, Hashable, Nonisolated {
    private struct Entry: Sendable, Hashable {
        let name: String
        let value: QueryValue
    }

    private var entries: [Entry] = []

    /// How lists of values are encoded. `.repeat` by default.
    ///
    /// Repeats the name by default: `tag=a&tag=b`. Applies to all lists of the query, whenever they were added.
    public var arrayStrategy = ArrayStrategy.repeat

    /// Creates an empty list.
    public init() {}

    /// Creates a list from items, in order.
    public init(_ items: some Sequence<QueryItem>) {
        for item in items { append(item) }
    }

    /// The items, not encoded, with lists expanded by ``arrayStrategy``.
    ///
    /// Absent values and empty lists are omitted.
    public var items: [QueryItem] {
        var items: [QueryItem] = []
        write(encoding: \.self, elements: \.self) { items.append(QueryItem(name: $0, value: $1)) }
        return items
    }

    /// Whether the encoded query would be empty.
    public var isEmpty: Bool {
        entries.allSatisfy { $0.value == .absent || $0.value == .list([]) }
    }

    /// Appends an item; `nil` is omitted.
    ///
    /// A list is encoded by ``arrayStrategy``; an empty list is omitted.
    ///
    /// - Parameter value: The value, not encoded; its ``QueryConvertible`` conformance determines its text.
    public mutating func append(_ name: String, _ value: (any QueryConvertible)?) {
        entries.append(Entry(name: name, value: value?.queryValue ?? .absent))
    }

    /// Appends a bare name without `=`.
    ///
    /// ```swift
    /// query.append("verbose")         // ?verbose
    /// ```
    public mutating func append(_ name: String) {
        append(name, QueryValue.flag)
    }

    /// Appends an item.
    ///
    /// - Parameter item: The item. Without a value, it is a bare name.
    public mutating func append(_ item: QueryItem) {
        append(item.name, item.value.map(QueryValue.text) ?? .flag)
    }

    /// Appends the items of another list. Lists among them follow this list's strategy.
    ///
    /// - Parameter other: The items to append. Existing names stay and repeat.
    public mutating func append(contentsOf other: QueryItems) {
        entries += other.entries
    }

    /// The items sorted by name; items with the same name keep their order. A sorted query is a stable cache key.
    ///
    /// Names are compared as Swift strings, case-sensitively.
    public func sorted() -> QueryItems {
        var copy = self
        copy.entries.sort { $0.name < $1.name }
        return copy
    }

    /// Returns these items with another encoding of lists.
    public func arrays(_ strategy: ArrayStrategy) -> QueryItems {
        var copy = self
        copy.arrayStrategy = strategy
        return copy
    }

    /// The percent-encoded query without `?`; `nil` if there is nothing to write (RFC 3986 section 3.4).
    package var encoded: String? {
        var text = ""
        var count = 0
        write(
            encoding: { PercentEncoding.encode($0, allowing: .queryValue) },
            elements: { PercentEncoding.encode($0, allowing: .queryListElement) },
            { name, value in
                if count > 0 { text += "&" }
                count += 1
                text += name
                guard let value else { return }
                text += "="
                text += value
            })
        return count == 0 ? nil : text
    }

    /// Passes the items to `emit` one by one. `encodeElement` encodes the elements of a comma-separated list.
    private func write(
        encoding encode: (String) -> String, elements encodeElement: (String) -> String,
        _ emit: (_ name: String, _ value: String?) -> Void
    ) {
        for entry in entries {
            let name = entry.name
            switch entry.value {
            case .absent: continue
            case .flag: emit(encode(name), nil)
            case .text(let text): emit(encode(name), encode(text))
            case .list(let texts) where arrayStrategy == .comma:
                if !texts.isEmpty { emit(encode(name), texts.map(encodeElement).joined(separator: ",")) }
            case .list(let texts):
                let encodedName = encode(arrayStrategy == .brackets ? "\(name)[]" : name)
                for text in texts { emit(encodedName, encode(text)) }
            }
        }
    }
}

extension QueryItems: ExpressibleByDictionaryLiteral {
    /// Creates a list in the literal's order; `nil` is omitted, names may repeat.
    public init(dictionaryLiteral elements: (String, (any QueryConvertible)?)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension QueryItems: ExpressibleByArrayLiteral {
    /// Creates a list from items, in order.
    public init(arrayLiteral elements: QueryItem...) {
        self.init(elements)
    }
}

extension QueryItems: CustomStringConvertible, CustomReflectable {
    /// The items as in a query, not encoded. Values that look like secrets are redacted.
    public var description: String { items.map(\.description).joined(separator: "&") }

    /// The items. Values that look like secrets are redacted.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: items, displayStyle: .collection) }
}

/// One `name=value` of a query or form, not encoded.
///
/// ```swift
/// for item in query.items { print(item.name, item.value ?? "") }
/// ```
public struct QueryItem: Sendable, Hashable, Nonisolated {
    /// The name, not encoded.
    public let name: String

    /// The value; `nil` for a bare name without `=`.
    public let value: String?

    /// Creates an item from a name and a value.
    ///
    /// - Parameter value: The value, not encoded; `nil` for a bare name, an empty string for `name=`.
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}

extension QueryItem: CustomStringConvertible, CustomReflectable {
    /// `name=value`, not encoded. A value that looks like a secret is redacted.
    public var description: String { shownValue.map { "\(name)=\($0)" } ?? name }

    /// The name, and the value, redacted if it looks like a secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue as Any])
    }

    private var shownValue: String? {
        value.map { RedactedText.hidesItem(name, $0) ? SecretScanner.mark : $0 }
    }
}

/// How a query or form encodes a list of values.
///
/// ```swift
/// let query: QueryItems = ["tag": ["a", "b"]]
/// query.arrays(.comma)                    // ?tag=a,b
/// ```
public enum ArrayStrategy: Sendable, Hashable {
    /// One item for each value: `tag=a&tag=b`.
    case `repeat`

    /// One item for each value, with brackets after the name: `tag[]=a&tag[]=b`. The brackets are encoded.
    case brackets

    /// One item with all values: `tag=a,b`. A comma inside a value is encoded.
    case comma
}

extension HTTPURL {
    /// This URL with query items appended to its query, and without its fragment.
    ///
    /// ```swift
    /// let page = url.appending(["page": 2, "q": "a+b"])       // …?page=2&q=a%2Bb
    /// ```
    ///
    /// - Parameter items: The items, not encoded. If there are none, the query stays as it is.
    public func appending(_ items: QueryItems) -> HTTPURL {
        replacing(path: path, query: query(with: items))
    }

    /// This URL's query with items appended; `nil` if both are missing.
    func query(with items: QueryItems) -> String? {
        guard let more = items.encoded, !more.isEmpty else { return query }
        guard let query, !query.isEmpty else { return more }
        return "\(query)&\(more)"
    }
}
