import Godwit
import GodwitPatterns
import GodwitSupport

// Bodies.
extension RequestFileParser {
    /// Whether a body such as `hex,…;` or `true` starts here.
    var isBodyWord: Bool {
        if ["base64,", "hex,", "file,"].contains(where: scanner.starts(with:)) { return true }
        return ["true", "false", "null"].contains(parser.word()) || scanner.next?.isDigit == true || scanner.next == "-"
    }

    /// Reads a body, and returns its position; no body if none starts here.
    mutating func body() throws(SyntaxFault) -> (FileBody?, Int) {
        skipBlankLines()
        let start = scanner.offset
        guard let body = try bodyAtStart() else { return (nil, start) }
        try endLine()
        return (body, start)
    }

    private mutating func bodyAtStart() throws(SyntaxFault) -> FileBody? {
        if scanner.starts(with: "```") { return try multilineText() }
        switch scanner.next {
        case "`":
            return .text(try parser.quotedString("a text", quote: "`"), type: nil)
        case "{", "[", "\"": return try json()
        case "<": return .text(try xml(), type: nil)
        default: break
        }
        if scanner.starts(with: "base64,") || scanner.starts(with: "hex,") { return .bytes(try parser.encodedBytes()) }
        if scanner.skip("file,") { return .file(try parser.fileName()) }
        guard isBodyWord else { return nil }
        let start = scanner.offset
        let word = scanner.read { !$0.isSpace && $0 != "\n" && $0 != "#" }
        guard CheckValue(parsing: word).string == nil else {
            scanner.offset = start
            return nil
        }
        return .json([.init(template: Template(word, offset: start), isInString: false)])
    }

    private mutating func json() throws(SyntaxFault) -> FileBody {
        let start = scanner.offset
        var ends = JSONBodyScanner(scanner)
        let end = try ends.end()
        var reader = TemplateReader(parser, escapes: [], readsEscapes: false, end: end)
        let pieces = FileBody.jsonPieces(try reader.template { _ in false }.parts, offset: start)
        try checkJSON(pieces, start)
        scanner.offset = end
        return .json(pieces)
    }

    /// Checks the JSON with 0 for each variable.
    private func checkJSON(_ pieces: [FileBody.JSONPiece], _ start: Int) throws(SyntaxFault) {
        var text = ""
        for piece in pieces {
            for part in piece.template.parts {
                if case .text(let literal) = part { text += literal } else { text += "0" }
            }
        }
        do throws(JSONSyntaxError) {
            _ = try JSONDocument(parsing: Data(text.utf8))
        } catch {
            let found = error.found.map { ", found \"\($0)\"" } ?? ""
            // With variables, the offset in the text isn't that in the file.
            let isExact = pieces.count == 1
            let before = isExact ? String(decoding: text.utf8.prefix(error.offset), as: UTF8.self) : ""
            let line = isExact ? "" : " in line \(error.line) of the body"
            throw SyntaxFault(
                "invalid JSON\(line): \(error.expectation)\(found)", at: start + before.unicodeScalars.count)
        }
    }

    private mutating func xml() throws(SyntaxFault) -> Template {
        let start = scanner.offset
        var ends = XMLBodyScanner(scanner)
        let end = try ends.end()
        var reader = TemplateReader(parser, escapes: [], readsEscapes: false, end: end)
        let template = try reader.template { _ in false }
        scanner.offset = reader.scanner.offset
        return Template(parts: template.parts, offset: start)
    }
}

// Text between three backquotes.
extension RequestFileParser {
    private static let languages = ["", "raw", "json", "xml", "graphql", "hex", "base64"]

