/// A value in a ``JSONDocument``: read it, or continue to the values in it.
///
/// Reading costs no more than the part that is read. A lookup by key or index is linear in the number of members.
public struct JSONElement: Sendable {
    /// The kinds of JSON values.
    public enum Kind: Sendable, Hashable {
        /// The type that the case is named after (RFC 8259 section 3); `boolean` is `true` or `false`.
        case null, boolean, number, string, array, object
    }

    /// The document that contains the value.
    public let document: JSONDocument
    let index: UInt32

    init(document: JSONDocument, index: UInt32) {
        self.document = document
        self.index = index
    }

    var entry: TapeEntry { document.tape.entries[Int(index)] }

    /// The kind of the value.
    public var kind: Kind {
        switch entry.kind {
        case .null: .null
        case .true, .false: .boolean
        case .number: .number
        case .string, .key: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The value of a boolean; `nil` for other kinds.
    public var bool: Bool? {
        switch entry.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The value of a string; `nil` for other kinds, and if it has an unpaired surrogate.
    public var string: String? {
        kind == .string ? text { StringText(bytes: $0, notes: entry.notes).string } : nil
    }

    /// The value of a number, rounded to the nearest double; `nil` for other kinds and if it is too large.
    public var double: Double? {
        guard entry.kind == .number else { return nil }
        return text { NumberText(bytes: $0, isFractional: entry.notes.contains(.isFractional)).double }
    }

    /// The value of a number without a fraction (`3`, `3.0` and `3e2`); `nil` for others and if it doesn't fit.
    public func integer<Value: FixedWidthInteger & Sendable>(_ type: Value.Type = Value.self) -> Value? {
        guard entry.kind == .number else { return nil }
        return text { NumberText(bytes: $0, isFractional: entry.notes.contains(.isFractional)).integer() }
    }

    /// The value's JSON as it is in the document, in UTF-8; a string with its quotes.
    public var source: Data {
        let quote = kind == .string ? 1 : 0
        let range = entry.range
        let start = document.source.startIndex
        return document.source[
            start &+ range.lowerBound &- quote..<start &+ range.upperBound &+ quote]
    }

    /// Where the value starts: its line, and its column in characters, both from 1.
    public var position: (line: Int, column: Int) {
        document.position(of: entry.range.lowerBound &- (kind == .string ? 1 : 0))
    }

    func text<Result>(_ read: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        document.source.withUnsafeBytes { buffer in
            buffer.withMemoryRebound(to: UInt8.self) { read(UnsafeBufferPointer(rebasing: $0[entry.range])) }
        }
    }
}

extension JSONElement {
    /// The value of a member of this object; `nil` if this isn't an object or has no such key.
    ///
    /// If the key occurs more than once, the first counts, as it does for ``JSONModelDecoder``.
    public subscript(key: String) -> JSONElement? {
        var key = key
        return key.withUTF8 { wanted in
            members.first { $0.hasKey(wanted) }?.value
        }
    }

    /// An element of this array; `nil` if this isn't an array or is shorter.
    public subscript(position: Int) -> JSONElement? {
        position < 0 ? nil : elements.dropFirst(position).first { _ in true }
    }

    /// The members of this object in document order; empty for other kinds.
    public var members: Members { Members(object: self) }

    /// The elements of this array; empty for other kinds.
    public var elements: Elements { Elements(array: self) }

    /// A key and its value.
    public struct Member: Sendable {
        let object: JSONElement
        let keyIndex: UInt32

        /// The key, with its escapes decoded.
        public var key: String {
            // Parsing has checked it.
            JSONElement(document: object.document, index: keyIndex).string ?? ""
        }

        /// The key as it is in the document, with its quotes and escapes.
        public var keySource: String {
            String(decoding: JSONElement(document: object.document, index: keyIndex).source, as: UTF8.self)
        }

        /// The value of the member.
        public var value: JSONElement { JSONElement(document: object.document, index: keyIndex &+ 1) }

        func hasKey(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
            let element = JSONElement(document: object.document, index: keyIndex)
            return element.text { StringText(bytes: $0, notes: element.entry.notes).equals(key) }
        }
    }

    /// The members of an object.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        private let object: JSONElement
        private var place: UInt32
        private let end: UInt32

        fileprivate init(object: JSONElement) {
            self.object = object
            place = object.index &+ 1
            end = object.entry.kind == .object ? object.entry.next : place
        }

        /// Whether all members have been read.
        public var isEmpty: Bool { place >= end }

        /// The next member.
        public mutating func next() -> Member? {
            guard place < end else { return nil }
            defer { place = object.document.tape.entries[Int(place &+ 1)].next }
            return Member(object: object, keyIndex: place)
        }
    }

    /// The elements of an array.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        private let array: JSONElement
        private var place: UInt32
        private let end: UInt32

        fileprivate init(array: JSONElement) {
            self.array = array
            place = array.index &+ 1
            end = array.entry.kind == .array ? array.entry.next : place
        }

        /// Whether all elements have been read.
        public var isEmpty: Bool { place >= end }

        /// The next element.
        public mutating func next() -> JSONElement? {
            guard place < end else { return nil }
            defer { place = array.document.tape.entries[Int(place)].next }
            return JSONElement(document: array.document, index: place)
        }
    }
}
