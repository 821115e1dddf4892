/// A word or a mark of a GraphQL document, with its place.
struct GraphQLToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case name, mark, number, string, end
    }

    let kind: Kind
    /// The text as written; for a string its content.
    let text: String
    let position: SourcePlace.Position
    /// In bytes from the start of the document.
    let range: Range<Int>
}

/// Cuts a document into tokens (GraphQL specification, section 2.1).
struct GraphQLLexer {
    static let sizeLimit = 16 << 20

    private let file: String
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    private var counted = (offset: 0, column: 0)

    /// - Throws: `.invalid` if the document is too large or not UTF-8.
    init(_ source: SourceFile) throws(GenerationError) {
        file = source.name
        bytes = Array(source.data)
        guard bytes.count <= Self.sizeLimit else {
            throw GenerationError(.invalid, "the document is larger than 16 MiB", at: SourcePlace(file: file))
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw GenerationError(.invalid, "the document is not UTF-8 text", at: SourcePlace(file: file))
        }
    }

    /// All tokens, with one of the kind `end` after them.
    mutating func tokens() throws(GenerationError) -> [GraphQLToken] {
        var tokens: [GraphQLToken] = []
        while let token = try next() { tokens.append(token) }
        tokens.append(GraphQLToken(kind: .end, text: "", position: position, range: offset..<offset))
        return tokens
    }

    /// The column counts characters, from the last position on: a line may be long.
    private var position: SourcePlace.Position {
        mutating get {
            let start = max(lineStart, counted.offset)
            let column =
                bytes[start..<offset].count { $0 & 0xC0 != 0x80 } + (counted.offset > lineStart ? counted.column : 0)
            counted = (offset, column)
            return .init(line: line, column: column + 1)
        }
    }

    private func fault(_ reason: String, _ position: SourcePlace.Position) -> GenerationError {
        GenerationError(.invalid, reason, at: SourcePlace(file: file, position: position))
    }

    private mutating func next() throws(GenerationError) -> GraphQLToken? {
        skipBlanks()
        guard offset < bytes.count else { return nil }
        let (start, place, byte) = (offset, position, bytes[offset])
        if byte == UInt8(ascii: "\"") { return try string(place) }
        if Self.isNameStart(byte) {
            offset = end(from: offset) { Self.isNameStart($0) || Self.isDigit($0) }
            return token(.name, start, place)
        }
        if Self.isDigit(byte) || byte == UInt8(ascii: "-") {
            try number(place)
            return token(.number, start, place)
        }
        if bytes[offset...].starts(with: "...".utf8) {
            offset += 3
            return token(.mark, start, place)
        }
        guard "!$&():=@[]{}|".utf8.contains(byte) else {
            throw fault("unexpected character; GraphQL has none with the code \(byte) here", place)
        }
        offset += 1
        return token(.mark, start, place)
    }

    private func token(_ kind: GraphQLToken.Kind, _ start: Int, _ place: SourcePlace.Position) -> GraphQLToken {
        GraphQLToken(
            kind: kind, text: String(decoding: bytes[start..<offset], as: UTF8.self), position: place,
            range: start..<offset)
    }

    private func end(from start: Int, while matches: (UInt8) -> Bool) -> Int {
        bytes[min(start, bytes.count)...].firstIndex { !matches($0) } ?? bytes.count
    }