    private mutating func multilineText() throws(SyntaxFault) -> FileBody {
        let start = scanner.offset
        scanner.offset += 3
        var (language, readsEscapes, readsVariables) = ("", false, true)
        var ahead = scanner
        let words = ahead.read { $0.isASCIILetter || $0.isDigit || $0 == "," || $0.isSpace }
        if ahead.skip("\n") {
            let names = words.pieces(separatedBy: ",").map(\.trimmingSpaces)
            for name in names.dropFirst() {
                switch name {
                case "escape": readsEscapes = true
                case "novariable", "novariables": readsVariables = false
                default: throw scanner.fault("unknown attribute \"\(CheckValue.shortened(name))\" of the text")
                }
            }
            language = names[0]
            guard Self.languages.contains(language) else {
                throw scanner.fault("unknown language \"\(CheckValue.shortened(language))\" of the text")
            }
            scanner.offset = ahead.offset
        }
        let template = try multilineContent(start, readsEscapes: readsEscapes, readsVariables: readsVariables)
        return try body(template, language: language, start)
    }

    private mutating func multilineContent(
        _ start: Int, readsEscapes: Bool, readsVariables: Bool
    ) throws(SyntaxFault) -> Template {
        var end = scanner
        while !end.isAtEnd, !end.starts(with: "```") {
            // An escaped backquote doesn't end the text.
            end.offset += readsEscapes && end.next == "\\" ? 2 : 1
        }
        guard end.offset < end.scalars.count else { throw SyntaxFault("``` has no end", at: start) }
        defer { scanner.offset = end.offset + 3 }
        guard readsVariables || readsEscapes else {
            return Template(end.text(scanner.offset..<end.offset), offset: start)
        }
        var reader = TemplateReader(
            parser, escapes: ["`", "\\", "\""], readsEscapes: readsEscapes, readsVariables: readsVariables,
            end: end.offset)
        return Template(parts: try reader.template { _ in false }.parts, offset: start)
    }

    private func body(_ template: Template, language: String, _ start: Int) throws(SyntaxFault) -> FileBody {
        switch language {
        case "json": return .text(template, type: .json)
        case "graphql": return try GraphQLBody.body(template)
        case "hex", "base64":
            let text = String((template.literal ?? "?").filter { !$0.isWhitespace })
            let data = language == "hex" ? Hexadecimal.decode(text.utf8).map { Data($0) } : Base64Text.decode(text)
            guard let data else {
                throw SyntaxFault("invalid \(language)", at: start)
            }
            return .bytes(data)
        default: return .text(template, type: nil)
        }
    }
}

/// The query of a GraphQL request, as JSON.
enum GraphQLBody {
    /// Returns the body for a query, and the JSON after `variables` at its end.
    static func body(_ template: Template) throws(SyntaxFault) -> FileBody {
        var parts = template.parts
        var variables: [Template.Part] = []
        // The variables start in a text that has the word at the start of a line.
        for index in parts.indices {
            guard case .text(let text) = parts[index] else { continue }
            let pieces = ("\n" + text).pieces(separatedBy: "\nvariables ")
            guard pieces.count == 2 else { continue }
            variables = [.text(pieces[1])] + parts[(index + 1)...]
            parts = Array(parts[..<index]) + [.text(String(pieces[0].dropFirst()))]
            break
        }
        var pieces = [piece("{\"query\":\"", isInString: false, template.offset)]
        for part in parts {
            if case .text(let text) = part {
                let escaped = String(OrderedJSON.quoted(text).dropFirst().dropLast())
                pieces.append(piece(escaped, isInString: true, template.offset))
            } else {
                pieces.append(.init(template: Template(parts: [part], offset: template.offset), isInString: true))
            }
        }
        pieces.append(piece("\"", isInString: false, template.offset))
        if !variables.isEmpty {
            pieces.append(piece(",\"variables\":", isInString: false, template.offset))
            pieces += FileBody.jsonPieces(variables, offset: template.offset)
        }
        return .json(pieces + [piece("}", isInString: false, template.offset)])
    }

    private static func piece(_ text: String, isInString: Bool, _ offset: Int) -> FileBody.JSONPiece {
        .init(template: Template(text, offset: offset), isInString: isInString)
    }
}
