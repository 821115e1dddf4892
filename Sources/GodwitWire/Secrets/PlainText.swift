import GodwitSupport

/// A text without escapes, with the range of each byte in the text as written.
///
/// Percent-encoding, escapes of JSON and entities of XML are undone. Backslashes, blanks, line breaks, `+` and `-` are left
/// out: encodings add or replace them.
struct PlainText: Sendable {
    private enum State: Sendable {
        case text
        /// Backslashes from this offset on.
        case backslash(Int)
        /// Digits after `\u`, which starts at this offset.
        case unicode(Int, value: UInt32, count: Int)
        /// Digits after `\x`, which starts at this offset, as C, Python and JavaScript write bytes.
        case byte(Int, value: UInt8, count: Int)
        /// Digits after `\u{`, as Swift, Rust and JavaScript write characters.
        case braces(Int, value: UInt32, count: Int)
        /// Digits after a `%`, which itself may be encoded.
        case percent(Int, signEnd: Int, high: UInt8?)
        /// An entity that starts at this offset.
        case entity(Int)
    }

    /// How many bytes in a row are left out. More separate.
    private static let longestGap = 8
    private static let longestEntity = 10

    private(set) var plain: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []
    private(set) var bytes: [UInt8] = []
    private var state = State.text
    private var gap = 0
    /// The first half of a character above U+FFFF, and its start.
    private var half: (value: UInt32, start: Int)?

    /// The plain form of a whole text.
    static func plain(_ text: [UInt8]) -> [UInt8] {
        var plain = PlainText()
        for byte in text { plain.append(byte) }
        plain.finish()
        return plain.plain
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        read(at: bytes.count - 1)
    }

    mutating func finish() {
        for _ in 0...Self.longestEntity { giveUp(at: bytes.count) }
    }

    /// Forgets what was decided.
    mutating func removeFirst(_ count: Int, written: Int) {
        guard count > 0 || written > 0 else { return }
        plain.removeFirst(count)
        ranges = ranges.dropFirst(count).map { $0.lowerBound - written..<$0.upperBound - written }
        bytes.removeFirst(written)
        half?.start -= written
        switch state {
        case .text: break
        case .backslash(let start): state = .backslash(start - written)
        case .unicode(let start, let value, let count): state = .unicode(start - written, value: value, count: count)
        case .byte(let start, let value, let count): state = .byte(start - written, value: value, count: count)
        case .braces(let start, let value, let count): state = .braces(start - written, value: value, count: count)
        case .percent(let start, let end, let high):
            state = .percent(start - written, signEnd: end - written, high: high)
        case .entity(let start): state = .entity(start - written)
        }
    }

    /// The offset from which the text as written isn't in ``plain`` yet.
    var openStart: Int {
        if let half { return half.start }
        return switch state {
        case .text: bytes.count
        case .backslash(let start), .unicode(let start, _, _), .byte(let start, _, _), .braces(let start, _, _),
            .percent(let start, _, _), .entity(let start):
            start
        }
    }

    private mutating func read(at index: Int) {
        let byte = bytes[index]
        switch state {
        case .text: readText(byte, index)
        case .backslash(let start): readEscaped(byte, start, index)
        case .byte(let start, let value, let count):
            guard let digit = Hexadecimal.value(of: byte) else { return giveUp(at: index) }
            if count == 0 { return state = .byte(start, value: digit, count: 1) }
            state = .text
            add(value << 4 | digit, start..<index + 1)
        case .braces(let start, let value, let count):
            if byte == UInt8(ascii: "}"), count > 0 {
                state = .text
                return add(Unicode.Scalar(value) ?? "\u{FFFD}", start..<index + 1)
            }
            guard let digit = Hexadecimal.value(of: byte), count < 6 else { return giveUp(at: index) }
            state = .braces(start, value: value << 4 | UInt32(digit), count: count + 1)
        case .unicode(let start, 0, 0) where byte == UInt8(ascii: "{"): state = .braces(start, value: 0, count: 0)
        case .unicode(let start, let value, let count):
            guard let digit = Hexadecimal.value(of: byte) else { return giveUp(at: index) }
            let value = value << 4 | UInt32(digit)
            if count < 3 { return state = .unicode(start, value: value, count: count + 1) }
            state = .text
            add(codeUnit: value, start..<index + 1)
        case .percent(let start, let signEnd, let high):
            guard let digit = Hexadecimal.value(of: byte) else { return giveUp(at: index) }
            guard let high else { return state = .percent(start, signEnd: signEnd, high: digit) }
            let value = high << 4 | digit
            state = value == UInt8(ascii: "%") ? .percent(start, signEnd: index + 1, high: nil) : .text
            if value != UInt8(ascii: "%") { add(value, start..<index + 1) }
        case .entity(let start):
            guard byte == UInt8(ascii: ";") else {
                if !byte.isEntityByte || index - start > Self.longestEntity { giveUp(at: index) }
                return
            }
            guard let scalar = Self.scalar(of: bytes[start + 1..<index]) else { return giveUp(at: index) }
            state = .text
            add(scalar, start..<index + 1)
        }
    }

