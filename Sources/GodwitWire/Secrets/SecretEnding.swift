import GodwitSupport

/// Where a hidden value ends.
enum SecretEnding: Sendable {
    /// At this quotation mark, escaped so often, or at three of them.
    case quote(UInt8, level: Int, isBlock: Bool)
    /// At the bracket that closes the value. Strings in it have quotation marks of this level.
    case bracket(level: Int, depth: Int, inString: Bool)
    /// A value of JSON without quotes.
    case scalar
    /// The value of an argument.
    case argument
    /// The value of an item in a URL or form, or of a parameter in its path.
    case item(inQuery: Bool, isPath: Bool)
    /// An item of a form, which only `&` ends.
    case formItem
    /// The rest of the text.
    case text
    /// The rest of a line.
    case line
    case webToken
    /// Before a text, such as the end tag of an element.
    case before([UInt8])

    /// Hides the bytes of the value that are known. Returns whether it has ended.
    mutating func hide(in text: inout SecretInput) -> Bool {
        switch self {
        case .quote(let quote, let level, let isBlock): hideString(in: &text, quote, level, isBlock)
        case .bracket(let level, let depth, let inString): hideBrackets(in: &text, level, depth, inString)
        case .before(let ending): hide(in: &text, before: ending)
        case .scalar: hide(in: &text) { ",}]\n\"".utf8.contains($0) }
        case .argument: hide(in: &text) { $0 <= 0x20 || ",)}]\"'".utf8.contains($0) }
        case .item(let inQuery, let isPath):
            hide(in: &text) { byte in
                Self.endsItem(byte, inQuery: inQuery) || isPath && "/?;#".utf8.contains(byte)
            }
        case .formItem: hideFormItem(in: &text)
        case .text: hide(in: &text) { _ in false }
        case .line: hide(in: &text) { $0 == 0x0A || $0 == 0x0D }
        case .webToken: hide(in: &text) { !$0.isWebTokenByte && $0 != UInt8(ascii: ".") }
        }
    }

    static func endsItem(_ byte: UInt8, inQuery: Bool) -> Bool {
        byte <= 0x20 || "&\"<>".utf8.contains(byte) || byte == UInt8(ascii: "#") && inQuery
    }

    /// What ends the value if the text doesn't.
    var closing: [UInt8] {
        guard case .quote(let quote, let level, let isBlock) = self else { return [] }
        let mark = Self.written(quote, level)
        return isBlock ? mark + mark + mark : mark
    }

    /// A quotation mark that is escaped so often.
    static func written(_ quote: UInt8, _ level: Int) -> [UInt8] {
        Array(repeating: UInt8(ascii: "\\"), count: (1 << min(level, 8)) - 1) + [quote]
    }

    private func hide(in text: inout SecretInput, until isEnd: (UInt8) -> Bool) -> Bool {
        let end = text.bytes[text.position...].firstIndex(where: isEnd)
        // The backslashes of a quotation mark belong to it.
        let isQuote = end.map { text.bytes[$0] == UInt8(ascii: "\"") } ?? !text.isWhole
        text.hide(upTo: isQuote ? text.unescaped(end ?? text.bytes.count) : end ?? text.bytes.count)
        return end != nil
    }

    private mutating func hideFormItem(in text: inout SecretInput) -> Bool {
        let hasEnded = hide(in: &text) { $0 == UInt8(ascii: "&") || $0 < 0x20 }
        guard hasEnded, text.bytes[text.position] != UInt8(ascii: "&") else { return hasEnded }
        // A form has no line breaks: this is another text, in which `&` may be a part of the value.
        self = .text
        return hide(in: &text)
    }

    private func hideString(in text: inout SecretInput, _ quote: UInt8, _ level: Int, _ isBlock: Bool) -> Bool {
        for index in text.position..<text.bytes.count {
            let byte = text.bytes[index]
            // An apostrophe looks like a quotation mark.
            if byte == 0x0A, quote == UInt8(ascii: "'") {
                text.hide(upTo: index)
                return true
            }
            guard byte == quote else { continue }
            let own = text.quoteLevel(at: index)
            guard isBlock ? own == level : own <= level else { continue }
            let start = max(text.position, index + 1 - Self.written(quote, own).count)
            guard let isEnd = text.has(isBlock ? closing : [], at: start) else {
                text.hide(upTo: start)
                return false
            }
            guard isEnd else { continue }
            text.hide(upTo: start)
            text.position = isBlock ? start + closing.count : index + 1
            return true
        }
        text.hide(upTo: text.isWhole ? text.bytes.count : text.unescaped(text.bytes.count))
        return false
    }

    private mutating func hideBrackets(
        in text: inout SecretInput, _ level: Int, _ depth: Int, _ inString: Bool
    ) -> Bool {
        var (depth, inString, index) = (depth, inString, text.position)
        while index < text.bytes.count, depth > 0 {
            let byte = text.bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let own = text.quoteLevel(at: index)
                // The string around the value has ended.
                if own < level {
                    text.hide(upTo: text.unescaped(index))
                    return true
                }
                if own == level { inString.toggle() }
            case UInt8(ascii: "{"), UInt8(ascii: "["): if !inString { depth = depth.saturatingAdding(1) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if !inString { depth -= 1 }
            default: break
            }
            index += 1
        }
        text.hide(upTo: index)
        self = .bracket(level: level, depth: depth, inString: inString)
        return depth == 0
    }

    private func hide(in text: inout SecretInput, before ending: [UInt8]) -> Bool {
        var index = text.position
        while index < text.bytes.count {
            if text.bytes[index] == ending.first {
                guard let isEnd = text.has(ending, at: index) else { break }
                if isEnd {
                    text.hide(upTo: index)
                    return true
                }
            }
            index += 1
        }
        text.hide(upTo: index)
        return false
    }
}
