/// The bytes of a possible name, up to a limit.
struct ScannedName: Sendable {
    private static let limit = 256

    private(set) var bytes: [UInt8] = []
    private(set) var isTooLong = false

    /// Whether it can be a name.
    private(set) var hasLetter = false

    var isEmpty: Bool { bytes.isEmpty }

    /// The name, decoded if it is percent-encoded.
    var text: String {
        let text = String(decoding: bytes, as: UTF8.self)
        return PercentEncoding.decode(text) ?? text
    }

    mutating func append(_ byte: UInt8) {
        if bytes.count < Self.limit { bytes.append(byte) } else { isTooLong = true }
        if byte >= 0x40 { hasLetter = true }
    }

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        (isTooLong, hasLetter) = (false, false)
    }

    /// Whether a name without quotes can have this byte.
    static func allows(_ byte: UInt8, inside: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "["), UInt8(ascii: "]"): inside
        default: "_-.$%@~".utf8.contains(byte)
        }
    }
}

/// The latest word without quotes.
struct ScannedWord: Sendable {
    private(set) var name = ScannedName()
    /// Whether the word can get more bytes. Otherwise only blanks came after it.
    private(set) var isOpen = false
    /// The byte before the word; 0 at the start of the text.
    private(set) var before: UInt8 = 0
    /// The last byte that belongs to no word and isn't a blank.
    var solid: UInt8 = 0
    private var solidBefore: UInt8 = 0

    mutating func append(_ byte: UInt8, after previous: UInt8) {
        if !isOpen {
            name.clear()
            (isOpen, before, solidBefore) = (true, previous, solid)
        }
        name.append(byte)
    }

    mutating func end() { isOpen = false }

    mutating func clear() {
        name.clear()
        isOpen = false
    }

    /// Whether the word is the name of an argument: `f(name: 1, other: 2)`.
    func isArgument(_ parentheses: Int) -> Bool {
        if "({[".utf8.contains(solidBefore) { return true }
        return parentheses > 0
            && (solidBefore == UInt8(ascii: ",") || before != solidBefore && solidBefore == UInt8(ascii: "\""))
    }
}

/// What is known of the current line.
struct ScannedLine: Sendable {
    private var isEmpty = true
    private var hasSolid = false
    /// Whether the latest word is the first one.
    private(set) var wordIsFirst = false
    /// Whether the line is the `Content-Disposition` of a part.
    var isDisposition = false
    /// Whether the next phrase in quotes is the name of the part.
    var readsPartName = false
    /// Whether the value of the part is a secret.
    private var partIsSecret = false

    mutating func note(isSolid: Bool, startsWord: Bool = false) {
        isEmpty = false
        if startsWord { wordIsFirst = !hasSolid }
        if isSolid { hasSolid = true }
    }

    mutating func notePart(isSecret: Bool) {
        (partIsSecret, readsPartName) = (isSecret, false)
    }

    /// Ends the line. Returns whether the secret value of a part follows.
    mutating func end() -> Bool {
        let startsValue = isEmpty && partIsSecret
        let partIsSecret = partIsSecret && !isEmpty
        self = ScannedLine()
        self.partIsSecret = partIsSecret
        return startsValue
    }
}

/// Values that were hidden in a text, within limits.
struct SecretFindings: Sendable {
    private static let countLimit = 200
    private static let sizeLimit = 8192

    private(set) var values: [String] = []
    private var current: [UInt8]?

    mutating func start() { current = [] }

    mutating func add(_ bytes: [UInt8]) {
        guard let count = current?.count, count < Self.sizeLimit else { return }
        current?.append(contentsOf: bytes)
    }

    mutating func dropLast(_ count: Int) { current = current.map { Array($0.dropLast(count)) } }

    mutating func end() {
        guard let bytes = current else { return }
        current = nil
        let text = String(decoding: bytes, as: UTF8.self).trimmingBlanks
        if !text.isEmpty, values.count < Self.countLimit { values.append(text) }
    }
}

extension UInt8 {
    var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
}
