import Godwit
import GodwitPatterns
import GodwitSupport

// Predicates and their values.
extension CheckParser {
    private static let symbols: [(String, CheckPredicate.Comparison)] = [
        ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less), (">", .greater),
    ]

    private static let words: [String: CheckPredicate.Comparison] = [
        "equals": .equal, "notEquals": .notEqual, "lessThan": .less, "lessThanOrEquals": .lessOrEqual,
        "greaterThan": .greater, "greaterThanOrEquals": .greaterOrEqual, "contains": .contains,
        "startsWith": .startsWith, "endsWith": .endsWith, "includes": .includes,
    ]

    private static let names =
        words.keys + CheckPredicate.Kind.allCases.map(\.rawValue) + ["matches", "exists", "not"]
        + CheckFilter.simple.keys

    mutating func predicate(of query: CheckQuery, bareValueIsText: Bool) throws(SyntaxFault) -> CheckPredicate {
        for (symbol, comparison) in Self.symbols where scanner.skip(symbol) {
            return .compare(comparison, try operand(of: query, comparison, isText: bareValueIsText))
        }
        let start = scanner.offset
        let name = word()
        scanner.offset += name.unicodeScalars.count
        if let comparison = Self.words[name] {
            return .compare(comparison, try operand(of: query, comparison, isText: bareValueIsText))
        }
        if let kind = CheckPredicate.Kind(rawValue: name) { return .kind(kind) }
        switch name {
        case "exists": return .exists
        case "matches": return .matches(try patternArgument(bareToEnd: style == .commandLine))
        default:
            scanner.offset = start
            let hint = Self.hint(for: name, among: Self.names)
            throw SyntaxFault(unexpected("a predicate such as ==, contains or exists").message + hint, at: start)
        }
    }

    private mutating func operand(
        of query: CheckQuery, _ comparison: CheckPredicate.Comparison, isText: Bool
    ) throws(SyntaxFault) -> CheckPredicate.Operand {
        scanner.skipSpaces()
        let isOrder = [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(comparison)
        guard style == .commandLine else { return try fileOperand(isDuration: query == .duration) }
        return try argumentOperand(isText: isText && !isOrder, isDuration: query == .duration)
    }

    /// A value in a file: typed, with strings in quotes.
    private mutating func fileOperand(isDuration: Bool) throws(SyntaxFault) -> CheckPredicate.Operand {
        let start = scanner.offset
        switch scanner.next {
        case "\"": return .text(try quotedString("a value"))
        case "`": return .text(try quotedString("a value", quote: "`"))
        case "{" where scanner.starts(with: "{{"): return .expression(try expression())
        case "[", "{": return .value(try jsonValue())
        default: break
        }
        if scanner.starts(with: "hex,") || scanner.starts(with: "base64,") { return .value(.bytes(try encodedBytes())) }
        if scanner.skip("file,") { return .file(try fileName()) }
        let word = scanner.read { !$0.isSpace && $0 != "\n" && $0 != "#" }
        if let value = Self.literal(word, isDuration: isDuration) { return .value(value) }
        scanner.offset = start
        throw unexpected("a value (strings are in quotes)")
    }

    /// A value on the command line, which reaches to the end.
    private mutating func argumentOperand(
        isText: Bool, isDuration: Bool
    ) throws(SyntaxFault) -> CheckPredicate.Operand {
        let start = scanner.offset
        switch scanner.next {
        case nil: throw unexpected("a value")
        case "\"": return .text(try quotedString("a value"))
        case "[", "{":
            if isText { break }
            return .value(try jsonValue())
        default: break
        }
        if scanner.starts(with: "hex,") || scanner.starts(with: "base64,") { return .value(.bytes(try encodedBytes())) }
        let text = scanner.read { _ in true }.trimmingSpaces
        if isText { return .value(.text(text)) }
        if let value = Self.literal(text, isDuration: isDuration) { return .value(value) }
        if isDuration { throw SyntaxFault("a duration is a number of milliseconds, or 500ms, or 2s", at: start) }
        return .value(.text(text))
    }

    /// `null`, a Boolean, a number, or a duration as milliseconds.
    private static func literal(_ word: String, isDuration: Bool) -> CheckValue? {
        if isDuration {
            for (suffix, factor) in [("ms", 1.0), ("s", 1000.0)] where word.hasSuffix(suffix) {
                let digits = String(word.dropLast(suffix.count))
                let duration = ExactJSON(number: digits)?.number.map { $0.double * factor }
                return duration.flatMap(ExactNumber.init(_:)).map { .json(.number($0)) }
            }
        }
        let value = CheckValue(parsing: word)
        return value.string == nil ? value : nil
    }

    /// A JSON array or object.
    private mutating func jsonValue() throws(SyntaxFault) -> CheckValue {
        let start = scanner.offset
        var body = JSONBodyScanner(scanner)
        let end = try body.end()
        let text = scanner.text(start..<end)
        do throws(JSONSyntaxError) {
            let value = try ExactJSON(parsing: Data(text.utf8))
            scanner.offset = end
            return .json(value)
        } catch {
            throw SyntaxFault("invalid JSON: \(error.expectation)", at: start)
        }
    }

    /// `hex,…;` or `base64,…;`. On the command line the semicolon can be left out.
    mutating func encodedBytes() throws(SyntaxFault) -> Data {
        let start = scanner.offset
        let isHex = scanner.skip("hex,")
        if !isHex { _ = scanner.skip("base64,") }
        let text = scanner.read { $0 != ";" && (style == .file || !$0.isSpace) }
        guard scanner.skip(";") || style == .commandLine && scanner.isAtEnd else {
            throw SyntaxFault("\(isHex ? "hex" : "base64"),… has no closing ;", at: start)
        }
        let clean = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isWhitespace }))
        guard let data = isHex ? Hexadecimal.decode(clean.utf8).map({ Data($0) }) : Base64Text.decode(clean) else {
            throw SyntaxFault("invalid \(isHex ? "hexadecimal digits" : "Base64")", at: start)
        }
        return data
    }

    /// The name in `file,name;`, after the comma.
    mutating func fileName() throws(SyntaxFault) -> Template {
        let start = scanner.offset
        var name = TemplateReader(self, escapes: [";", "#", " ", "\\"])
        let template = try name.template { $0 == ";" || $0 == "\n" || $0 == "#" }
        scanner = name.scanner
        guard scanner.skip(";") else { throw SyntaxFault("file,… has no closing ;", at: start) }
        return template.trimmed
    }
}

