/// One value or key of a document, in document order: where its text is, and where the next sibling's entry is.
///
/// The entries of `{"a": [1, 2]}` are object, key `a`, array, number, number.
struct TapeEntry {
    enum Kind: UInt8 {
        case null, `true`, `false`, number, string, key, array, object
    }

    /// What the scanner notes about a text, so that most values are read without looking at each byte again.
    struct Notes: OptionSet {
        let rawValue: UInt8

        /// A string with a backslash.
        static let hasEscapes = Notes(rawValue: 1)
        /// A number with a fraction or an exponent.
        static let isFractional = Notes(rawValue: 2)
    }

    /// The offset of the text's first byte. A string's text is without its quotes.
    var start: UInt32
    /// The length of the text in bytes. While an array or object is open, the index of its parent.
    var length: UInt32
    /// The index of the entry after this value and all that it contains; for a key, the index of the next key.
    var next: UInt32
    let kind: Kind
    let notes: Notes

    /// The range of the text in the document's bytes.
    var range: Range<Int> { Int(start)..<Int(start) &+ Int(length) }
}
