import Godwit

/// One item after the URL, in HTTPie's grammar.
enum RequestItem: Sendable, Hashable {
    /// `name==value`
    case query(name: String, value: String)
    /// `name==@file`, for the text of a file.
    case queryFile(name: String, path: String)
    /// `Name:value`, or `Name;` for an empty value.
    case field(name: String, value: String)
    /// `Name:@file`, for the text of a file.
    case fieldFile(name: String, path: String)
    /// `Name:`, which removes a default header field.
    case removal(name: String)
    /// `name=value`, or `name=@file` for the text of a file.
    case member(name: String, value: TextSource)
    /// `name:=json`, or `name:=@file`.
    case rawMember(name: String, value: TextSource)
    /// `name@file`
    case part(name: String, FilePart)
    /// `-F name=value;type=…`
    case typedMember(name: String, value: TextSource, type: String)
    /// `@file`
    case body(path: String)

    /// Whether the item is a part of a form with the bytes of standard input.
    var isInputPart: Bool { if case .part(_, let part) = self { part.path == "-" } else { false } }

    /// Whether the item is a part of the body.
    var isBody: Bool {
        switch self {
        case .member, .rawMember, .part, .typedMember, .body: true
        case .query, .queryFile, .field, .fieldFile, .removal: false
        }
    }

    /// The name of the header field that the item adds or removes, in lower case.
    var fieldName: String? {
        switch self {
        case .field(let name, _), .fieldFile(let name, _), .removal(let name): name.lowercased()
        default: nil
        }
    }

    /// Whether the item is the field `Host`, which the transport writes.
    var isHost: Bool {
        if case .field = self { fieldName == "host" } else { false }
    }

    static let help = """
        Items:
        \(HelpText.line("  name==value", "A query item"))\
        \(HelpText.line("  Name:value", "A header field. Name: removes a default field, Name; sends it empty"))\
        \(HelpText.line("  name=value", "A JSON string, or a form field with --form or --multipart"))\
        \(HelpText.line("  a[b]=value, tags[]=value", "Nested JSON: {\"a\":{\"b\":…}}, {\"tags\":[…]}"))\
        \(HelpText.line("  name=@FILE", "The same, with the text of a file; also Name:@FILE and name==@FILE"))\
        \(HelpText.line("  name:=JSON, name:=@FILE", "Any JSON value: id:=42 tags:='[\"a\"]'"))\
        \(HelpText.line("  name@FILE", "A file in a form, with --multipart"))\
        \(HelpText.line("  @FILE", "A file as the body"))\
        A backslash escapes a separator: 'a\\:b=c', 'a\\[b]=c', 'X-A:\\@text'.
        """

    private enum Separator: String, CaseIterable {
        // Longer separators first, because the shorter ones are their prefixes.
        case rawFile = ":=@"
        case queryFile = "==@"
        case query = "=="
        case raw = ":="
        case textFile = "=@"
        case fieldFile = ":@"
        case member = "="
        case field = ":"
        case part = "@"
    }

    init(_ text: String) throws(UsageError) {
        guard let (name, separator, value) = Self.split(text) else {
            guard text.hasSuffix(";"), text.count > 1 else { throw Self.fault(text) }
            self = .field(name: String(text.dropLast()), value: "")
            return
        }
        guard !name.isEmpty || separator == .part else { throw Self.fault(text) }
        if separator == .field, Self.isAddress(name, value) {
            throw UsageError("\"\(text)\" is a second URL; godwit download takes several")
        }
        self =
            switch separator {
            case .query: .query(name: name, value: Self.unescaped(value))
            case .queryFile: .queryFile(name: name, path: value)
            case .field: value.isEmpty ? .removal(name: name) : .field(name: name, value: Self.unescaped(value))
            case .fieldFile: .fieldFile(name: name, path: value)
            case .member: .member(name: name, value: .text(Self.unescaped(value)))
            case .textFile: .member(name: name, value: .file(value))
            case .raw: .rawMember(name: name, value: .text(value))
            case .rawFile: .rawMember(name: name, value: .file(value))
            case .part: name.isEmpty ? .body(path: value) : .part(name: name, FilePart(item: value))
            }
    }

    /// A value that begins with `@` and isn't a file is written with a backslash.
    private static func unescaped(_ value: String) -> String {
        value.hasPrefix("\\@") ? String(value.dropFirst()) : value
    }

    /// Splits the text at its first separator; `nil` if it has no separator.
    private static func split(_ text: String) -> (name: String, Separator, value: String)? {
        var name = ""
        var rest = text[...]
        while let character = rest.first {
            if let separator = Separator.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
                return (name, separator, String(rest.dropFirst(separator.rawValue.count)))
            }
            rest.removeFirst()
            if character == "\\", let next = rest.first, "=:@\\".contains(next) {
                name.append(rest.removeFirst())
            } else {
                name.append(character)
            }
        }
        return nil
    }

    /// Whether a field is a URL rather: `http://…`, or a host with a port.
    private static func isAddress(_ name: String, _ value: String) -> Bool {
        if value.hasPrefix("//") { return ["http", "https", "ws", "wss"].contains(name.lowercased()) }
        let rest = value.drop(while: \.isNumber)
        guard rest.count < value.count else { return false }
        let isNumeric = name.allSatisfy { $0.isNumber || $0 == "." } && name.contains(".")
        let isHost = isNumeric || name.lowercased() == "localhost"
        return rest.isEmpty ? isHost : rest.hasPrefix("/") && (isHost || name.contains("."))
    }

    private static func fault(_ text: String) -> UsageError {
        UsageError(
            "\"\(text)\" is not an item; write name==value, Name:value, name=value, name:=json, name@file or @file")
    }
}

