/// The fields of a message: an ordered list in which names may repeat (RFC 9110 section 5.2).
///
/// Order and repetition are kept as they were given or received. Lookups compare names without case.
///
/// ```swift
/// var fields: HTTPFields = [.accept: "application/json"]
/// fields.append("a=1", for: .cookie)
/// fields[.accept] = "text/plain"          // replaces
/// ```
///
/// Assigning does not fail: a field that cannot be sent, such as one whose value holds a line break, is reported by
/// ``firstInvalidField`` and refused by every transport before anything is sent.
public struct HTTPFields: Sendable, Hashable, Nonisolated {
    private var storage: [HTTPField] = []

    /// Makes an empty list.
    public init() {}

    /// Makes a list of these fields, in this order.
    ///
    /// - Parameter fields: The fields; those with the same name all stay.
    public init(_ fields: some Sequence<HTTPField>) {
        storage = Array(fields)
    }

    /// The value under a name: repeated fields joined with a comma (RFC 9110 section 5.3); nil where there is none.
    /// Repeated `Cookie` fields are joined with a semicolon (RFC 9113 section 8.2.3).
    ///
    /// Assigning replaces every field of that name, at the first one's place; nil removes them. `Set-Cookie` does not
    /// join; read it with ``values(of:)``.
    ///
    /// ```swift
    /// fields[.acceptLanguage] = "de"
    /// fields["X-Request-ID"] = nil            // removes
    /// ```
    ///
    /// - Parameter name: The name, compared without case.
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

    /// The values under a name, one for each field line, in order.
    ///
    /// Empty where there is none. This is the way to read `Set-Cookie`.
    ///
    /// - Parameter name: The name, compared without case.
    public func values(of name: HTTPField.Name) -> [String] {
        var values: [String] = []
        var next = firstIndex(of: name)
        while let index = next {
            values.append(storage[index].value)
            next = firstIndex(of: name, from: index + 1)
        }
        return values
    }

    /// The value that all fields of this name agree on; nil if there are none, or if they contradict each other.
    ///
    /// For fields that a message has once, such as `Location` or `ETag`: two of them must not be read as one list.
    ///
    /// - Parameter name: The name, compared without case.
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
    ///
    /// - Parameter name: The name, compared without case.
    public func contains(_ name: HTTPField.Name) -> Bool {
        firstIndex(of: name) != nil
    }

    /// Most names differ in length, so comparing these first makes a lookup cheap; nothing is allocated.
    private func firstIndex(of name: HTTPField.Name, from start: Int = 0) -> Int? {
        let length = name.rawName.utf8.count
        return (start..<storage.count).first { index in
            storage[index].name.rawName.utf8.count == length && storage[index].name == name
        }
    }

    /// Replaces every field of this name with one, at the first one's place, or adds it at the end.
    ///
    /// Spaces and tabs around the value are taken off. A value that cannot be sent is kept and shows up in
    /// ``firstInvalidField``.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name, compared without case; it is sent as it is written here.
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

    /// Adds a field at the end and keeps those already there.
    ///
    /// Spaces and tabs around the value are taken off. A value that cannot be sent is kept and shows up in
    /// ``firstInvalidField``.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name.
    public mutating func append(_ value: String, for name: HTTPField.Name) {
        storage.append(HTTPField(unchecked: name, value: value))
    }

    /// Adds a field at the end and keeps those already there.
    ///
    /// - Parameter field: The field.
    public mutating func append(_ field: HTTPField) {
        storage.append(field)
    }

    /// Removes every field of this name.
    ///
    /// Does nothing where there is none.
    ///
    /// - Parameter name: The name, compared without case.
    public mutating func remove(_ name: HTTPField.Name) {
        // Without a match, too, removing would copy a list that is shared.
        guard contains(name) else { return }
        storage.removeAll { $0.name == name }
    }

    /// Makes room for a number of fields.
    ///
    /// - Parameter count: The number of fields in all. Has no effect but on speed.
    public mutating func reserveCapacity(_ count: Int) {
        storage.reserveCapacity(count)
    }

    /// The first field that cannot be sent: its name is no token, or its value holds CR, LF or NUL.
    public var firstInvalidField: HTTPField? {
        storage.first { !$0.isValid }
    }

    /// The first field with which a transport refuses a request.
    package var firstFault: HTTPField? {
        storage.first { !$0.isValid || $0.name.isReservedForTransport }
    }

    /// Calls a function with each field where it lies; a loop would copy it.
    package func visit(_ body: (HTTPField) -> Void) {
        storage.withUnsafeBufferPointer { fields in
            for index in fields.indices { body(fields[index]) }
        }
    }

    /// The fields whose names are to be kept.
    package func keeping(_ isKept: (HTTPField.Name) -> Bool) -> HTTPFields {
        var kept = HTTPFields()
        kept.reserveCapacity(count)
        for index in indices where isKept(storage[index].name) { kept.storage.append(storage[index]) }
        return kept
    }

    /// Whether one list is a copy of the other, neither changed since: then they are equal. False says nothing.
    package func isCopy(of other: HTTPFields) -> Bool {
        storage.withUnsafeBufferPointer { own in
            other.storage.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && own.count == $0.count }
        }
    }

    /// Whether one of the first fields has this name.
    package func contains(_ name: HTTPField.Name, amongFirst count: Int) -> Bool {
        firstIndex(of: name).map { $0 < count } ?? false
    }

    /// The first field that only the transport may write, such as `Content-Length` or `Host`.
    ///
    /// Such a field, too, makes a transport refuse the request with `.invalidRequest`.
    public var firstReservedField: HTTPField? {
        storage.first { $0.name.isReservedForTransport }
    }
}

extension HTTPFields: RandomAccessCollection {
    /// The position of the first field: 0.
    public var startIndex: Int { storage.startIndex }
    /// The position behind the last field: how many there are.
    public var endIndex: Int { storage.endIndex }
    /// The field at a position from 0, in the order in which they are sent.
    public subscript(position: Int) -> HTTPField { storage[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Makes a list in the order of the literal; names may repeat.
    ///
    /// - Parameter elements: Names and values. What cannot be sent is found by ``firstInvalidField``.
    public init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        storage = elements.map { HTTPField(unchecked: $0, value: $1) }
    }
}

extension HTTPFields: CustomStringConvertible, CustomReflectable {
    /// The fields as lines; values that may hold secrets are not shown.
    public var description: String {
        storage.map(\.description).joined(separator: "\n")
    }

    /// The fields; values that may hold secrets are not shown.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: storage, displayStyle: .collection) }
}
