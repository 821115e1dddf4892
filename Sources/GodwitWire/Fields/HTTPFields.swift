/// The header fields of a message: an ordered list in which names may repeat (RFC 9110 section 5.2).
///
/// Order and repetition are preserved. Lookups compare names case-insensitively.
///
/// ```swift
/// var fields: HTTPFields = [.accept: "application/json"]
/// fields.append("a=1", for: .cookie)
/// fields[.accept] = "text/plain"          // replaces
/// ```
///
/// Assignment doesn't fail. ``firstInvalidField`` reports a field that can't be sent, such as one with a line break in
/// its value, and every transport rejects it before sending.
public struct HTTPFields: Sendable, Hashable, Nonisolated {
    private var storage: [HTTPField] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list from fields, in order.
    ///
    /// - Parameter fields: The fields. Repeated names are kept.
    public init(_ fields: some Sequence<HTTPField>) {
        storage = Array(fields)
    }

    /// The value of a field, with repeated fields joined by commas (RFC 9110 section 5.3); `nil` if missing.
    /// Repeated `Cookie` fields are joined by semicolons (RFC 9113 section 8.2.3).
    ///
    /// Assigning replaces every field of that name, at the position of the first; `nil` removes them. `Set-Cookie`
    /// can't be joined; read it with ``values(of:)``.
    ///
    /// ```swift
    /// fields[.acceptLanguage] = "de"
    /// fields["X-Request-ID"] = nil            // removes
    /// ```
    public subscript(name: HTTPField.Name) -> String? {
        get {
            guard let first = firstIndex(of: name) else { return nil }
            var joined = storage[first].value
            var last = first
            while let next = firstIndex(of: name, from: last + 1) {
                joined += (name == .cookie ? "; " : ", ") + storage[next].value
                last = next
            }
            return joined
        }
        set {
            guard let newValue else { return remove(name) }
            set(newValue, for: name)
        }
    }

    /// These fields with their `Cookie` fields as one: HTTP/1.1 allows no more (RFC 6265 section 5.4).
    package var withOneCookieField: HTTPFields {
        guard let first = firstIndex(of: .cookie), firstIndex(of: .cookie, from: first + 1) != nil else { return self }
        var fields = self
        fields[.cookie] = self[.cookie]
        return fields
    }

    /// The values of a field, one for each field line, in order; empty if missing.
    ///
    /// Use this to read `Set-Cookie`.
    public func values(of name: HTTPField.Name) -> [String] {
        var values: [String] = []
        var next = firstIndex(of: name)
        while let index = next {
            values.append(storage[index].value)
            next = firstIndex(of: name, from: index + 1)
        }
        return values
    }

    /// The value that all fields of this name share; `nil` if missing or contradictory.
    ///
    /// For fields that occur once, such as `Location` or `ETag`: two of them must not be read as a list.
    package func agreedValue(of name: HTTPField.Name) -> String? {
        guard let first = firstIndex(of: name) else { return nil }
        var next = firstIndex(of: name, from: first + 1)
        while let index = next {
            guard storage[index].value == storage[first].value else { return nil }
            next = firstIndex(of: name, from: index + 1)
        }
        return storage[first].value
    }

    /// Whether any field has this name.
    public func contains(_ name: HTTPField.Name) -> Bool {
        firstIndex(of: name) != nil
    }

    /// Compares lengths first: most names differ in length. The fields are read in place, as every message is searched often.
    private func firstIndex(of name: HTTPField.Name, from start: Int = 0) -> Int? {
        name.rawName.withBytes { wanted in
            storage.withUnsafeBufferPointer { fields in
                var index = start
                while index < fields.count {
                    if fields[index].name.isSpelled(wanted) { return index }
                    index += 1
                }
                return nil
            }
        }
    }

