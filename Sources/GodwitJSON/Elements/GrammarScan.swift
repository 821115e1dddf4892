/// Checks the grammar of JSON (RFC 8259) chunk by chunk, without recursion, and reports values, keys and ends.
struct GrammarScan: Sendable {
    enum Event: Sendable {
        /// The first byte of a value is next. Call ``enter(_:_:)``, or skip it and call ``leaveValue()``.
        case value
        /// A key ended; ``key`` has it.
        case key
        /// A string, number or literal ended.
        case scalar
        /// An object or array ended.
        case close
    }

    private enum Phase: Sendable {
        case start
        case value, firstElement
        case key, firstKey, colon
        case afterValue
        case keyText, text, number, literal
    }

    private var phase = Phase.start
    /// For each open container, whether it is an object.
    private var containers: [Bool] = []
    private var string = StringScan()
    private var number = NumberScan()
    private var literal = LiteralScan()
    private var markedBytes = 0
    let maximumDepth: Int

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    /// Open objects and arrays.
    var depth: Int { containers.count }

    /// The key that ended, if keys are kept.
    var key: KeyText? { string.key }

    /// Moves to the next event in a container of at most `level` open ones, and checks the rest on the way.
    ///
    /// - Parameters:
    ///   - level: The deepest container whose events are reported.
    ///   - keepsKeys: Whether to decode the keys of the container at that level.
    /// - Returns: `nil` if the chunk ends first.
    mutating func next(
        in bytes: UnsafeRawBufferPointer, _ offset: inout Int, level: Int, keepsKeys: Bool
    ) throws(GrammarFault) -> Event? {
        while offset < bytes.count {
            guard let event = try step(bytes, &offset, keepsKey: keepsKeys && depth == level) else { continue }
            if depth <= level { return event }
            if event == .value { try enter(bytes, &offset) }
        }
        return nil
    }

    /// Consumes a token, or a part of one. Returns an event if one occurred.
    private mutating func step(
        _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, keepsKey: Bool
    ) throws(GrammarFault) -> Event? {
        switch phase {
        case .text:
            return try string.scan(bytes, &offset) ? end(.scalar) : nil
        case .number:
            return try number.scan(bytes, &offset) ? end(.scalar) : nil
        case .literal:
            return try literal.scan(bytes, &offset) ? end(.scalar) : nil
        case .keyText:
            guard try string.scan(bytes, &offset) else { return nil }
            phase = .colon
            return .key
        case .start:
            try skipByteOrderMark(bytes, &offset)
            return nil
        case .value, .firstElement, .key, .firstKey, .colon, .afterValue:
            skipSpace(bytes, &offset)
            guard offset < bytes.count else { return nil }
            return try punctuation(bytes[offset], bytes, &offset, keepsKey: keepsKey)
        }
    }

    private func skipSpace(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) {
        while offset < bytes.count {
            let byte = bytes[offset]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            offset &+= 1
        }
    }

    private mutating func punctuation(
        _ byte: UInt8, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, keepsKey: Bool
    ) throws(GrammarFault) -> Event? {
        switch (phase, byte) {
        case (.firstElement, UInt8(ascii: "]")), (.firstKey, UInt8(ascii: "}")):
            offset &+= 1
            containers.removeLast()
            return end(.close)
        case (.value, _), (.firstElement, _):
            return .value
        case (.key, UInt8(ascii: "\"")), (.firstKey, UInt8(ascii: "\"")):
            string = StringScan(isKept: keepsKey)
            phase = .keyText
        case (.colon, UInt8(ascii: ":")):
            phase = .value
        case (.afterValue, _):
            return try afterValue(byte, bytes, &offset)
        default:
            throw GrammarFault(expected: expected, at: offset, in: bytes)
        }
        offset &+= 1
        return nil
    }

    private mutating func afterValue(
        _ byte: UInt8, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(GrammarFault) -> Event? {
        let isObject = containers.last
        switch (byte, isObject) {
        case (UInt8(ascii: ","), .some(let isObject)):
            phase = isObject ? .key : .value
            offset &+= 1
            return nil
        case (UInt8(ascii: "}"), true), (UInt8(ascii: "]"), false):
            offset &+= 1
            containers.removeLast()
            return end(.close)
        default:
            throw GrammarFault(expected: expected, at: offset, in: bytes)
        }
    }

    /// Consumes the first byte of a value.
    mutating func enter(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) throws(GrammarFault) {
        let byte = bytes[offset]
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < maximumDepth else { throw GrammarFault(expected: "less nesting", at: offset, in: bytes) }
            containers.append(byte == UInt8(ascii: "{"))
            phase = byte == UInt8(ascii: "{") ? .firstKey : .firstElement
        case UInt8(ascii: "\""):
            string = StringScan()
            phase = .text
        default:
            if let scan = NumberScan(first: byte) {
                number = scan
                phase = .number
            } else if let scan = LiteralScan(first: byte) {
                literal = scan
                phase = .literal
            } else {
                throw GrammarFault(expected: expected, at: offset, in: bytes)
            }
        }
        offset &+= 1
    }

    /// Continues after a value that the caller skipped.
    mutating func leaveValue() {
        phase = .afterValue
    }

    private mutating func end(_ event: Event) -> Event {
        phase = .afterValue
        return event
    }

    /// Skips a byte order mark, which some servers send (RFC 8259 section 8.1).
    private mutating func skipByteOrderMark(
        _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(GrammarFault) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        while offset < bytes.count, markedBytes < mark.count {
            guard bytes[offset] == mark[markedBytes] else {
                if markedBytes > 0 { throw GrammarFault(expected: expected, at: offset, in: bytes) }
                break
            }
            markedBytes += 1
            offset &+= 1
        }
        if markedBytes == 0 || markedBytes == mark.count { phase = .value }
    }

    /// Whether the document can end here.
    var isComplete: Bool {
        containers.isEmpty && (phase == .afterValue || phase == .number && number.isComplete)
    }

    /// What the grammar requires next.
    var expected: String {
        switch phase {
        case .start, .value: "a value"
        case .firstElement: "a value or \"]\""
        case .key: "a key in quotes"
        case .firstKey: "a key in quotes or \"}\""
        case .colon: "\":\""
        case .keyText, .text: "the string's closing quote"
        case .number: number.isComplete ? expectedAfterValue : "a digit"
        case .literal: literal.word
        case .afterValue: expectedAfterValue
        }
    }

    private var expectedAfterValue: String {
        switch containers.last {
        case nil: "the end of the document"
        case true?: "\",\" or \"}\""
        case false?: "\",\" or \"]\""
        }
    }
}

/// Checks `true`, `false` or `null`, which may continue in the next chunk.
struct LiteralScan: Sendable {
    /// The word that must follow.
    let word: String
    private var position = 1

    init?(first: UInt8) {
        switch first {
        case UInt8(ascii: "t"): word = "true"
        case UInt8(ascii: "f"): word = "false"
        case UInt8(ascii: "n"): word = "null"
        default: return nil
        }
    }

    /// Before the first literal.
    init() {
        word = "null"
    }

    /// Moves past the word. Returns `false` if the chunk ends first.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) throws(GrammarFault) -> Bool {
        for byte in word.utf8.dropFirst(position) {
            guard offset < bytes.count else { return false }
            guard bytes[offset] == byte else { throw GrammarFault(expected: word, at: offset, in: bytes) }
            offset &+= 1
            position &+= 1
        }
        return true
    }
}
