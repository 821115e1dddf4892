/// Reads the common grammar of field values left to right: tokens, quoted strings and whitespace (RFC 9110 section
/// 5.6).
struct FieldScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text.utf8[...]
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte; `nil` at the end.
    var next: UInt8? { rest.first }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        rest = rest.drop(while: \.isBlank)
    }

    /// Skips one byte if it is the given one.
    mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads up to a matching byte, or to the end.
    @discardableResult
    mutating func read(until isEnd: (UInt8) -> Bool) -> String {
        let found = rest.prefix { !isEnd($0) }
        rest = rest[found.endIndex...]
        return String(Substring(found))
    }

    /// Reads a token; `nil` if there is none here.
    mutating func token() -> String? {
        let token = read { !Token.isTokenByte($0) }
        return token.isEmpty ? nil : token
    }

    /// Reads a quoted string without its backslashes; `nil` if no quote starts here. The closing quote may be missing.
    mutating func quotedString() -> String? {
        guard skip("\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A parameter value with a character set and language (RFC 8187 section 3.2): `UTF-8'en'na%C3%AFve`.
enum ExtendedValue {
    /// The text; `nil` if the value has another form, or a character set other than UTF-8 and ISO-8859-1.
    static func decoded(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        switch String(parts[0]).asciiLowercased {
        case "utf-8": return PercentEncoding.decode(parts[2])
        case "iso-8859-1": return latin(parts[2])
        default: return nil
        }
    }

    private static func latin(_ text: Substring) -> String? {
        var scalars = String.UnicodeScalarView()
        var rest = text.utf8[...]
        while let next = rest.popFirst() {
            guard next == UInt8(ascii: "%") else {
                scalars.append(Unicode.Scalar(next))
                continue
            }
            guard let byte = PercentEncoding.byte(rest.prefix(2)) else { return nil }
            scalars.append(Unicode.Scalar(byte))
            rest.removeFirst(2)
        }
        return String(scalars)
    }
}
