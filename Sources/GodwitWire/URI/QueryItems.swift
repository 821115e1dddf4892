/// The names and values of a query or a form, in order; names may repeat.
///
/// ```swift
/// var query: QueryItems = ["page": 2, "tag": ["a", "b"], "q": search]     // a nil search is left out
/// query.append("verbose")                                                // ?page=2&tag=a&tag=b&verbose
/// ```
///
/// Values are plain text; encoding is not the caller's business.
public struct QueryItems: Sendable, Hashable, Nonisolated {
    private struct Entry: Sendable, Hashable {
        let name: String
        let value: QueryValue
    }

    private var entries: [Entry] = []

    /// How lists are written.
    ///
    /// Repeats the name by default: `tag=a&tag=b`. Holds for all lists of the query, whenever they were added.
    public var arrayStrategy = ArrayStrategy.repeat

    /// Makes an empty list.
    public init() {}

    /// Makes a list of these items, in this order.
    ///
    /// - Parameter items: Names and values, not encoded.
    public init(_ items: some Sequence<QueryItem>) {
        for item in items { append(item) }
    }

    /// The items with lists written out as ``arrayStrategy`` says, not encoded.
    ///
    /// Absent values and empty lists are left out.
    public var items: [QueryItem] {
        var items: [QueryItem] = []
        write(encoding: \.self, elements: \.self) { items.append(QueryItem(name: $0, value: $1)) }
        return items
    }

    /// Whether nothing would be written.
    public var isEmpty: Bool {
        entries.allSatisfy { $0.value == .absent || $0.value == .list([]) }
    }

    /// Adds an item at the end; nil is left out.
    ///
    /// A list is written as ``arrayStrategy`` says; an empty one is left out.
    ///
    /// - Parameters:
    ///   - name: The name, not encoded.
    ///   - value: The value, not encoded; what it is written as is up to its ``QueryConvertible`` conformance.
    public mutating func append(_ name: String, _ value: (any QueryConvertible)?) {
        entries.append(Entry(name: name, value: value?.queryValue ?? .absent))
    }

    /// Adds a name that stands alone, without `=`.
    ///
    /// ```swift
    /// query.append("verbose")         // ?verbose
    /// ```
    ///
    /// - Parameter name: The name, not encoded.
    public mutating func append(_ name: String) {
        append(name, QueryValue.flag)
    }

    /// Adds an item at the end.
    ///
    /// - Parameter item: The item; one without a value is a name alone.
    public mutating func append(_ item: QueryItem) {
        append(item.name, item.value.map(QueryValue.text) ?? .flag)
    }

    /// Adds the items of another list at the end; lists among them are written as this list's strategy says.
    ///
    /// - Parameter other: The items to add; names that are there already stay, and repeat.
    public mutating func append(contentsOf other: QueryItems) {
        entries += other.entries
    }

    /// The items sorted by name; those with the same name keep their order. A sorted query is a stable cache key.
    ///
    /// Names are compared as Swift compares strings, with case.
    public func sorted() -> QueryItems {
        var copy = self
        copy.entries.sort { $0.name < $1.name }
        return copy
    }

    /// The same items with lists written in another way.
    ///
    /// The receiver stays as it is.
    ///
    /// - Parameter strategy: How lists are written.
    public func arrays(_ strategy: ArrayStrategy) -> QueryItems {
        var copy = self
        copy.arrayStrategy = strategy
        return copy
    }

    /// The percent-encoded query without `?`; nil where there is nothing to write (RFC 3986 section 3.4).
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

    /// Tells the items one by one; `elements` encodes what stands between commas.
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
    /// Makes a list in the order of the literal; nil is left out, names may repeat.
    ///
    /// - Parameter elements: Names and values, not encoded.
    public init(dictionaryLiteral elements: (String, (any QueryConvertible)?)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension QueryItems: ExpressibleByArrayLiteral {
    /// Makes a list of these items, in this order.
    ///
    /// - Parameter elements: The items.
    public init(arrayLiteral elements: QueryItem...) {
        self.init(elements)
    }
}

extension QueryItems: CustomStringConvertible, CustomReflectable {
    /// The items as they would be written, not encoded; values that look like secrets are not shown.
    public var description: String { items.map(\.description).joined(separator: "&") }

    /// The items; values that look like secrets are not shown.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: items, displayStyle: .collection) }
}
