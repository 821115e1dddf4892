import GodwitSupport

// The part of a text that is shown.
extension SecretScanner {
    mutating func readText(_ byte: UInt8) {
        if emptyQuote != nil, startsBlock(byte) { return }
        if item != nil, readItem(byte) { return }
        emit(byte)
        switch byte {
        case UInt8(ascii: "\\"): word.clear()
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            // An escaped line break separates words.
            if isControl { word.end() } else { readCharacter(byte) }
        case UInt8(ascii: "\""), UInt8(ascii: "'"): readQuote(byte)
        case UInt8(ascii: "="): readEquals()
        case UInt8(ascii: ":"): readColon()
        case UInt8(ascii: "/"): readSlash()
        case UInt8(ascii: "<"), UInt8(ascii: ">"): readTag(byte)
        case 0x0A, 0x0D: readNewline(byte)
        case 0x20, 0x09: readBlank(byte)
        default: readCharacter(byte)
        }
        previous = byte
    }

    /// Whether a letter stands for a control character.
    private var isControl: Bool { !isEscaped && previous == UInt8(ascii: "\\") && backslashes % 2 == 1 }

    private mutating func readCharacter(_ byte: UInt8) {
        slashes = 0
        phrase.append(byte)
        if ScannedName.allows(byte, inside: word.isOpen) {
            line.note(isSolid: byte != UInt8(ascii: "-"), startsWord: !word.isOpen)
            return word.append(byte, after: previous)
        }
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "#"): inQuery = true
        case UInt8(ascii: "("): parentheses = parentheses.saturatingAdding(1)
        case UInt8(ascii: ")"): parentheses = max(0, parentheses - 1)
        default: break
        }
        endWord(byte)
    }

    private mutating func endWord(_ byte: UInt8) {
        word.clear()
        word.solid = byte
        line.note(isSolid: true)
    }

    private mutating func readBlank(_ byte: UInt8) {
        if word.isOpen, word.before == UInt8(ascii: "<") { tag = word.name }
        word.end()
        phrase.append(byte)
        line.note(isSolid: false)
        (inQuery, slashes) = (false, 0)
    }

    mutating func readQuote(_ byte: UInt8) {
        let quote = Quote(byte: byte, level: quoteLevel)
        slashes = 0
        if phraseQuote == quote, phrase.hasLetter {
            let meaning = meaning(of: phrase)
            if line.readsPartName {
                line.notePart(isSecret: meaning.isSecret)
            } else if meaning.isSecret {
                state = .afterName(quote, amount: meaning.countsTokens)
            }
        }
        phrase.clear()
        phraseQuote = quote
        endWord(byte)
    }

    private mutating func readEquals() {
        phrase.append(UInt8(ascii: "="))
        defer { endWord(UInt8(ascii: "=")) }
        guard !word.name.isEmpty else { return }
        line.readsPartName = line.isDisposition && word.name.text.asciiLowercased == "name"
        let isItem = "?&#;".utf8.contains(word.before) || word.before == 0 && !isProse
        let meaning = meaning(of: word.name)
        if meaning.isSecret || isItem && meaning.isSecretItem {
            let isPath = word.before == UInt8(ascii: ";") && !inQuery
            state = .beforeValue(.item(isPath: isPath, allowsBlank: !word.isOpen))
        } else if isItem, depth < 3 {
            item = EncodedItem(extraNames, depth: depth + 1)
        }
    }

    private mutating func readColon() {
        phrase.append(UInt8(ascii: ":"))
        defer { endWord(UInt8(ascii: ":")) }
        guard !word.name.isEmpty else { return }
        let startsLine = line.wordIsFirst && !isProse
        if startsLine { line.isDisposition = word.name.text.asciiLowercased == "content-disposition" }
        let meaning = meaning(of: word.name)
        // What follows a variable is its type.
        guard meaning.isSecret, word.name.bytes.first != UInt8(ascii: "$") else { return }
        state = .beforeValue(
            .argument(
                isStructured: !isProse && word.isArgument(parentheses), startsLine: startsLine,
                isWholeLine: startsLine && meaning.isWholeLine))
    }

    private mutating func readSlash() {
        phrase.append(UInt8(ascii: "/"))
        // The end of an element has one too.
        let isTag = previous == UInt8(ascii: "<")
        endWord(UInt8(ascii: "/"))
        slashes = isTag ? 0 : slashes + 1
        if slashes == 2 {
            slashes = 0
            state = .authority
        }
    }

    private mutating func readTag(_ byte: UInt8) {
        phrase.append(byte)
        defer { endWord(byte) }
        guard byte == UInt8(ascii: ">") else { return tag = nil }
        if word.isOpen, word.before == UInt8(ascii: "<") { tag = word.name }
        if !isProse, let tag, previous != UInt8(ascii: "/"), meaning(of: tag).isSecret {
            state = .element(isEmpty: true, atTag: false)
        }
        tag = nil
    }

    private mutating func readNewline(_ byte: UInt8) {
        word.end()
        phrase.clear()
        phraseQuote = nil
        (inQuery, slashes) = (false, 0)
        if byte == 0x0A, line.end() { hide(.part(dashes: 0)) }
    }

    // MARK: Encoded values of items

    /// Reads a byte of an item's value, which may be encoded JSON or an encoded URL. Returns whether nothing else is to be
    /// done with it.
    private mutating func readItem(_ byte: UInt8) -> Bool {
        guard var encoded = item else { return false }
        if isEscaped || byte <= 0x20 || "&\"<>".utf8.contains(byte) || byte == UInt8(ascii: "#") && inQuery {
            output += encoded.rest
            item = nil
            return false
        }
        item = nil
        let step = encoded.read(byte)
        switch step {
        case .pending:
            item = encoded
            return true
        case .hide:
            hide(.bare(.item))
            return true
        case .plain:
            item = encoded
            return false
        case .show(let bytes):
            output += bytes
            item = encoded
            word.clear()
            previous = byte
            return true
        }
    }
}

