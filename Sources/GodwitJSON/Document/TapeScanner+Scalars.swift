import GodwitSupport

extension TapeScanner {
    /// Parses a string or key, from its first quote.
    @inline(__always)
    mutating func string(_ kind: TapeEntry.Kind) throws(Failure) {
        let start = position &+ 1
        var (notes, nonASCII) = (TapeEntry.Notes(), false)
        position = ByteScan.endOfPlainText(bytes, from: start, to: end, nonASCII: &nonASCII)
        while position >= end || bytes[position] != UInt8(ascii: "\"") {
            notes = .hasEscapes
            try escape()
            position = ByteScan.endOfPlainText(bytes, from: position, to: end, nonASCII: &nonASCII)
        }
        if nonASCII { try checkUTF8(from: start) }
        add(kind, from: start, notes)
        position &+= 1
    }

    /// Checks the string up to the position (RFC 8259, section 8.1).
    @inline(never)
    private func checkUTF8(from start: Int) throws(Failure) {
        let text = UnsafeBufferPointer(start: bytes + start, count: position &- start)
        if let invalid = UTF8Text.firstInvalid(text) {
            throw Failure(offset: start &+ invalid, expected: "valid UTF-8")
        }
    }

    /// Skips an escape sequence. Whether surrogates are paired is checked when the string is read.
    @inline(never)
    private mutating func escape() throws(Failure) {
        guard position < end else { throw failure("the string's closing quote") }
        guard bytes[position] == UInt8(ascii: "\\") else { throw failure("an escape for the control character") }
        position &+= 1
        guard position < end else { throw failure("the rest of an escape") }
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
        case UInt8(ascii: "u"):
            position &+= 1
            for _ in 0..<4 {
                guard position < end, Hexadecimal.value(of: bytes[position]) != nil else {
                    throw failure("four hexadecimal digits")
                }
                position &+= 1
            }
        default: throw failure("one of \"\\/bfnrtu after the backslash")
        }
    }

    /// Parses a number; its value is computed when it is read.
    @inline(__always)
    mutating func number() throws(Failure) {
        let start = position
        var notes = TapeEntry.Notes()
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        if position < end, bytes[position] == UInt8(ascii: "0") {
            position &+= 1
            guard position >= end || !isDigit(bytes[position]) else { throw failure("no digit after a leading zero") }
        } else {
            try digits()
        }
        if position < end, bytes[position] == UInt8(ascii: ".") {
            notes = .isFractional
            position &+= 1
            try digits()
        }
        if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
            notes = .isFractional
            position &+= 1
            if position < end, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position &+= 1
            }
            try digits()
        }
        add(.number, from: start, notes)
    }

    /// Skips one digit or more.
    @inline(__always)
    private mutating func digits() throws(Failure) {
        guard position < end, isDigit(bytes[position]) else { throw failure("a digit") }
        repeat { position &+= 1 } while position < end && isDigit(bytes[position])
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// Parses `true`, `false` or `null`.
    mutating func literal() throws(Failure) {
        let start = position
        switch bytes[position] {
        case UInt8(ascii: "t"):
            try skip("true")
            add(.true, from: start, [])
        case UInt8(ascii: "f"):
            try skip("false")
            add(.false, from: start, [])
        case UInt8(ascii: "n"):
            try skip("null")
            add(.null, from: start, [])
        default: throw failure("a value")
        }
    }

    /// Skips a word whose first letter was seen.
    @inline(__always)
    private mutating func skip(_ word: StaticString) throws(Failure) {
        let last = word.utf8CodeUnitCount &- 4
        if position &+ last &+ 4 <= end,
            UnsafeRawPointer(bytes + position + last).loadUnaligned(as: UInt32.self)
                == UnsafeRawPointer(word.utf8Start + last).loadUnaligned(as: UInt32.self)
        {
            position &+= last &+ 4
            return
        }
        for offset in 0..<word.utf8CodeUnitCount {
            guard position < end, bytes[position] == word.utf8Start[offset] else { throw failure(word) }
            position &+= 1
        }
    }

    @inline(__always)
    private mutating func add(_ kind: TapeEntry.Kind, from start: Int, _ notes: TapeEntry.Notes) {
        _ = tape.append(
            TapeEntry(
                start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: position &- start),
                next: UInt32(truncatingIfNeeded: tape.count &+ 1), kind: kind, notes: notes))
    }
}
