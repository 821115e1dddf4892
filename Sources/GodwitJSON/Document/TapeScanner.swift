/// Parses JSON (RFC 8259) in one pass without recursion: checks the grammar and fills a ``Tape``.
struct TapeScanner: ~Copyable {
    /// Where parsing stopped, and why.
    struct Failure: Error {
        let offset: Int
        let expected: StaticString
    }

    let bytes: UnsafePointer<UInt8>
    let end: Int
    let maximumDepth: Int
    var tape: TapeBuilder
    var position = 0
    /// The open array or object that contains the position; ``none`` at the top level.
    private var container = Self.none
    private var depth = 0

    private static let none = UInt32.max

    /// - Parameter maximumDepth: How deeply arrays and objects can be nested.
    private init(_ buffer: UnsafeBufferPointer<UInt8>, base: UnsafePointer<UInt8>, maximumDepth: Int) {
        bytes = base
        end = buffer.count
        self.maximumDepth = maximumDepth
        tape = TapeBuilder(length: buffer.count)
    }

    /// Parses the whole document.
    ///
    /// - Parameter isKept: Whether the tape is kept for long, and so takes no more memory than it needs.
    static func tape(
        _ buffer: UnsafeBufferPointer<UInt8>, base: UnsafePointer<UInt8>, maximumDepth: Int, isKept: Bool
    ) throws(Failure) -> Tape {
        var scanner = TapeScanner(buffer, base: base, maximumDepth: maximumDepth)
        try scanner.scan()
        return scanner.finish(isKept: isKept)
    }

    private consuming func finish(isKept: Bool) -> Tape { tape.finish(isKept: isKept) }

    private mutating func scan() throws(Failure) {
        repeat {
            try value()
            try afterValue()
        } while container != Self.none
        guard position == end else { throw failure("the end of the document") }
    }

    /// Parses a value up to its end, or up to the first value inside of it.
    @inline(__always)
    private mutating func value() throws(Failure) {
        while true {
            skipSpace()
            guard position < end else { throw failure("a value") }
            switch bytes[position] {
            case UInt8(ascii: "\""): return try string(.string)
            case UInt8(ascii: "{"):
                try open(.object)
                if closes(UInt8(ascii: "}")) { return close() }
                try key()
            case UInt8(ascii: "["):
                try open(.array)
                if closes(UInt8(ascii: "]")) { return close() }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
            default: return try literal()
            }
        }
    }

    /// Parses what follows a value, up to the start of the next value or the end of the document.
    @inline(__always)
    private mutating func afterValue() throws(Failure) {
        while true {
            skipSpace()
            guard container != Self.none else { return }
            let isObject = tape.entries[Int(container)].kind == .object
            guard position < end else { throw failure(isObject ? "\",\" or \"}\"" : "\",\" or \"]\"") }
            switch (bytes[position], isObject) {
            case (UInt8(ascii: ","), true):
                position &+= 1
                skipSpace()
                return try key()
            case (UInt8(ascii: ","), false):
                position &+= 1
                return
            case (UInt8(ascii: "}"), true), (UInt8(ascii: "]"), false):
                position &+= 1
                close()
            default: throw failure(isObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
            }
        }
    }

    @inline(__always)
    private mutating func key() throws(Failure) {
        guard position < end, bytes[position] == UInt8(ascii: "\"") else { throw failure("a key in quotes") }
        try string(.key)
        let entry = tape.entries[tape.count &- 1]
        if entry.notes.contains(.hasEscapes) { try checkKey(entry) }
        skipSpace()
        guard position < end, bytes[position] == UInt8(ascii: ":") else { throw failure("\":\"") }
        position &+= 1
    }

    /// Unlike those of other strings, the surrogates of keys are checked here: a key that can't be read would hide its
    /// value.
    @inline(never)
    private func checkKey(_ entry: TapeEntry) throws(Failure) {
        let text = UnsafeBufferPointer(start: bytes + Int(entry.start), count: Int(entry.length))
        guard StringText(bytes: text, notes: entry.notes).string != nil else {
            throw Failure(offset: Int(entry.start), expected: "a key of valid Unicode")
        }
    }

    @inline(__always)
    private mutating func open(_ kind: TapeEntry.Kind) throws(Failure) {
        guard depth < maximumDepth else { throw failure("less nesting") }
        depth &+= 1
        container = tape.append(
            TapeEntry(
                start: UInt32(truncatingIfNeeded: position), length: container, next: 0, kind: kind, notes: []))
        position &+= 1
    }

    /// Skips the end of an array or object that is empty.
    @inline(__always)
    private mutating func closes(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < end, bytes[position] == byte else { return false }
        position &+= 1
        return true
    }

    @inline(__always)
    private mutating func close() {
        let closed = tape.entries + Int(container)
        container = closed.pointee.length
        closed.pointee.length = UInt32(truncatingIfNeeded: position) &- closed.pointee.start
        closed.pointee.next = UInt32(truncatingIfNeeded: tape.count)
        depth &-= 1
    }

    @inline(__always)
    private mutating func skipSpace() {
        if position < end, bytes[position] <= 0x20 { skipLongSpace() }
    }

    /// Indentation is skipped eight spaces at a time.
    private mutating func skipLongSpace() {
        repeat {
            // Of the bytes up to the space only LF, CR and the tab.
            guard 0x1_0000_2600 >> UInt64(bytes[position]) & 1 != 0 else { return }
            position &+= 1
            position &+= ByteScan.spaces(bytes, from: position, to: end)
        } while position < end && bytes[position] <= 0x20
    }

    @inline(never)
    func failure(_ expected: StaticString) -> Failure { Failure(offset: position, expected: expected) }
}
