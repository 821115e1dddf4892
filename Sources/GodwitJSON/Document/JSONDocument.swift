/// A parsed JSON document (RFC 8259): check it once, then read any part of it.
///
/// ```swift
/// let document = try JSONDocument(parsing: data)
/// let name = document.root["users"]?[0]?["name"]?.string
/// for member in document.root.members { print(member.key, member.value.kind) }
/// let article = try document.root["article"]?.decode(Article.self)
/// ```
///
/// Keeps the bytes and an index of 16 bytes for each value and key. Strings and numbers are read from the bytes when
/// you ask for them. Documents can have up to 2 GiB.
public struct JSONDocument: Sendable {
    /// In UTF-8.
    let source: Data
    let tape: Tape

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - data: The JSON, in UTF-8. UTF-16 and UTF-32 are recognized, with or without a byte order mark.
    ///   - maximumDepth: How deeply arrays and objects can be nested. At most 100,000.
    public init(parsing data: Data, maximumDepth: Int = 512) throws(JSONSyntaxError) {
        try self.init(parsing: data, maximumDepth: maximumDepth, isKept: true)
    }

    init(parsing data: Data, maximumDepth: Int, isKept: Bool) throws(JSONSyntaxError) {
        guard let source = TextEncoding.utf8(data) else {
            throw JSONSyntaxError(expectation: "the text is not valid UTF-16 or UTF-32", offset: 0, line: 1, column: 1)
        }
        guard source.count <= Int32.max else {
            throw JSONSyntaxError(expectation: "the document is larger than 2 GiB", offset: 0, line: 1, column: 1)
        }
        switch source.withUnsafeBytes({ Self.scan($0, maximumDepth, isKept) }) {
        case .success(let tape):
            self.source = source
            self.tape = tape
        case .failure(let failure): throw JSONSyntaxError(failure, in: source)
        }
    }

    private static func scan(
        _ buffer: UnsafeRawBufferPointer, _ maximumDepth: Int, _ isKept: Bool
    ) -> Result<Tape, TapeScanner.Failure> {
        buffer.withMemoryRebound(to: UInt8.self) { bytes in
            guard let base = bytes.baseAddress else { return .failure(.init(offset: 0, expected: "a value")) }
            do throws(TapeScanner.Failure) {
                return .success(
                    try TapeScanner.tape(bytes, base: base, maximumDepth: min(maximumDepth, 100_000), isKept: isKept))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The document's only value at the top.
    public var root: JSONElement { JSONElement(document: self, index: 0) }

    /// The line and column of a byte, from 1. Columns count characters.
    func position(of offset: Int) -> (line: Int, column: Int) { Self.position(of: offset, in: source) }

    static func position(of offset: Int, in source: Data) -> (line: Int, column: Int) {
        let before = source.prefix(offset)
        let line = before.lastIndex(of: 0x0A).map { before[before.index(after: $0)...] } ?? before
        let lines = before.reduce(into: 1) { if $1 == 0x0A { $0 &+= 1 } }
        return (lines, String(decoding: line, as: UTF8.self).count &+ 1)
    }
}

extension JSONSyntaxError {
    init(_ failure: TapeScanner.Failure, in source: Data) {
        let (line, column) = JSONDocument.position(of: failure.offset, in: source)
        self.init(
            expectation: "expected \(failure.expected)",
            found: Self.word(at: source.dropFirst(failure.offset).prefix(12)), offset: failure.offset, line: line,
            column: column)
    }

    /// What stands at an error: the start of a word, or one character.
    private static func word(at rest: Data) -> String? {
        let text = String(decoding: rest, as: UTF8.self)
        let word = text.prefix { $0.isLetter || $0.isNumber }
        if !word.isEmpty { return String(word) }
        return text.unicodeScalars.first.map {
            $0.value < 0x20 || $0 == "\u{FFFD}" ? "0x" + String(rest[rest.startIndex], radix: 16) : String($0)
        }
    }
}
