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
            offset = end(from: offset + 1) { Self.isNameStart($0) || Self.isDigit($0) || "+-.".utf8.contains($0) }
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
            case 0x20, 0x09, 0x0D, UInt8(ascii: ","): offset += 1
            case 0x0A: newLine()
            case UInt8(ascii: "#"): offset = end(from: offset) { $0 != 0x0A }
            // A byte order mark.
            case 0xEF where offset == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]): offset = 3
            default: return
            }
        }
    }

    private mutating func newLine() {
        offset += 1
        line += 1
        lineStart = offset
    }

    private mutating func string(_ place: SourcePlace.Position) throws(GenerationError) -> GraphQLToken {
        let start = offset
        let quotes = bytes[offset...].starts(with: "\"\"\"".utf8) ? 3 : 1
        offset += quotes
        let content = offset
        while offset < bytes.count {
            if bytes[offset...].prefix(quotes).elementsEqual(repeatElement(UInt8(ascii: "\""), count: quotes)) {
                // Only descriptions are read again, for which quotes are enough.
                let text = String(decoding: bytes[content..<offset], as: UTF8.self).replacing("\\\"", with: "\"")
                offset += quotes
                return GraphQLToken(kind: .string, text: text, position: place, range: start..<offset)
            }
            switch bytes[offset] {
            case 0x0A where quotes == 1: throw fault("the string doesn't end on its line", place)
            case 0x0A: newLine()
            case UInt8(ascii: "\\") where quotes == 1: offset = min(offset + 2, bytes.count)
            case UInt8(ascii: "\\") where bytes[offset...].starts(with: "\\\"\"\"".utf8): offset += 4
            default: offset += 1
            }
        }
        throw fault("the string has no end", place)
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
