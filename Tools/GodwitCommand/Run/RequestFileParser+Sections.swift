import Godwit
import GodwitPatterns

// Sections.
extension RequestFileParser {
    private static let requestSections = [
        "QueryStringParams", "Query", "FormParams", "Form", "MultipartFormData", "Multipart", "Cookies", "BasicAuth",
        "Options",
    ]
    private static let responseSections = ["Captures", "Asserts"]

    mutating func readSections(of entry: inout RequestEntry) throws(SyntaxFault) {
        while let name = try section(Self.requestSections) {
            switch name {
            case "QueryStringParams", "Query": entry.query += try pairs()
            case "FormParams", "Form": entry.form += try pairs()
            case "MultipartFormData", "Multipart": entry.multipart += try parts()
            case "Cookies": entry.cookies += try pairs()
            case "BasicAuth":
                let start = scanner.offset
                let pairs = try pairs()
                guard pairs.count == 1, let pair = pairs.first else {
                    throw SyntaxFault("[BasicAuth] has one line: name: password", at: start)
                }
                entry.basicAuth = pair
            default: entry.options += try options()
            }
        }
    }

    mutating func readSections(of response: inout ExpectedResponse) throws(SyntaxFault) {
        while let name = try section(Self.responseSections) {
            if name == "Captures" {
                response.captures += try captures()
            } else {
                response.asserts += try asserts()
            }
        }
    }

    /// Reads the name of a section; nothing if no section starts here.
    private mutating func section(_ names: [String]) throws(SyntaxFault) -> String? {
        skipBlankLines()
        guard let name = sectionName else { return nil }
        guard names.contains(name) else {
            let isElsewhere = (Self.requestSections + Self.responseSections).contains(name)
            let hint = isElsewhere ? "" : CheckParser.hint(for: name, among: names)
            let place = names == Self.requestSections ? "a request" : "a response"
            throw scanner.fault("[\(CheckValue.shortened(name))] is not a section of \(place)\(hint)")
        }
        scanner.offset += name.unicodeScalars.count + 2
        try endLine()
        return name
    }

    private mutating func pairs() throws(SyntaxFault) -> [RequestEntry.KeyValue] {
        var pairs: [RequestEntry.KeyValue] = []
        while let pair = try keyValue() {
            pairs.append(pair)
            try checkCount(pairs.count)
        }
        return pairs
    }

    private func checkCount(_ count: Int) throws(SyntaxFault) {
        if count > Self.lineLimit { throw scanner.fault("more than \(Self.lineLimit) lines in a section") }
    }

    private mutating func parts() throws(SyntaxFault) -> [RequestEntry.FormPart] {
        var parts: [RequestEntry.FormPart] = []
        while let name = try key() {
            if scanner.skip("file,") {
                let file = try parser.fileName()
                scanner.skipSpaces()
                let start = scanner.offset
                let type = scanner.read { $0 != "\n" && $0 != "#" }.trimmingSpaces
                let media = MediaType(type)
                if !type.isEmpty, media == nil {
                    throw SyntaxFault("\"\(CheckValue.shortened(type))\" is not a media type", at: start)
                }
                parts.append(.init(name: name, content: .file(file, type: media)))
            } else {
                parts.append(.init(name: name, content: .text(try value())))
            }
            try endLine()
            try checkCount(parts.count)
        }
        return parts
    }

    private mutating func options() throws(SyntaxFault) -> [RequestEntry.EntryOption] {
        var options: [RequestEntry.EntryOption] = []
        while true {
            skipBlankLines()
            let start = scanner.offset
            guard let key = try key()?.literal else { return options }
            let isKept = key == "insecure" && scanner.starts(with: "false")
            guard let name = isKept ? .compressed : EntryOptions.Name(rawValue: key) else {
                let hint =
                    EntryOptions.unsupported[key].map { "; \($0)" }
                    ?? CheckParser.hint(for: key, among: EntryOptions.Name.allCases.map(\.rawValue))
                throw SyntaxFault("the option \(CheckValue.shortened(key)) isn't supported\(hint)", at: start)
            }
            let value = try value()
            if let text = value.literal {
                do throws(CheckFault) {
                    try EntryOptions.check(name, text)
                } catch {
                    throw SyntaxFault("\(key): \(error.message)", at: value.offset)
                }
            }
            options.append(.init(name: name, value: value, offset: start))
            try endLine()
            try checkCount(options.count)
        }
    }

    private mutating func captures() throws(SyntaxFault) -> [Capture] {
        var captures: [Capture] = []
        while true {
            skipBlankLines()
            let start = scanner.offset
            guard let key = try key() else { return captures }
            guard let name = key.literal, let first = name.unicodeScalars.first, first.isASCIILetter || first == "_",
                name.unicodeScalars.allSatisfy(\.isNamePart)
            else { throw SyntaxFault("a capture starts with the name of a variable", at: start) }
            if Variables.functions.contains(name) { throw SyntaxFault("\(name) is a function", at: start) }
            let (query, filters) = try parser.query()
            scanner.skipSpaces()
            let isSecret = parser.skipWord("redact")
            captures.append(Capture(name: name, query: query, filters: filters, isSecret: isSecret, offset: start))
            try endLine()
            try checkCount(captures.count)
        }
    }

    private mutating func asserts() throws(SyntaxFault) -> [Check] {
        var asserts: [Check] = []
        while true {
            skipBlankLines()
            guard let next = scanner.next, next.isASCIILetter, sectionName == nil, !isRequest, !isBodyWord else {
                return asserts
            }
            asserts.append(try parser.check())
            try endLine()
            try checkCount(asserts.count)
        }
    }
}
