import Godwit

/// Why a text is not JSON, and where.
struct InvalidJSON: Error, CustomStringConvertible {
    let reason: String
    /// In bytes, from 0.
    let offset: Int

    var description: String { "\(reason) at byte \(offset + 1)" }
}

/// Reads a JSON text (RFC 8259) strictly.
struct JSONTextParser {
    private static let depthLimit = 512

    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses a text that contains one value.
    static func parse(_ text: some Sequence<UInt8>) throws(InvalidJSON) -> JSONText {
        let bytes = Array(text)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw InvalidJSON(reason: "invalid UTF-8", offset: 0)
        }
        var parser = JSONTextParser(bytes)
        let value = try parser.value(depth: 0)
        parser.skipBlanks()
        guard parser.index == bytes.count else { throw parser.fault("unexpected text after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(InvalidJSON) -> JSONText {
        guard depth < Self.depthLimit else { throw fault("more than \(Self.depthLimit) nested levels") }
        skipBlanks()
        switch peek {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .token(try string())
        case UInt8(ascii: "t"): return .token(try word("true"))
        case UInt8(ascii: "f"): return .token(try word("false"))
        case UInt8(ascii: "n"): return .token(try word("null"))
        case nil: throw fault("missing value")
        default: return .token(try number())
        }
    }

    private mutating func members(depth: Int) throws(InvalidJSON) -> [JSONText.Member] {
        index += 1
        var members: [JSONText.Member] = []
        while try continues(to: "}", isFirst: members.isEmpty) {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw fault("missing name in quotes") }
            let name = try string()
            skipBlanks()
            guard skip(":") else { throw fault("missing colon") }
            members.append(.init(name: name, value: try value(depth: depth + 1)))
        }
        return members
    }

    private mutating func elements(depth: Int) throws(InvalidJSON) -> [JSONText] {
        index += 1
        var elements: [JSONText] = []
        while try continues(to: "]", isFirst: elements.isEmpty) { elements.append(try value(depth: depth + 1)) }
        return elements
    }

    /// Returns whether another item follows. Skips the bracket or comma.
    private mutating func continues(to end: Unicode.Scalar, isFirst: Bool) throws(InvalidJSON) -> Bool {
        skipBlanks()
        if skip(end) { return false }
        guard isFirst || skip(",") else { throw fault("missing comma or \(end)") }
        return true
    }

    private mutating func string() throws(InvalidJSON) -> String {
        let start = index
        index += 1
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw fault("control character in a string") }
            index += 1
            if byte == UInt8(ascii: "\\") { try escape() }
        }
        guard skip("\"") else { throw fault("unterminated string") }
        return text(from: start)
    }

    private mutating func escape() throws(InvalidJSON) {
        guard let letter = peek, "\"\\/bfnrtu".utf8.contains(letter) else { throw fault("unknown escape") }
        index += 1
        guard letter == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard let digit = peek, Character(Unicode.Scalar(digit)).isHexDigit else {
                throw fault("missing hexadecimal digits")
            }
            index += 1
        }
    }

    private mutating func number() throws(InvalidJSON) -> String {
        let start = index
        _ = skip("-")
        let leading = peek
        let count = digits()
        guard count > 0 else { throw unexpected() }
        guard count == 1 || leading != UInt8(ascii: "0") else { throw fault("number with a leading 0") }
        if skip("."), digits() == 0 { throw fault("missing digits after the decimal point") }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            if digits() == 0 { throw fault("missing exponent") }
        }
        return text(from: start)
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    private mutating func word(_ word: String) throws(InvalidJSON) -> String {
        guard bytes[index...].starts(with: word.utf8) else { throw unexpected() }
        index += word.utf8.count
        return word
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek, Unicode.Scalar(byte) == character else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private func unexpected() -> InvalidJSON {
        fault("unexpected \"\(String(decoding: bytes[index...], as: UTF8.self).prefix(1))\"")
    }

    private func fault(_ reason: String) -> InvalidJSON {
        InvalidJSON(reason: reason, offset: index)
    }
}
