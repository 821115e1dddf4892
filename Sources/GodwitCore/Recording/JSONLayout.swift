/// Indents JSON for a log, without changing its order.
///
/// Works on the text and changes only white space, so that truncated or malformed JSON is indented as far as possible.
enum JSONLayout {
    /// Limits the indentation: without it, a body of brackets would become many times as long.
    private static let maximumDepth = 24

    /// Whether the bytes start like an object or an array.
    static func looksLikeJSON(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.first { !isSpace($0) }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? false
    }

    /// The text with a line for each member and element. Text that isn't an object or array is returned unchanged.
    static func indented(_ text: String) -> String {
        guard looksLikeJSON(text.utf8) else { return text }
        var writer = Writer()
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() { writer.add(byte, &rest) }
        return String(decoding: writer.shown, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private struct Writer {
        var shown: [UInt8] = []
        private var depth = 0
        /// Whether white space was skipped that may separate two words of malformed text.
        private var hasSpace = false
        private var isWord = false

        mutating func add(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte, &rest)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                startLine()
                shown.append(byte)
            case UInt8(ascii: ","):
                shown.append(byte)
                startLine()
            case UInt8(ascii: ":"):
                shown.append(byte)
                shown.append(0x20)
                isWord = false
            case UInt8(ascii: "\""): addString(&rest)
            default: addWord(byte)
            }
        }

        /// An empty object or array stays on its line.
        private mutating func open(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) {
            shown.append(byte)
            // "[" and "]" are two apart in ASCII, as are "{" and "}".
            if let next = rest.firstIndex(where: { !isSpace($0) }), rest[next] == byte + 2 {
                shown.append(byte + 2)
                rest = rest[(next + 1)...]
                isWord = false
                return
            }
            depth += 1
            startLine()
        }

        private mutating func startLine() {
            shown.append(0x0A)
            shown += repeatElement(0x20, count: 2 * min(depth, maximumDepth))
            isWord = false
            hasSpace = false
        }

        private mutating func addString(_ rest: inout ArraySlice<UInt8>) {
            shown.append(UInt8(ascii: "\""))
            var isEscaped = false
            while let byte = rest.popFirst() {
                shown.append(byte)
                if byte == UInt8(ascii: "\""), !isEscaped { break }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            isWord = false
        }

        private mutating func addWord(_ byte: UInt8) {
            guard !isSpace(byte) else {
                hasSpace = isWord
                return
            }
            if isWord, hasSpace { shown.append(0x20) }
            shown.append(byte)
            isWord = true
            hasSpace = false
        }
    }
}
