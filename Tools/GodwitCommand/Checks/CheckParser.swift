import Godwit
import GodwitPatterns

/// Parses queries, filters and predicates.
///
/// The grammar is that of Hurl files. On the command line it is more lenient, because a shell takes quotes away: names and
/// values need no quotes, a value reaches to the end, and `.items[0]` is short for `jsonpath "$.items[0]"`.
struct CheckParser {
    enum Style {
        case file, commandLine
    }

    static let filterLimit = 50
    static let depthLimit = 5

    var scanner: TextScanner
    let style: Style
    /// How many references enclose the position.
    var depth = 0

    init(_ scanner: TextScanner, style: Style) {
        self.scanner = scanner
        self.style = style
    }

    /// Parses an `--expect`.
    static func check(argument: String) throws(SyntaxFault) -> Check {
        var parser = CheckParser(TextScanner(argument), style: .commandLine)
        parser.scanner.skipSpaces()
        let check = try parser.check()
        parser.scanner.skipSpaces()
        if !parser.scanner.isAtEnd { throw parser.unexpected("the end") }
        return check
    }

    /// Parses a `--capture`.
    static func capture(argument: String) throws(SyntaxFault) -> Capture {
        var parser = CheckParser(TextScanner(argument), style: .commandLine)
        let name = parser.scanner.read { $0.isNamePart }
        guard let first = name.unicodeScalars.first, first.isASCIILetter || first == "_" else {
            throw SyntaxFault("a capture starts with a name: token=.token", at: 0)
        }
        guard parser.scanner.skip("=") else { throw parser.unexpected("= after the name") }
        let (query, filters) = try parser.query()
        parser.scanner.skipSpaces()
        if !parser.scanner.isAtEnd { throw parser.unexpected("a filter or the end") }
        return Capture(name: name, query: query, filters: filters, offset: 0)
    }

    /// Parses `query filter… [not] predicate`.
    mutating func check() throws(SyntaxFault) -> Check {
        let start = scanner.offset
        let (query, filters) = try query()
        scanner.skipSpaces()
        let isNegated = skipWord("not")
        scanner.skipSpaces()
        let isText = style == .commandLine && query.findsText && filters.isEmpty
        let predicate = try predicate(of: query, bareValueIsText: isText)
        return Check(query: query, filters: filters, isNegated: isNegated, predicate: predicate, offset: start)
    }

    /// Parses `query filter…`.
    mutating func query() throws(SyntaxFault) -> (CheckQuery, [CheckFilter]) {
        let query = try bareQuery()
        var filters: [CheckFilter] = []
        while let filter = try filter() {
            filters.append(filter)
            if filters.count > Self.filterLimit { throw scanner.fault("more than \(Self.filterLimit) filters") }
        }
        return (query, filters)
    }

    func unexpected(_ expectation: String) -> SyntaxFault {
        guard let next = scanner.next, next != "\n" else {
            return scanner.fault("expected \(expectation), and the \(style == .file ? "line" : "text") ends")
        }
        var rest = scanner
        let word = rest.read { !$0.isSpace && $0 != "\n" }
        return scanner.fault(
            "expected \(expectation), found \"\(CheckValue.shortened(word.isEmpty ? "\(next)" : word))\"")
    }

    /// The name that a mistyped one resembles. A long word is not compared: that takes time.
    static func hint(for word: String, among names: some Sequence<String>) -> String {
        word.isEmpty || word.utf8.count > 40 ? "" : Suggestion.text(for: word, among: names)
    }

    /// Reads a keyword if it is the next word.
    mutating func skipWord(_ word: String) -> Bool {
        guard self.word() == word else { return false }
        scanner.offset += word.unicodeScalars.count
        return true
    }

    /// The next word, which stays unread.
    func word() -> String {
        var ahead = scanner
        return ahead.read { $0.isASCIILetter || $0.isDigit }
    }
}

// Queries.
extension CheckParser {
    private static let queries: [String: CheckQuery] = [
        "status": .status, "version": .version, "url": .url, "body": .body, "bytes": .bytes, "duration": .duration,
        "sha256": .sha256, "md5": .md5,
    ]

