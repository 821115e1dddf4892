import GodwitSupport

/// Checks a string (RFC 8259 section 7) that may continue in the next chunk; decodes it if it is a key to compare.
struct StringScan: Sendable {
    private enum Phase: Sendable {
        case text
        case escape
        /// An escape of four hexadecimal digits: how many are missing, and the value so far.
        case digits(missing: Int, value: UInt16)
        /// The rest of a character: how many bytes are missing, and the range of the next one.
        case character(missing: Int, lower: UInt8, upper: UInt8)
    }

    private var phase = Phase.text
    /// The decoded text, if it was asked for.
    private(set) var key: KeyText?

    /// - Parameter isKept: Whether to decode the string.
    init(isKept: Bool = false) {
        key = isKept ? KeyText() : nil
    }

    /// Moves past the closing quote. Returns `false` if the chunk ends first.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) throws(GrammarFault) -> Bool {
        while offset < bytes.count {
            let byte = bytes[offset]
            switch phase {
            case .text:
                if try text(bytes, &offset) { return true }
            case .escape:
                try escape(byte, at: offset, in: bytes)
                offset &+= 1
            case .digits(let missing, let value):
                guard let digit = Hexadecimal.value(of: byte) else {
                    throw GrammarFault(expected: "a hexadecimal digit", at: offset, in: bytes)
                }
                let next = value << 4 | UInt16(digit)
                if missing == 1 { key?.append(unit: next) }
                phase = missing == 1 ? .text : .digits(missing: missing - 1, value: next)
                offset &+= 1
            case .character(let missing, let lower, let upper):
                guard lower...upper ~= byte else { throw GrammarFault(expected: "UTF-8", at: offset, in: bytes) }
                key?.append(byte)
                phase = missing == 1 ? .text : .character(missing: missing - 1, lower: 0x80, upper: 0xBF)
                offset &+= 1
            }
        }
        return false
    }

    /// Moves over plain text and to what follows it. Returns `true` after the closing quote.
    private mutating func text(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) throws(GrammarFault) -> Bool {
        let end = ByteScan.endOfASCIIText(in: bytes, from: offset)
        if end > offset { key?.append(UnsafeRawBufferPointer(rebasing: bytes[offset..<end])) }
        offset = end
        guard offset < bytes.count else { return false }
        let byte = bytes[offset]
        switch byte {
        case UInt8(ascii: "\""):
            key?.end()
            offset &+= 1
            return true
        case UInt8(ascii: "\\"): phase = .escape
        case ..<0x20: throw GrammarFault(expected: "an escape for the control character", at: offset, in: bytes)
        default:
            guard let next = Self.continuation(of: byte) else {
                throw GrammarFault(expected: "UTF-8", at: offset, in: bytes)
            }
            phase = next
            key?.append(byte)
        }
        offset &+= 1
        return false
    }

    private mutating func escape(
        _ byte: UInt8, at offset: Int, in bytes: UnsafeRawBufferPointer
    ) throws(GrammarFault) {
        phase = .text
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): key?.append(byte)
        case UInt8(ascii: "b"): key?.append(0x08)
        case UInt8(ascii: "f"): key?.append(0x0C)
        case UInt8(ascii: "n"): key?.append(0x0A)
        case UInt8(ascii: "r"): key?.append(0x0D)
        case UInt8(ascii: "t"): key?.append(0x09)
        case UInt8(ascii: "u"): phase = .digits(missing: 4, value: 0)
        default: throw GrammarFault(expected: "one of \"\\/bfnrtu after the backslash", at: offset, in: bytes)
        }
    }

    /// What must follow a character's first byte (RFC 3629 section 4).
    private static func continuation(of first: UInt8) -> Phase? {
        switch first {
        case 0xC2...0xDF: .character(missing: 1, lower: 0x80, upper: 0xBF)
        case 0xE0: .character(missing: 2, lower: 0xA0, upper: 0xBF)
        case 0xED: .character(missing: 2, lower: 0x80, upper: 0x9F)
        case 0xE1...0xEF: .character(missing: 2, lower: 0x80, upper: 0xBF)
        case 0xF0: .character(missing: 3, lower: 0x90, upper: 0xBF)
        case 0xF1...0xF3: .character(missing: 3, lower: 0x80, upper: 0xBF)
        case 0xF4: .character(missing: 3, lower: 0x80, upper: 0x8F)
        default: nil
        }
    }
}

/// The decoded bytes of a key, up to a limit.
struct KeyText: Sendable {
    /// Enough to compare any key of a sensible path; longer keys match none.
    private static let limit = 1024

    private(set) var bytes: [UInt8] = []
    /// Whether the key is longer than `bytes`.
    private(set) var isTruncated = false
    /// The first half of a surrogate pair.
    private var high: UInt16?

    mutating func append(_ byte: UInt8) {
        flush()
        add(byte)
    }

    mutating func append(_ run: UnsafeRawBufferPointer) {
        flush()
        let room = Self.limit - bytes.count
        isTruncated = isTruncated || run.count > room
        bytes.append(contentsOf: run.prefix(room))
    }

    /// Appends an escaped UTF-16 code unit. A surrogate without its partner becomes U+FFFD.
    mutating func append(unit: UInt16) {
        if let first = high, unit & 0xFC00 == 0xDC00 {
            high = nil
            add(scalar: 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(unit & 0x3FF)))
            return
        }
        flush()
        if unit & 0xFC00 == 0xD800 {
            high = unit
        } else {
            add(scalar: UInt32(unit))
        }
    }

    mutating func end() {
        flush()
    }

    private mutating func flush() {
        guard high != nil else { return }
        high = nil
        add(scalar: 0xFFFD)
    }

    private mutating func add(scalar: UInt32) {
        for byte in String(Character(UnicodeScalar(scalar) ?? "\u{FFFD}")).utf8 { add(byte) }
    }

    private mutating func add(_ byte: UInt8) {
        if bytes.count < Self.limit { bytes.append(byte) } else { isTruncated = true }
    }
}