// Strings.
extension CheckParser {
    /// A string in quotes, with escapes, and in a file with `{{name}}`.
    mutating func quotedString(
        _ expectation: String, quote: Unicode.Scalar = "\""
    ) throws(SyntaxFault) -> Template {
        let start = scanner.offset
        guard scanner.next == quote else { throw unexpected(expectation) }
        scanner.offset += 1
        var reader = TemplateReader(self, escapes: ["\"", "`", "\\", "/", "#"])
        var template = try reader.template { $0 == quote || $0 == "\n" && quote == "`" }
        scanner = reader.scanner
        guard scanner.read() == quote else { throw SyntaxFault("the quote has no end", at: start) }
        template = Template(parts: template.parts, offset: start)
        return template
    }

    /// `{{name filter…}}`.
    mutating func expression() throws(SyntaxFault) -> Template.Expression {
        let start = scanner.offset
        // The text of a filter can contain references again.
        depth += 1
        defer { depth -= 1 }
        if depth > Self.depthLimit { throw scanner.fault("more than \(Self.depthLimit) nested {{ }}") }
        scanner.offset += 2
        scanner.skipSpaces()
        let nameStart = scanner.offset
        let name = scanner.read { $0.isNamePart }
        guard let first = name.unicodeScalars.first, first.isASCIILetter || first == "_" else {
            throw SyntaxFault("expected the name of a variable after {{", at: nameStart)
        }
        var filters: [CheckFilter] = []
        while let filter = try filter() {
            filters.append(filter)
            if filters.count > Self.filterLimit { throw scanner.fault("more than \(Self.filterLimit) filters") }
        }
        scanner.skipSpaces()
        guard scanner.skip("}}") else { throw SyntaxFault("{{ has no }}", at: start) }
        return Template.Expression(name: name, filters: filters, offset: nameStart)
    }
}