    private static let queryNames = queries.keys + ["header", "cookie", "jsonpath", "regex", "variable"]

    private mutating func bareQuery() throws(SyntaxFault) -> CheckQuery {
        if style == .commandLine, scanner.next == "." || scanner.next == "$" { return .jsonPath(try shortPath()) }
        let start = scanner.offset
        let name = word()
        scanner.offset += name.unicodeScalars.count
        if let query = Self.queries[name] { return query }
        switch name {
        case "header": return .header(try nameArgument(after: name))
        case "cookie": return .cookie(try nameArgument(after: name))
        case "variable": return .variable(try nameArgument(after: name))
        case "jsonpath": return .jsonPath(try pathArgument())
        case "regex": return .regex(try patternArgument(bareToEnd: false))
        case "xpath": throw SyntaxFault("xpath isn't supported: use body, regex or jsonpath", at: start)
        case "certificate": throw SyntaxFault("certificate isn't supported; see --pin for keys", at: start)
        case "ip", "redirects", "rawbytes":
            throw SyntaxFault("\(name) isn't supported", at: start)
        default:
            scanner.offset = start
            let hint = Self.hint(for: name, among: Self.queryNames)
            throw SyntaxFault(unexpected("a query such as status, header or jsonpath").message + hint, at: start)
        }
    }

    /// The quoted name of a header field, cookie or variable.
    private mutating func nameArgument(after keyword: String) throws(SyntaxFault) -> Template {
        try space(after: keyword)
        if style == .commandLine, scanner.next != "\"" {
            let start = scanner.offset
            let name = scanner.read { !$0.isSpace }
            if name.isEmpty { throw unexpected("a name after \(keyword)") }
            return Template(name, offset: start)
        }
        return try quotedString("a name in quotes after \(keyword)")
    }

    private mutating func space(after keyword: String) throws(SyntaxFault) {
        let start = scanner.offset
        scanner.skipSpaces()
        if scanner.offset == start { throw unexpected("a space after \(keyword)") }
    }

    private mutating func pathArgument() throws(SyntaxFault) -> PathSource {
        try space(after: "jsonpath")
        if style == .commandLine, scanner.next == "$" || scanner.next == "." { return try shortPath() }
        let template = try quotedString("a JSONPath in quotes")
        guard let text = template.literal else { return .template(template) }
        return .path(try Self.path(text, at: template.offset + 1))
    }

    /// Parses a path. Its errors have the position in the file.
    private static func path(_ text: String, at offset: Int) throws(SyntaxFault) -> JSONPath {
        do throws(SyntaxFault) {
            return try JSONPathParser.path(text)
        } catch {
            throw SyntaxFault(error.message, at: offset + error.offset)
        }
    }

    /// Reads `.items[0].id` or `$.items`. It ends at a space that isn't in brackets or quotes.
    private mutating func shortPath() throws(SyntaxFault) -> PathSource {
        let start = scanner.offset
        var depth = 0
        var quote: Unicode.Scalar?
        let text = scanner.read { scalar in
            if let open = quote {
                if scalar == open { quote = nil }
                return true
            }
            switch scalar {
            case "[", "(": depth += 1
            case "]", ")": depth -= 1
            case "'", "\"": quote = scalar
            default: break
            }
            return depth > 0 || !scalar.isSpace
        }
        if text.hasPrefix("$") { return .path(try Self.path(text, at: start)) }
        // "." is the whole value, and ".[0]" its first element.
        let rest = text == "." || text.hasPrefix(".[") ? String(text.dropFirst()) : text
        let removed = 1 - (text.unicodeScalars.count - rest.unicodeScalars.count)
        return .path(try Self.path("$" + rest, at: start - removed))
    }
}