    private mutating func readText(_ byte: UInt8, _ index: Int) {
        switch byte {
        case UInt8(ascii: "\\"): state = .backslash(index)
        case UInt8(ascii: "%"): state = .percent(index, signEnd: index + 1, high: nil)
        case UInt8(ascii: "&"): state = .entity(index)
        default: add(byte, index..<index + 1)
        }
    }

    private mutating func readEscaped(_ byte: UInt8, _ start: Int, _ index: Int) {
        switch byte {
        case UInt8(ascii: "\\"): if index - start > Self.longestGap { add(0, start..<index + 1) } else { return }
        case UInt8(ascii: "u"): return state = .unicode(start, value: 0, count: 0)
        case UInt8(ascii: "x"): return state = .byte(start, value: 0, count: 0)
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): break
        default:
            state = .text
            return byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&")
                ? readText(byte, index) : add(byte, start..<index + 1)
        }
        state = .text
    }

    /// Takes the start of an escape as it is, and reads again what follows it.
    private mutating func giveUp(at end: Int) {
        let next: Int
        switch state {
        case .text: return
        case .backslash: next = end
        case .unicode(let start, _, let count):
            next = end - count
            add(UInt8(ascii: "u"), start..<next)
        case .byte(let start, _, let count):
            next = end - count
            add(UInt8(ascii: "x"), start..<next)
        case .braces(let start, _, let count):
            next = end - count
            add(UInt8(ascii: "u"), start..<next - 1)
            add(UInt8(ascii: "{"), next - 1..<next)
        case .percent(let start, let signEnd, _):
            next = signEnd
            add(UInt8(ascii: "%"), start..<next)
        case .entity(let start):
            next = start + 1
            add(UInt8(ascii: "&"), start..<next)
        }
        state = .text
        let last = min(end, bytes.count - 1)
        if next <= last { for index in next...last { read(at: index) } }
    }

    private mutating func add(_ byte: UInt8, _ range: Range<Int>) {
        half = nil
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "+"), UInt8(ascii: "-"):
            gap += 1
            guard gap == Self.longestGap else { return }
            plain.append(0)
        // As Base64 for URLs has it.
        case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
        default: plain.append(byte)
        }
        gap = 0
        ranges.append(range)
    }

    private mutating func add(codeUnit value: UInt32, _ range: Range<Int>) {
        if let half, (0xDC00..<0xE000).contains(value) {
            let whole = 0x10000 + (half.value - 0xD800) << 10 + (value - 0xDC00)
            return add(Unicode.Scalar(whole) ?? "\u{FFFD}", half.start..<range.upperBound)
        }
        if (0xD800..<0xDC00).contains(value) { return half = (value, range.lowerBound) }
        add(Unicode.Scalar(value) ?? "\u{FFFD}", range)
    }

    private mutating func add(_ scalar: Unicode.Scalar, _ range: Range<Int>) {
        var range = range
        for byte in String(scalar).utf8 {
            add(byte, range)
            range = range.upperBound..<range.upperBound
        }
    }

    private static func scalar(of entity: ArraySlice<UInt8>) -> Unicode.Scalar? {
        switch String(decoding: entity, as: UTF8.self) {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case let text where text.hasPrefix("#"):
            let digits = text.dropFirst()
            let value = digits.asciiLowercasedPrefix == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap { Unicode.Scalar($0) }
        default: return nil
        }
    }
}

extension Substring {
    fileprivate var asciiLowercasedPrefix: String { String(prefix(1)).asciiLowercased }
}

extension UInt8 {
    fileprivate var isEntityByte: Bool { isDigit || isLetter || self == UInt8(ascii: "#") }
}