    private mutating func skipBlanks() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, UInt8(ascii: ","): offset += 1
            case 0x0A, 0x0D: newLine()
            case UInt8(ascii: "#"): offset = end(from: offset) { $0 != 0x0A && $0 != 0x0D }
            // A byte order mark.
            case 0xEF where bytes[offset...].starts(with: [0xEF, 0xBB, 0xBF]): offset += 3
            default: return
            }
        }
    }

    /// Skips LF, CR, or both as one.
    private mutating func newLine() {
        offset += bytes[offset...].starts(with: [0x0D, 0x0A]) ? 2 : 1
        line += 1
        lineStart = offset
    }

    // MARK: Numbers (section 2.9.1)

    private mutating func number(_ place: SourcePlace.Position) throws(GenerationError) {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let whole = offset
        try digits(place)
        if bytes[whole] == UInt8(ascii: "0"), offset > whole + 1 { throw fault("a number can't start with 0", place) }
        if takes(".") { try digits(place) }
        if takes("e") || takes("E") {
            if !takes("+") { _ = takes("-") }
            try digits(place)
        }
        guard offset < bytes.count, Self.isNameStart(bytes[offset]) || bytes[offset] == UInt8(ascii: ".") else {
            return
        }
        let end = end(from: offset) { Self.isNameStart($0) || Self.isDigit($0) || $0 == UInt8(ascii: ".") }
        let text = String(decoding: bytes[start..<min(end, start + 40)], as: UTF8.self)
        throw fault("\"\(text)\" is not a number", place)
    }

    private mutating func digits(_ place: SourcePlace.Position) throws(GenerationError) {
        let start = offset
        offset = end(from: offset, while: Self.isDigit)
        if offset == start { throw fault("a digit is missing in the number", place) }
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    // MARK: Strings (section 2.9.4)

    private mutating func string(_ place: SourcePlace.Position) throws(GenerationError) -> GraphQLToken {
        let start = offset
        if bytes[offset...].starts(with: "\"\"\"".utf8) {
            offset += 3
            let text = GraphQLBlockString.value(of: try block(place))
            return GraphQLToken(kind: .string, text: text, position: place, range: start..<offset)
        }
        offset += 1
        var text: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                let text = String(decoding: text, as: UTF8.self)
                return GraphQLToken(kind: .string, text: text, position: place, range: start..<offset)
            case 0x0A, 0x0D: throw fault("the string doesn't end on its line", place)
            case UInt8(ascii: "\\"): text += String(try escape(place)).utf8
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw fault("the string has no end", place)
    }

    /// The text of a block string up to its closing quotes.
    private mutating func block(_ place: SourcePlace.Position) throws(GenerationError) -> String {
        var text: [UInt8] = []
        while offset < bytes.count {
            let rest = bytes[offset...]
            if rest.starts(with: "\"\"\"".utf8) {
                offset += 3
                return String(decoding: text, as: UTF8.self)
            }
            if rest.starts(with: "\\\"\"\"".utf8) {
                text += "\"\"\"".utf8
                offset += 4
            } else if bytes[offset] == 0x0A || bytes[offset] == 0x0D {
                text.append(0x0A)
                newLine()
            } else {
                text.append(bytes[offset])
                offset += 1
            }
        }
        throw fault("the string has no end", place)
    }

    private mutating func escape(_ place: SourcePlace.Position) throws(GenerationError) -> Unicode.Scalar {
        guard offset + 1 < bytes.count else { throw fault("the string has no end", place) }
        let letter = Unicode.Scalar(bytes[offset + 1])
        offset += 2
        if letter == "u" { return try unicode(place) }
        let escapes: [Unicode.Scalar: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        guard let scalar = escapes[letter] else {
            throw fault("the string has an unknown escape: \\\(letter.isASCII ? String(letter) : "…")", place)
        }
        return scalar
    }

    /// What follows `\u`: four digits, a pair of surrogates, or digits in braces.
    private mutating func unicode(_ place: SourcePlace.Position) throws(GenerationError) -> Unicode.Scalar {
        if takes("{") {
            let value = hexadecimal(upTo: 8)
            if takes("}"), let value, let scalar = Unicode.Scalar(value) { return scalar }
        } else if let high = hexadecimal(exactly: 4) {
            if let scalar = Unicode.Scalar(high) { return scalar }
            if (0xD800...0xDBFF).contains(high), takes("\\"), takes("u"), let low = hexadecimal(exactly: 4),
                (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
            {
                return scalar
            }
        }
        throw fault("the string has an escape that is not a Unicode character", place)
    }

    private mutating func hexadecimal(exactly count: Int) -> UInt32? {
        let start = offset
        let value = hexadecimal(upTo: count)
        return offset - start == count ? value : nil
    }

    private mutating func hexadecimal(upTo count: Int) -> UInt32? {
        let digits = bytes[offset...].prefix(count).prefix { Unicode.Scalar($0).properties.isASCIIHexDigit }
        offset += digits.count
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// The value of a block string (GraphQL specification, section 2.9.4).
enum GraphQLBlockString {
    /// Removes the indentation that all lines but the first have, and blank lines at both ends.
    ///
    /// - Parameter text: The text between the quotes. Lines end with LF.
    static func value(of text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let indentation = lines.dropFirst().compactMap { line in
            line.firstIndex { !isBlank($0) }.map {
                line.distance(from: line.startIndex, to: $0)
            }
        }.min()
        if let indentation {
            for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(indentation) }
        }
        let isEmpty = { (line: Substring) in line.allSatisfy(isBlank) }
        guard let first = lines.firstIndex(where: { !isEmpty($0) }), let last = lines.lastIndex(where: { !isEmpty($0) })
        else { return "" }
        return lines[first...last].joined(separator: "\n")
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}
