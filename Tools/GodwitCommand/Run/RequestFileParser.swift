import Godwit
import GodwitPatterns

/// Parses a file of requests in the format of Hurl.
struct RequestFileParser {
    static let entryLimit = 10_000
    /// The maximum lines of one section, or of header fields.
    static let lineLimit = 10_000

    var parser: CheckParser

    static func file(_ source: RequestFileText) throws(SyntaxFault) -> RequestFile {
        var parser = RequestFileParser(parser: CheckParser(source.scanner, style: .file))
        var entries: [RequestEntry] = []
        // A byte order mark.
        _ = parser.scanner.skip("\u{FEFF}")
        parser.skipBlankLines()
        while !parser.scanner.isAtEnd {
            entries.append(try parser.entry())
            if entries.count > entryLimit { throw parser.scanner.fault("more than \(entryLimit) requests") }
            parser.skipBlankLines()
        }
        return RequestFile(source: source, entries: entries)
    }

    private init(parser: CheckParser) {
        self.parser = parser
    }

    var scanner: TextScanner {
        get { parser.scanner }
        _modify { yield &parser.scanner }
    }

    private mutating func entry() throws(SyntaxFault) -> RequestEntry {
        var entry = try requestLine()
        try readFields(into: &entry.fields)
        try readSections(of: &entry)
        (entry.body, _) = try body()
        skipBlankLines()
        if isResponse {
            entry.response = try response()
        } else if !scanner.isAtEnd, !isRequest {
            throw parser.unexpected("a header field, a section, a body, HTTP or the next request")
        }
        return entry
    }

    private mutating func requestLine() throws(SyntaxFault) -> RequestEntry {
        let start = scanner.offset
        guard isRequest else { throw parser.unexpected("a request such as GET https://example.org") }
        let name = scanner.read { $0.isASCIILetter }
        guard let method = HTTPMethod(name) else {
            throw SyntaxFault("\(CheckValue.shortened(name)) is not a method", at: start)
        }
        if name == "CONNECT" { throw SyntaxFault("CONNECT isn't supported; see --proxy", at: start) }
        scanner.skipSpaces()
        let url = try value()
        if url.literal == "" { throw parser.unexpected("a URL") }
        try endLine()
        return RequestEntry(method: method, url: url, offset: start)
    }

    private mutating func response() throws(SyntaxFault) -> ExpectedResponse {
        let start = scanner.offset
        let version = scanner.read { !$0.isSpace && $0 != "\n" }
        let known = ["HTTP", "HTTP/*", "HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"]
        guard known.contains(version) else {
            throw SyntaxFault("unknown version \(CheckValue.shortened(version)); write HTTP for any version", at: start)
        }
        scanner.skipSpaces()
        let statusStart = scanner.offset
        let word = scanner.read { $0.isDigit || $0 == "*" }
        let status = Int(word)
        guard word == "*" || word.count == 3 && status != nil else {
            scanner.offset = statusStart
            throw parser.unexpected("a status such as 200, or *")
        }
        try endLine()
        let isAny = version == "HTTP" || version == "HTTP/*"
        var response = ExpectedResponse(
            offset: start, version: isAny ? nil : version, status: status, statusOffset: statusStart)
        try readFields(into: &response.fields)
        try readSections(of: &response)
        (response.body, response.bodyOffset) = try body()
        skipBlankLines()
        if !scanner.isAtEnd, !isRequest {
            throw parser.unexpected("a header field, a section, a body or the next request")
        }
        return response
    }

    private mutating func readFields(into fields: inout [RequestEntry.KeyValue]) throws(SyntaxFault) {
        while let field = try keyValue() { fields.append(field) }
        if fields.count > Self.lineLimit { throw scanner.fault("more than \(Self.lineLimit) header fields") }
    }
}

// Lines.
extension RequestFileParser {
    /// Skips spaces, empty lines and comments.
    mutating func skipBlankLines() {
        while let next = scanner.next {
            if next == "#" { _ = scanner.read { $0 != "\n" } }
            guard let scalar = scanner.next, scalar.isSpace || scalar == "\n" else { break }
            scanner.offset += 1
        }
    }

    /// Reads spaces, a comment and the end of the line.
    mutating func endLine() throws(SyntaxFault) {
        scanner.skipSpaces()
        if scanner.next == "#" { _ = scanner.read { $0 != "\n" } }
        guard scanner.isAtEnd || scanner.skip("\n") else { throw parser.unexpected("the end of the line") }
    }

    /// The text up to the end of the line or a comment, without spaces at its ends.
    mutating func value(endingAt end: Unicode.Scalar = "\n") throws(SyntaxFault) -> Template {
        var reader = TemplateReader(parser, escapes: ["#", ":", "\\", "/", "\"", ";", " "])
        let template = try reader.template { $0 == "\n" || $0 == "#" || $0 == end }
        scanner.offset = reader.scanner.offset
        return template.trimmed
    }

    /// Whether a request starts here: capital letters and a space, and not the name of a field.
    var isRequest: Bool {
        var ahead = scanner
        guard !ahead.read(while: { ("A"..."Z").contains($0) }).isEmpty, ahead.next?.isSpace == true else {
            return false
        }
        ahead.skipSpaces()
        return ahead.next != ":" && !isResponse
    }

    /// Whether a response starts here.
    var isResponse: Bool {
        guard scanner.starts(with: "HTTP"), let next = scanner.peek(4) else { return scanner.starts(with: "HTTP") }
        return next == "/" || next.isSpace || next == "\n"
    }

    /// The name of the section that starts here; `nil` without one.
    var sectionName: String? {
        guard scanner.next == "[" else { return nil }
        var ahead = scanner
        ahead.offset += 1
        let name = ahead.read { $0.isASCIILetter }
        guard !name.isEmpty, ahead.skip("]") else { return nil }
        ahead.skipSpaces()
        return ahead.isAtEnd || ahead.next == "\n" || ahead.next == "#" ? name : nil
    }

    /// Reads a line `name: value`; nothing if the next line isn't one.
    mutating func keyValue() throws(SyntaxFault) -> RequestEntry.KeyValue? {
        guard let name = try key() else { return nil }
        let value = try value()
        try endLine()
        return RequestEntry.KeyValue(name: name, value: value)
    }

    /// Reads a name and its colon; nothing if the next line doesn't start with them.
    mutating func key() throws(SyntaxFault) -> Template? {
        skipBlankLines()
        guard !isRequest, !isResponse, sectionName == nil, let first = scanner.next,
            !"\"[`<".unicodeScalars.contains(first),
            first != "{" || scanner.starts(with: "{{")
        else { return nil }
        var reader = TemplateReader(parser, escapes: ["#", ":", "\\", "/", "\"", " "])
        let name = try reader.template { $0 == ":" || $0 == "\n" || $0 == "#" || $0.isSpace || $0 == "," }
        var ahead = reader.scanner
        ahead.skipSpaces()
        guard ahead.skip(":"), name.literal != "" else { return nil }
        ahead.skipSpaces()
        scanner.offset = ahead.offset
        return name
    }
}