/// The value of an item of a query or form, decoded as it is read.
struct EncodedItem: Sendable {
    enum Step {
        /// Nothing is known yet.
        case pending
        /// Show the byte as any other.
        case plain
        case show([UInt8])
        /// Hide the rest of the value.
        case hide
    }

    private static let longestStart = 256

    private let extraNames: Set<String>
    private let depth: Int
    /// Empty until a byte is encoded, as most values have none. An array, as a value can't contain its own type.
    private var inner: [SecretScanner] = []
    private var start: [UInt8] = []
    /// The start of an encoded byte.
    private(set) var rest: [UInt8] = []

    init(_ extraNames: Set<String>, depth: Int) {
        (self.extraNames, self.depth) = (extraNames, depth)
    }

    mutating func read(_ byte: UInt8) -> Step {
        guard !rest.isEmpty || byte == UInt8(ascii: "%") else {
            return holdsSecret(byte == UInt8(ascii: "+") ? 0x20 : byte) ? .hide : .plain
        }
        guard rest.isEmpty || byte.isHexDigit else {
            defer { rest = [] }
            return .show(rest + [byte])
        }
        rest.append(byte)
        guard rest.count == 3 else { return .pending }
        defer { rest = [] }
        let value = UInt8(String(decoding: rest.dropFirst(), as: UTF8.self), radix: 16) ?? 0
        return holdsSecret(value) ? .hide : .show(rest)
    }

    private mutating func holdsSecret(_ byte: UInt8) -> Bool {
        if inner.isEmpty {
            start.append(byte)
            guard !rest.isEmpty || start.count > Self.longestStart else { return false }
            inner = [SecretScanner(extraNames, isProse: false, depth: depth)]
            for byte in start { inner[0].read(byte) }
            start = []
        } else {
            inner[0].read(byte)
        }
        inner[0].output.removeAll(keepingCapacity: true)
        return inner[0].hiddenCount > 0
    }
}
