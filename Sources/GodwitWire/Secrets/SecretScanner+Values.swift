import GodwitSupport

// The values of secret names.
extension SecretScanner {
    mutating func readGap(_ byte: UInt8, after quote: Quote, _ amount: Bool) {
        if readLabel(byte) { return }
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D:
            emit(byte)
            label = byte == 0x0A ? 0 : label
        case UInt8(ascii: ":"), UInt8(ascii: "="):
            emit(byte)
            (state, previous) = (.beforeValue(.member(quote, amount: amount)), byte)
        default:
            (state, label) = (.text, nil)
            readText(byte)
        }
    }

    /// Reads the `data:` of an event stream's next line, which is between a name and its value.
    private mutating func readLabel(_ byte: UInt8) -> Bool {
        guard let count = label else { return false }
        let bytes = Array("data:".utf8)
        guard bytes[count] == byte else {
            label = nil
            return false
        }
        emit(byte)
        label = count + 1 < bytes.count ? count + 1 : nil
        return true
    }

    /// Reads what comes between a name and its value, and the first byte of the value.
    mutating func readStart(_ byte: UInt8, of value: Value) {
        if readLabel(byte) { return }
        switch byte {
        case 0x20, 0x09:
            if case .item(_, false) = value { return leave(byte) }
            emit(byte)
        case 0x0A, 0x0D:
            guard case .member = value else { return leave(byte) }
            emit(byte)
            label = byte == 0x0A ? 0 : label
        case UInt8(ascii: "\\"): held.append(byte)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): startQuoted(byte, value)
        case UInt8(ascii: "{"), UInt8(ascii: "["): startNested(byte, value)
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "&"),
            UInt8(ascii: "<"):
            leave(byte)
        case UInt8(ascii: ">"):
            // An arrow instead of a colon.
            guard case .member = value, previous == UInt8(ascii: "=") else { return leave(byte) }
            emit(byte)
        default: startBare(byte, value)
        }
        previous = byte
    }

    /// There is no value.
    private mutating func leave(_ byte: UInt8) {
        output += held
        held = []
        (state, label) = (.text, nil)
        readText(byte)
    }

    private mutating func startQuoted(_ byte: UInt8, _ value: Value) {
        isEmptyValue = true
        let quote = Quote(byte: byte, level: quoteLevel)
        if case .member(let own, _) = value, own.byte == byte, quote.level < own.level { return leave(byte) }
        output += held
        held = []
        emit(byte)
        hide(.quoted(quote))
    }

    private mutating func startNested(_ byte: UInt8, _ value: Value) {
        held = []
        switch value {
        case .member(let quote, _): hide(.nested(level: quote.level, depth: 1, inString: false), quotes: quote.bytes)
        case .argument, .item: hide(.nested(level: nil, depth: 1, inString: false))
        }
        noteHidden(byte)
    }

    private mutating func startBare(_ byte: UInt8, _ value: Value) {
        switch value {
        case .member(_, amount: true) where byte.isDigit || byte == UInt8(ascii: "-"): return leave(byte)
        // A sentence in a string, not JSON in it.
        case .member(let quote, _) where quote.level > 0 && !byte.isDigit && byte != UInt8(ascii: "-"):
            return leave(byte)
        case .member(let quote, _): hide(.bare(.member), quotes: quote.bytes)
        case .argument(_, _, isWholeLine: true): hide(.bare(.line))
        // A variable is only a name.
        case .argument where byte == UInt8(ascii: "$"): return leave(byte)
        case .argument(isStructured: true, _, _): hide(.bare(.argument))
        case .argument(_, let startsLine, _):
            hold(byte)
            return state = .token(isAlone: startsLine)
        case .item(let isPath, _): hide(.bare(isPath ? .path : .item))
        }
        noteHidden(held)
        noteHidden(byte)
        held = []
    }

    // MARK: Hidden values

    mutating func readQuoted(_ byte: UInt8, _ quote: Quote) {
        if byte == quote.byte, quoteLevel <= quote.level {
            endAtQuote(byte)
            if isEmptyValue { emptyQuote = quote }
            return
        }
        if byte != UInt8(ascii: "\\") { isEmptyValue = false }
        if quote.byte == UInt8(ascii: "'"), byte == 0x0A { return end(at: byte) }
        noteHidden(byte)
    }

    /// Whether a third quote starts a block string.
    mutating func startsBlock(_ byte: UInt8) -> Bool {
        guard let quote = emptyQuote, byte != UInt8(ascii: "\\") else { return false }
        emptyQuote = nil
        guard byte == quote.byte, quoteLevel == quote.level else { return false }
        hide(.block(quote, ending: 0))
        return true
    }

    mutating func readBlock(_ byte: UInt8, _ quote: Quote, _ ending: Int) {
        if byte == quote.byte, quoteLevel == quote.level {
            if ending < 2 {
                state = .block(quote, ending: ending + 1)
                return noteHidden(byte)
            }
            dropHidden(3 * quote.bytes.count - 1)
            show()
            emit(byte)
        } else {
            if byte != UInt8(ascii: "\\") { state = .block(quote, ending: 0) }
            noteHidden(byte)
        }
    }

    mutating func readNested(_ byte: UInt8, _ level: Int?, _ depth: Int, _ inString: Bool) {
        var (level, depth, inString) = (level, depth, inString)
        switch byte {
        case UInt8(ascii: "\""):
            let own = quoteLevel
            // The string around the value has ended.
            if let level, own < level { return endAtQuote(byte) }
            if level == nil || own == level { (level, inString) = (own, !inString) }
        case UInt8(ascii: "{"), UInt8(ascii: "["): if !inString { depth = depth.saturatingAdding(1) }
        case UInt8(ascii: "}"), UInt8(ascii: "]"): if !inString { depth -= 1 }
        default: break
        }
        noteHidden(byte)
        if depth == 0 { show() } else { state = .nested(level: level, depth: depth, inString: inString) }
    }

    mutating func readBare(_ byte: UInt8, _ ending: Ending) {
        let isOver =
            switch ending {
            case .member: ",}]\n\"".utf8.contains(byte)
            case .argument: byte <= 0x20 || ",)}]\"'".utf8.contains(byte)
            case .item: endsItem(byte)
            case .path: endsItem(byte) || "/?;#".utf8.contains(byte)
            case .line: byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: "\"")
            }
        if !isOver { return noteHidden(byte) }
        if byte == UInt8(ascii: "\"") { endAtQuote(byte) } else { end(at: byte) }
    }

    private func endsItem(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "&\"<>".utf8.contains(byte) || byte == UInt8(ascii: "#") && inQuery
    }

    /// Ends a value before this byte.
    private mutating func end(at byte: UInt8) {
        show()
        emitEscape()
        readText(byte)
    }

    /// Ends a value before a quotation mark, which may be escaped.
    private mutating func endAtQuote(_ byte: UInt8) {
        let quote = Quote(byte: byte, level: quoteLevel)
        // They belong to the quotation mark.
        dropHidden(min(backslashes, quote.bytes.count - 1))
        show()
        output += quote.bytes
        (previous, phraseQuote) = (byte, quote)
        word.solid = byte
        line.note(isSolid: true)
    }

    // MARK: Values that are held

    mutating func readToken(_ byte: UInt8, _ isAlone: Bool) {
        guard byte > 0x20, !"\"'\\,;)}]<>&=:".utf8.contains(byte) else {
            endToken(at: byte)
            emitEscape()
            return readText(byte)
        }
        hold(byte)
        guard held.count > 64 else { return }
        hide(.bare(.argument))
        noteHidden(held)
        held = []
    }

    mutating func endToken(at byte: UInt8?) {
        guard case .token(let isAlone) = state else { return }
        let isLast = byte == nil || byte == 0x0A || byte == 0x0D
        let bytes = held
        held = []
        if isAlone && isLast || Self.looksSecret(bytes) {
            hide(.bare(.argument))
            noteHidden(bytes)
            show()
        } else {
            replay(bytes)
        }
    }

    /// Whether a word is more than a word of a sentence.
    private static func looksSecret(_ bytes: [UInt8]) -> Bool {
        let hasLetter = bytes.contains { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
        return bytes.count >= 20 || bytes.count >= 6 && hasLetter && bytes.contains(where: \.isDigit)
    }

    private static let longestAuthority = 4096

    mutating func readAuthority(_ byte: UInt8) {
        if byte <= 0x20 || "/?#<>\"'\\".utf8.contains(byte) || held.count > Self.longestAuthority {
            endAuthority()
            emitEscape()
            return readText(byte)
        }
        hold(byte)
    }

    mutating func endAuthority() {
        let bytes = held
        held = []
        guard let sign = bytes.lastIndex(of: UInt8(ascii: "@")) else { return replay(bytes) }
        hide(.bare(.item))
        noteHidden(Array(bytes[..<sign]))
        show()
        replay(Array(bytes[sign...]))
    }

    // MARK: Elements and parts

    mutating func readElement(_ byte: UInt8, _ isEmpty: Bool, _ atTag: Bool) {
        switch (byte, atTag) {
        case (UInt8(ascii: "<"), false): state = .element(isEmpty: isEmpty, atTag: true)
        // CDATA or a comment.
        case (UInt8(ascii: "!"), true):
            if isEmpty { hide(.cdata(brackets: 0)) } else { state = .cdata(brackets: 0) }
        case (_, true):
            show()
            output.append(UInt8(ascii: "<"))
            (previous, tag) = (UInt8(ascii: "<"), nil)
            word.solid = previous
            readText(byte)
        case (0x20, _), (0x09, _), (0x0A, _), (0x0D, _):
            if isEmpty { emit(byte) } else { noteHidden(byte) }
        default:
            if isEmpty { hide(.element(isEmpty: false, atTag: false)) }
            noteHidden(byte)
        }
    }

    mutating func readCDATA(_ byte: UInt8, _ brackets: Int) {
        noteHidden(byte)
        switch byte {
        case UInt8(ascii: "]"): state = .cdata(brackets: brackets.saturatingAdding(1))
        case UInt8(ascii: ">") where brackets > 1: state = .element(isEmpty: false, atTag: false)
        default: state = .cdata(brackets: 0)
        }
    }

    mutating func readPart(_ byte: UInt8, _ dashes: Int?) {
        switch (byte, dashes) {
        case (0x0A, _): state = .part(dashes: 0)
        case (UInt8(ascii: "-"), 0?): state = .part(dashes: 1)
        case (UInt8(ascii: "-"), 1?):
            show()
            line = ScannedLine()
            output += "\r\n--".utf8
            previous = byte
            return
        default: state = .part(dashes: nil)
        }
        noteHidden(byte)
    }
}
