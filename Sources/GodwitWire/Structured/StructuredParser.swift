import GodwitSupport

/// Parses structured fields (RFC 9651 section 4.2). A field that isn't valid as a whole has no value.
///
/// Every step reads on or fails, so the time is linear in the length.
package struct StructuredParser {
    private var rest: ArraySlice<UInt8>

    private init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    /// Parses a dictionary; `nil` if the text isn't one. Join several field lines by commas first.
    package static func dictionary(_ text: String) -> StructuredDictionary? {
        parse(text) { $0.dictionary() }
    }

    /// Parses a list; `nil` if the text isn't one.
    package static func list(_ text: String) -> [StructuredMember]? {
        parse(text) { $0.list() }
    }

    /// Parses an item; `nil` if the text isn't one.
    package static func item(_ text: String) -> StructuredItem? {
        parse(text) { $0.item() }
    }

    private static func parse<Value>(_ text: String, _ body: (inout StructuredParser) -> Value?) -> Value? {
        var parser = StructuredParser(text)
        parser.skipSpaces()
        guard let value = body(&parser) else { return nil }
        parser.skipSpaces()
        return parser.rest.isEmpty ? value : nil
    }

    /// Whether a text is a valid key (RFC 9651 section 3.1.2).
    package static func isKey(_ text: String) -> Bool {
        guard let first = text.utf8.first, isKeyStart(first) else { return false }
        return text.utf8.allSatisfy(isKeyByte)
    }

    /// Whether a text is a valid token (RFC 9651 section 3.3.4).
    static func isToken(_ text: String) -> Bool {
        guard let first = text.utf8.first, isTokenStart(first) else { return false }
        return text.utf8.allSatisfy(isTokenByte)
    }

    private static func isKeyStart(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "*") }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        isKeyStart(byte) || byte.isDigit || "_-.".utf8.contains(byte)
    }

    private static func isTokenStart(_ byte: UInt8) -> Bool {
        byte.isLetter || byte == UInt8(ascii: "*")
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        Token.isTokenByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/")
    }
}

// Lists, dictionaries, items.
extension StructuredParser {
    private mutating func list() -> [StructuredMember]? {
        var members: [StructuredMember] = []
        while !rest.isEmpty {
            guard let member = member() else { return nil }
            members.append(member)
            guard skipComma() else { return nil }
        }
        return members
    }

    private mutating func dictionary() -> StructuredDictionary? {
        var members = StructuredDictionary()
        while !rest.isEmpty {
            guard let key = key() else { return nil }
            if skip("=") {
                guard let member = member() else { return nil }
                members.set(member, for: key)
            } else {
                guard let parameters = parameters() else { return nil }
                members.set(.item(StructuredItem(.boolean(true), parameters)), for: key)
            }
            guard skipComma() else { return nil }
        }
        return members
    }

    /// Skips a comma, which must not be the last. `true` also at the end.
    private mutating func skipComma() -> Bool {
        skipBlanks()
        if rest.isEmpty { return true }
        guard skip(",") else { return false }
        skipBlanks()
        return !rest.isEmpty
    }

    private mutating func member() -> StructuredMember? {
        guard rest.first == UInt8(ascii: "(") else { return item().map(StructuredMember.item) }
        return innerList().map(StructuredMember.innerList)
    }

    private mutating func innerList() -> StructuredInnerList? {
        guard skip("(") else { return nil }
        var items: [StructuredItem] = []
        while true {
            skipSpaces()
            if skip(")") { return parameters().map { StructuredInnerList(items, $0) } }
            guard let item = item(), rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: ")") else {
                return nil
            }
            items.append(item)
        }
    }

    private mutating func item() -> StructuredItem? {
        guard let value = bareItem(), let parameters = parameters() else { return nil }
        return StructuredItem(value, parameters)
    }

    private mutating func parameters() -> StructuredParameters? {
        var parameters = StructuredParameters()
        while skip(";") {
            skipSpaces()
            guard let key = key() else { return nil }
            guard skip("=") else {
                parameters.set(.boolean(true), for: key)
                continue
            }
            guard let value = bareItem() else { return nil }
            parameters.set(value, for: key)
        }
        return parameters
    }

    private mutating func key() -> String? {
        guard let first = rest.first, Self.isKeyStart(first) else { return nil }
        return read(while: Self.isKeyByte)
    }
}

// Bare items (RFC 9651 section 4.2.3.1).
extension StructuredParser {
    private mutating func bareItem() -> StructuredBareItem? {
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string().map(StructuredBareItem.string)
        case UInt8(ascii: ":"): return bytes()
        case UInt8(ascii: "?"): return boolean()
        case UInt8(ascii: "@"):
            rest.removeFirst()
            guard case .integer(let seconds)? = number() else { return nil }
            return .date(seconds)
        case UInt8(ascii: "%"): return displayString()
        case _ where Self.isTokenStart(first): return .token(read(while: Self.isTokenByte))
        default: return number()
        }
    }

    private mutating func number() -> StructuredBareItem? {
        let sign: Int64 = skip("-") ? -1 : 1
        let whole = read(while: \.isDigit)
        guard skip(".") else {
            guard (1...15).contains(whole.utf8.count), let number = Int64(whole) else { return nil }
            return .integer(sign * number)
        }
        let fraction = read(while: \.isDigit)
        guard (1...12).contains(whole.utf8.count), (1...3).contains(fraction.utf8.count),
            let number = Int64(whole + fraction + String(repeating: "0", count: 3 - fraction.utf8.count))
        else { return nil }
        return .decimal(thousandths: sign * number)
    }

    private mutating func string() -> String? {
        guard skip("\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst(), next == UInt8(ascii: "\"") || next == byte else { return nil }
                bytes.append(next)
            case 0x20...0x7E: bytes.append(byte)
            default: return nil
            }
        }
        return nil
    }

    private mutating func bytes() -> StructuredBareItem? {
        guard skip(":") else { return nil }
        var base64 = read { $0 != UInt8(ascii: ":") }
        guard skip(":") else { return nil }
        // Padding is optional for the sender (RFC 9651 section 4.2.7).
        while base64.utf8.count % 4 != 0, !base64.hasSuffix("===") { base64 += "=" }
        return Data(base64Encoded: base64).map { .bytes(Array($0)) }
    }

    private mutating func boolean() -> StructuredBareItem? {
        guard skip("?") else { return nil }
        if skip("1") { return .boolean(true) }
        return skip("0") ? .boolean(false) : nil
    }

    private mutating func displayString() -> StructuredBareItem? {
        guard skip("%"), skip("\"") else { return nil }
        let encoded = read { $0 != UInt8(ascii: "\"") }
        guard skip("\""), encoded.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return PercentEncoding.decode(encoded).map { .displayString($0) }
    }
}

// Bytes.
extension StructuredParser {
    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == 0x20 } }

    private mutating func skipBlanks() { rest = rest.drop(while: \.isBlank) }

    private mutating func read(while isPart: (UInt8) -> Bool) -> String {
        let found = rest.prefix(while: isPart)
        rest = rest[found.endIndex...]
        return String(decoding: found, as: UTF8.self)
    }
}