// Filters.
extension CheckParser {
    mutating func filter() throws(SyntaxFault) -> CheckFilter? {
        let start = scanner.offset
        scanner.skipSpaces()
        let name = word()
        let place = scanner.offset
        scanner.offset += name.unicodeScalars.count
        if let filter = CheckFilter.simple[name] { return filter }
        switch name {
        case "nth": return .nth(try integer(after: name))
        case "regex":
            try space(after: name)
            return .regex(try patternArgument(bareToEnd: false, isAfterSpace: true))
        case "replace": return try replaceFilter()
        case "replaceRegex":
            try space(after: name)
            let pattern = try patternArgument(bareToEnd: false, isAfterSpace: true)
            return .replaceRegex(pattern, try text(after: name))
        case "split": return .split(try text(after: name))
        case "jsonpath": return .jsonPath(try pathArgument())
        case "decode": return .decode(try text(after: name))
        case "urlQueryParam": return .urlQueryParameter(try text(after: name))
        case "toDate": return .toDate(try text(after: name))
        case "format", "dateFormat": return .format(try text(after: name))
        case "xpath": throw SyntaxFault("xpath isn't supported", at: place)
        default:
            scanner.offset = start
            return nil
        }
    }

    /// `replace "a" "b"`, or `replace /a/ "b"` as older files have it.
    private mutating func replaceFilter() throws(SyntaxFault) -> CheckFilter {
        try space(after: "replace")
        if scanner.next == "/" {
            let pattern = try patternArgument(bareToEnd: false, isAfterSpace: true)
            return .replaceRegex(pattern, try text(after: "replace"))
        }
        let old = try word("a text in quotes")
        return .replace(old, try text(after: "replace"))
    }

    private mutating func text(after keyword: String) throws(SyntaxFault) -> Template {
        try space(after: keyword)
        return try word("a text in quotes after \(keyword)")
    }

    /// A quoted text, or on the command line a word.
    private mutating func word(_ expectation: String) throws(SyntaxFault) -> Template {
        if style == .commandLine, let next = scanner.next, next != "\"" {
            let start = scanner.offset
            return Template(scanner.read { !$0.isSpace }, offset: start)
        }
        return try quotedString(expectation)
    }

    private mutating func integer(after keyword: String) throws(SyntaxFault) -> Int {
        try space(after: keyword)
        let start = scanner.offset
        let sign = scanner.skip("-") ? "-" : ""
        guard let value = Int(sign + scanner.read { $0.isDigit }), (-1 << 40..<1 << 40).contains(value) else {
            scanner.offset = start
            throw unexpected("a number after \(keyword)")
        }
        return value
    }

    /// `/pattern/`, or a pattern in quotes.
    mutating func patternArgument(
        bareToEnd: Bool, isAfterSpace: Bool = false
    ) throws(SyntaxFault) -> PatternSource {
        if !isAfterSpace { try space(after: "the keyword") }
        let start = scanner.offset
        if scanner.next == "/" { return .pattern(try Self.pattern(try slashedText(), at: start + 1)) }
        if bareToEnd, scanner.next != "\"" {
            return .pattern(try Self.pattern(scanner.read { _ in true }.trimmingSpaces, at: start))
        }
        let template = try quotedString("a pattern: /…/ or \"…\"")
        guard let text = template.literal else { return .template(template) }
        return .pattern(try Self.pattern(text, at: start + 1))
    }

    private static func pattern(_ text: String, at offset: Int) throws(SyntaxFault) -> Pattern {
        do throws(SyntaxFault) {
            return try Pattern(text)
        } catch {
            throw SyntaxFault(error.message, at: offset + error.offset)
        }
    }

    /// The text between slashes. `\/` is a slash; other escapes stay.
    private mutating func slashedText() throws(SyntaxFault) -> String {
        let start = scanner.offset
        scanner.offset += 1
        var text = String.UnicodeScalarView()
        while let scalar = scanner.read(), scalar != "\n" {
            if scalar == "/" { return String(text) }
            if scalar == "\\", let next = scanner.next, next != "\n" {
                scanner.offset += 1
                if next != "/" { text.append(scalar) }
                text.append(next)
            } else {
                text.append(scalar)
            }
        }
        throw SyntaxFault("the pattern has no closing /", at: start)
    }
}
