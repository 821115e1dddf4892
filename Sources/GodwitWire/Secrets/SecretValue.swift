import GodwitSupport

/// The value that follows a secret name, as the name tells it.
enum SecretValue: Sendable {
    /// After a quoted name.
    case member(level: Int, quote: UInt8, isAmount: Bool)
    /// After a name without quotes and a colon. In a structure, every value is a secret; otherwise one that looks like one.
    /// `rest` is the end of a value that has all of its line or string.
    case argument(isStructured: Bool, startsLine: Bool, rest: SecretEnding?)
    /// After a name without quotes and an equals sign.
    case item(inQuery: Bool, isPath: Bool, allowsBlank: Bool)
}

extension SecretText {
    private static let longestWord = 64

    /// Reads what comes between a name and its value, and decides where the value ends.
    mutating func readStart(of value: SecretValue, in text: inout SecretInput) -> Bool {
        let index = text.position
        switch text.bytes[index] {
        case 0x20, 0x09:
            if case .item(_, _, allowsBlank: false) = value { return leave() }
            text.position += 1
        case 0x0A, 0x0D:
            guard case .member = value else { return leave() }
            text.position += 1
        case UInt8(ascii: ">"):
            // An arrow instead of a colon.
            guard case .member = value, text[index - 1] == UInt8(ascii: "=") else { return leave() }
            text.position += 1
        case UInt8(ascii: "&"), UInt8(ascii: "<"): return leave()
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
            guard case .item = value else { return leave() }
            return readBare(value, in: &text)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var (quotes, level): ([UInt8], Int) = ([], 0)
            if case .member(let own, let quote, _) = value {
                quotes = SecretEnding.written(quote, own)
                level = own
            }
            hideBracket(level, in: &text, quotes)
        default:
            guard let quote = text.end(from: index, while: { $0 == UInt8(ascii: "\\") }) else { return false }
            guard let byte = text[quote], byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else {
                return readBare(value, in: &text)
            }
            return readQuoted(value, byte, text.quoteLevel(at: quote), quote + 1, in: &text)
        }
        return true
    }

    private mutating func leave() -> Bool {
        awaited = nil
        return true
    }

    mutating func hide(_ ending: SecretEnding, in text: inout SecretInput, _ quotes: [UInt8] = []) {
        text.startHiding(quotes + SecretScanner.mark.utf8 + quotes)
        hiding = ending
        awaited = nil
    }

    /// Hides an object or array.
    mutating func hideBracket(_ level: Int, in text: inout SecretInput, _ quotes: [UInt8]) {
        hide(.bracket(level: level, depth: 1, inString: false), in: &text, quotes)
        text.hide(upTo: text.position + 1)
    }

    private mutating func readQuoted(
        _ value: SecretValue, _ quote: UInt8, _ level: Int, _ start: Int, in text: inout SecretInput
    ) -> Bool {
        // The quotation mark that ends the text around it.
        if case .member(let own, quote, _) = value, level < own { return leave() }
        let mark = SecretEnding.written(quote, level)
        guard let isBlock = text.has(mark + mark, at: start) else { return false }
        text.position = isBlock ? start + 2 * mark.count : start
        hide(.quote(quote, level: level, isBlock: isBlock), in: &text)
        return true
    }

    private mutating func readBare(_ value: SecretValue, in text: inout SecretInput) -> Bool {
        let byte = text.bytes[text.position]
        let isNumber = byte.isDigit || byte == UInt8(ascii: "-")
        switch value {
        case .member(_, _, isAmount: true) where isNumber: return leave()
        case .member(let level, let quote, _) where isNumber || level == 0 && depth == 0:
            hide(.scalar, in: &text, SecretEnding.written(quote, level))
        case .argument(_, _, let rest?): hide(rest, in: &text)
        // A variable is only a name.
        case .argument where byte == UInt8(ascii: "$"): return leave()
        case .argument(isStructured: true, _, _): hide(.argument, in: &text)
        case .argument(_, let startsLine, _): return readWord(isAlone: startsLine, in: &text)
        case .member: return readWord(isAlone: false, in: &text)
        case .item(let inQuery, let isPath, _): hide(.item(inQuery: inQuery, isPath: isPath), in: &text)
        }
        return true
    }

    /// Hides a word if it is more than a word of a sentence.
    private mutating func readWord(isAlone: Bool, in text: inout SecretInput) -> Bool {
        let index = text.position
        let end = text.end(from: index) { $0 > 0x20 && !"\"'\\,;)}]<>&=:".utf8.contains($0) }
        guard let end else {
            guard text.bytes.count - index > Self.longestWord else { return false }
            hide(.argument, in: &text)
            return true
        }
        let word = text.bytes[index..<end]
        if Self.schemes.contains(String(decoding: word, as: UTF8.self).asciiLowercased) {
            text.position = end
            return true
        }
        awaited = nil
        let isLast = text[end].map { $0 == 0x0A || $0 == 0x0D } ?? true
        guard end - index > Self.longestWord || isAlone && isLast || Self.looksSecret(word) else { return true }
        text.startHiding()
        text.hide(upTo: end)
        return true
    }

    /// What comes before the credentials of an `Authorization`.
    private static let schemes: Set<String> = ["bearer", "basic", "token", "digest", "apikey", "dpop"]

    private static func looksSecret(_ word: ArraySlice<UInt8>) -> Bool {
        let hasLetter = word.contains { $0.isLetter }
        return word.count >= 20 || word.count >= 6 && hasLetter && word.contains(where: \.isDigit)
    }
}