    /// Replaces every field of this name with one, at the position of the first, or appends it.
    ///
    /// Spaces and tabs around the value are removed. A value that can't be sent is kept; ``firstInvalidField`` reports
    /// it.
    ///
    /// - Parameter name: The name, compared case-insensitively and sent as written here.
    public mutating func set(_ value: String, for name: HTTPField.Name) {
        let field = HTTPField(unchecked: name, value: value)
        guard let first = firstIndex(of: name) else { return storage.append(field) }
        storage[first] = field
        var index = storage.count - 1
        while index > first {
            if storage[index].name == name { storage.remove(at: index) }
            index -= 1
        }
    }

    /// Appends a field; existing fields stay.
    ///
    /// Spaces and tabs around the value are removed. A value that can't be sent is kept; ``firstInvalidField`` reports
    /// it.
    public mutating func append(_ value: String, for name: HTTPField.Name) {
        storage.append(HTTPField(unchecked: name, value: value))
    }

    /// Appends a field; existing fields stay.
    public mutating func append(_ field: HTTPField) {
        storage.append(field)
    }

    /// Removes the last field; `nil` if there is none.
    mutating func removeLast() -> HTTPField? { storage.popLast() }

    /// Removes every field of this name, if there are any.
    public mutating func remove(_ name: HTTPField.Name) {
        // `removeAll` copies shared storage even if nothing matches.
        guard contains(name) else { return }
        storage.removeAll { $0.name == name }
    }

    /// Reserves storage for a number of fields, at most 10,000.
    public mutating func reserveCapacity(_ count: Int) {
        storage.reserveCapacity(Swift.min(Swift.max(0, count), 10_000))
    }

    /// The first field that can't be sent: its name isn't a token, or its value contains CR, LF or NUL.
    public var firstInvalidField: HTTPField? {
        storage.first { !$0.isValid }
    }

    /// The first field for which a transport rejects the request.
    package var firstFault: HTTPField? {
        storage.first { !$0.isValid || $0.name.isReservedForTransport }
    }

    /// Calls a function with each field in place; a loop would copy it.
    package func visit(_ body: (HTTPField) -> Void) {
        storage.withUnsafeBufferPointer { fields in
            for index in fields.indices { body(fields[index]) }
        }
    }

    /// The fields whose names match.
    package func keeping(_ isKept: (HTTPField.Name) -> Bool) -> HTTPFields {
        var kept = HTTPFields()
        kept.reserveCapacity(count)
        for index in indices where isKept(storage[index].name) { kept.storage.append(storage[index]) }
        return kept
    }

    /// Whether the field at a position has exactly this name and this value.
    package func isField(at position: Int, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        storage.withUnsafeBufferPointer { fields in
            fields[position].name.rawName.hasBytes(name) && fields[position].value.hasBytes(value)
        }
    }

    /// Whether one list is an unchanged copy of the other. True means equal; false means unknown.
    package func isCopy(of other: HTTPFields) -> Bool {
        storage.withUnsafeBufferPointer { own in
            other.storage.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && own.count == $0.count }
        }
    }

    /// Whether one of the first `count` fields has this name.
    package func contains(_ name: HTTPField.Name, amongFirst count: Int) -> Bool {
        firstIndex(of: name).map { $0 < count } ?? false
    }
}

extension HTTPFields: RandomAccessCollection {
    /// The position of the first field: 0.
    public var startIndex: Int { storage.startIndex }
    /// The position after the last field, equal to the count.
    public var endIndex: Int { storage.endIndex }
    /// The field at a position from 0, in sending order.
    public subscript(position: Int) -> HTTPField { storage[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Creates a list in the literal's order; names may repeat.
    ///
    /// - Parameter elements: Names and values. ``firstInvalidField`` reports those that can't be sent.
    public init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        storage = elements.map { HTTPField(unchecked: $0, value: $1) }
    }
}

extension HTTPFields: CustomStringConvertible, CustomReflectable {
    /// The fields as lines. Values that may contain secrets are redacted.
    public var description: String {
        storage.map(\.description).joined(separator: "\n")
    }

    /// The fields. Values that may contain secrets are redacted.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: storage, displayStyle: .collection) }
}
