/// Reads DER elements (X.690) in sequence.
package struct DERReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    package var nextTag: UInt8? { rest.first }

    /// The bytes that are left.
    package var bytes: ArraySlice<UInt8> { rest }

    /// The contents of the next element, if it has this tag.
    package mutating func enter(_ tag: UInt8) -> DERReader? {
        guard let (head, whole) = next(tag) else { return nil }
        return DERReader(whole.dropFirst(head))
    }

    /// The next element with its header, if it has this tag.
    package mutating func element(_ tag: UInt8) -> ArraySlice<UInt8>? {
        next(tag)?.whole
    }

    private mutating func next(_ tag: UInt8) -> (head: Int, whole: ArraySlice<UInt8>)? {
        guard rest.first == tag, let (head, length) = size(), rest.count - head >= length else { return nil }
        let whole = rest.prefix(head + length)
        rest = rest.dropFirst(head + length)
        return (head, whole)
    }

    /// The lengths of the header (tag and length) and of the contents.
    private func size() -> (head: Int, length: Int)? {
        guard let first = rest.dropFirst().first else { return nil }
        guard first >= 0x80 else { return (2, Int(first)) }
        let digits = rest.dropFirst(2).prefix(Int(first & 0x7F))
        guard (1...4).contains(digits.count), digits.count == Int(first & 0x7F) else { return nil }
        return (2 + digits.count, digits.reduce(0) { $0 << 8 | Int($1) })
    }
}