/// The values of `-H` and `-F`, in curl's grammar.
enum FieldArgument {
    /// `Name: value`, `Name;`, or `@FILE` with one of them on each line.
    static func items(_ text: String) throws(UsageError) -> [RequestItem] {
        guard text.hasPrefix("@") else { return [try item(text)] }
        return try SmallFile.lines(String(text.dropFirst())).map { line throws(UsageError) in try item(line) }
    }

    private static func item(_ text: String) throws(UsageError) -> RequestItem {
        if let colon = text.firstIndex(of: ":"), colon != text.startIndex {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let name = String(text[..<colon])
            return value.isEmpty ? .removal(name: name) : .field(name: name, value: String(value))
        }
        guard text.hasSuffix(";"), text.count > 1 else {
            // It can be a value whose name was forgotten.
            throw UsageError("a header field has no colon; write 'Name: value'")
        }
        return .field(name: String(text.dropLast()), value: "")
    }

    /// `name=value`, `name=@file` or `name=<file`, with `;filename=…` and `;type=…` after it.
    static func part(_ text: String) throws(UsageError) -> RequestItem {
        let (name, value) = try pair(text)
        guard let mark = value.first, mark == "@" || mark == "<" else {
            let pieces = value.split(separator: ";", omittingEmptySubsequences: false)
            // A media type can have parameters: `type=text/plain; charset=utf-8`.
            guard let start = pieces.dropFirst().lastIndex(where: { $0.hasPrefix("type=") }),
                pieces[start...].allSatisfy({ $0.contains("=") })
            else { return .member(name: name, value: .text(String(value))) }
            let (shown, type) = (pieces[..<start].joined(separator: ";"), pieces[start...].joined(separator: ";"))
            return .typedMember(name: name, value: .text(shown), type: String(type.dropFirst("type=".count)))
        }
        var pieces = value.dropFirst().split(separator: ";", omittingEmptySubsequences: false)[...]
        var part = FilePart(path: String(pieces.removeFirst()))
        for piece in pieces {
            switch piece.prefix(while: { $0 != "=" }) {
            case "filename": part.fileName = unquoted(piece.dropFirst("filename=".count))
            case "type": part.type = String(piece.dropFirst("type=".count))
            case _ where part.type != nil && piece.contains("="): part.type?.append(";\(piece)")
            default: throw UsageError("\"\(piece)\" is not known after a part; write ;filename=NAME or ;type=TYPE")
            }
        }
        guard mark == "<" else { return .part(name: name, part) }
        guard let type = part.type else { return .member(name: name, value: .file(part.path)) }
        return .typedMember(name: name, value: .file(part.path), type: type)
    }

    /// `name=value`, where no character of the value has a meaning.
    static func text(_ text: String) throws(UsageError) -> RequestItem {
        let (name, value) = try pair(text)
        return .member(name: name, value: .text(String(value)))
    }

    private static func pair(_ text: String) throws(UsageError) -> (String, Substring) {
        guard let mark = text.firstIndex(of: "="), mark != text.startIndex else {
            throw UsageError("a part has no name; write name=value or name=@file")
        }
        return (String(text[..<mark]), text[text.index(after: mark)...])
    }

    private static func unquoted(_ text: Substring) -> String {
        text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? String(text.dropFirst().dropLast()) : String(text)
    }
}

/// A file in a multipart form.
struct FilePart: Sendable, Hashable {
    /// `-` means standard input.
    var path: String
    /// The name for the server; `nil` means the file's own.
    var fileName: String?
    /// The media type; `nil` means that of the file's extension.
    var type: String?

    init(path: String, fileName: String? = nil, type: String? = nil) {
        self.path = path
        self.fileName = fileName
        self.type = type
    }

    /// The part of an item: `PATH`, or `PATH;type=TYPE`.
    init(item text: String) {
        let mark = text.firstRange(of: ";type=")
        self.init(
            path: String(text[..<(mark?.lowerBound ?? text.endIndex)]),
            type: mark.map { String(text[$0.upperBound...]) })
    }
}

extension [RequestItem] {
    /// The header fields of a command that has no other items.
    func headerFields(of command: String) throws(CommandFailure) -> HTTPFields {
        var fields = HTTPFields()
        for case .field(let text, let value) in self {
            guard let name = HTTPField.Name(text), let field = HTTPField(name: name, value: value) else {
                let reason = "\"\(text)\" is not a header field name, or its value contains a line break"
                throw .usage(UsageError(reason, command: command))
            }
            fields.append(field)
        }
        return fields
    }
}
