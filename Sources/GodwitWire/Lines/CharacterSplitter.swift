/// Splits UTF-8 that arrives in chunks into characters. Invalid UTF-8 is repaired.
///
/// The last character of a chunk is held back, as the next chunk can continue it: a line break of two bytes, an accent, the rest
/// of an emoji.
package struct CharacterSplitter: Sendable {
    /// Bytes after which a character is returned although more could belong to it: any number of accents can follow a letter.
    static let longest = 256

    private var text = ""
    private var position = "".startIndex
    /// The beginning of a scalar whose other bytes haven't arrived.
    private var incomplete: [UInt8] = []
    private var isAtStart = true

    package init() {}

    /// Takes the next chunk. Call ``next()`` until it returns `nil` before.
    package mutating func append(_ chunk: some Sequence<UInt8>) {
        let bytes = incomplete + chunk
        let end = bytes.count - Self.incompleteLength(of: bytes)
        incomplete = Array(bytes[end...])
        add(String(decoding: bytes[..<end], as: UTF8.self))
    }

    /// The next character; `nil` if more bytes are needed.
    package mutating func next() -> Character? {
        guard position < text.endIndex else { return nil }
        let end = text.index(after: position)
        if end == text.endIndex, text[position...].utf8.count < Self.longest { return nil }
        return take(upTo: end)
    }

    /// The next character after the last chunk; `nil` at the end.
    package mutating func finish() -> Character? {
        if !incomplete.isEmpty {
            add(String(decoding: incomplete, as: UTF8.self))
            incomplete = []
        }
        guard position < text.endIndex else { return nil }
        return take(upTo: text.index(after: position))
    }

    private mutating func take(upTo end: String.Index) -> Character {
        defer { position = end }
        return text[position]
    }

    private mutating func add(_ new: String) {
        guard !new.isEmpty else { return }
        // A byte order mark isn't part of the text.
        let hasMark = isAtStart && new.unicodeScalars.first == "\u{FEFF}"
        isAtStart = false
        var rest = String(text[position...])
        rest.unicodeScalars.append(contentsOf: new.unicodeScalars.dropFirst(hasMark ? 1 : 0))
        text = rest
        position = text.startIndex
    }

    /// The length of an incomplete scalar at the end, up to 3 bytes.
    private static func incompleteLength(of bytes: [UInt8]) -> Int {
        for (index, byte) in bytes.suffix(3).reversed().enumerated() {
            switch byte {
            case 0x80...0xBF: continue
            case 0xC2...0xDF: return index + 1 < 2 ? index + 1 : 0
            case 0xE0...0xEF: return index + 1 < 3 ? index + 1 : 0
            case 0xF0...0xF4: return index + 1
            default: return 0
            }
        }
        return 0
    }
}
