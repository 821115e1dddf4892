import Godwit
import GodwitPatterns
import GodwitSupport

/// Parses a ``JSONPath``.
struct JSONPathParser {
    private static let depthLimit = 20
    private static let segmentLimit = 500

    private var scanner: TextScanner
    private var depth = 0

    /// Parses a whole path, such as `$.items[0].id`.
    static func path(_ text: String) throws(SyntaxFault) -> JSONPath {
        var parser = JSONPathParser(scanner: TextScanner(text))
        guard parser.scanner.skip("$") else { throw parser.scanner.fault("a JSONPath starts with $") }
        let segments = try parser.segments()
        if !parser.scanner.isAtEnd { throw parser.unexpected() }
        return JSONPath(segments: segments)
    }

    private init(scanner: TextScanner) {
        self.scanner = scanner
    }

    private func unexpected() -> SyntaxFault {
        guard let next = scanner.next else { return scanner.fault("the JSONPath is incomplete") }
        return scanner.fault("unexpected \"\(next)\" in the JSONPath")
    }

    private mutating func segments() throws(SyntaxFault) -> [JSONPath.Segment] {
        var segments: [JSONPath.Segment] = []
        while let segment = try segment() {
            segments.append(segment)
            if segments.count > Self.segmentLimit { throw scanner.fault("the JSONPath is too long") }
        }
        return segments
    }

    private mutating func segment() throws(SyntaxFault) -> JSONPath.Segment? {
        if scanner.skip("..") {
            let selector = scanner.next == "[" ? try bracket() : try memberName()
            return JSONPath.Segment(selector: selector, isDescendant: true)
        }
        if scanner.skip(".") { return JSONPath.Segment(selector: try memberName()) }
        if scanner.next == "[" { return JSONPath.Segment(selector: try bracket()) }
        return nil
    }

    /// Reads `name` or `*` after a dot.
    private mutating func memberName() throws(SyntaxFault) -> JSONPath.Selector {
        if scanner.skip("*") { return .wildcard }
        let start = scanner.offset
        let name = scanner.read { $0.isNamePart || $0.value >= 0x80 || $0 == "$" || $0 == "@" }
        if name.isEmpty { throw unexpected() }
        if scanner.next == "(" {
            throw SyntaxFault(
                "functions such as \(CheckValue.shortened(name))() aren't supported; use a filter such as count",
                at: start)
        }
        return .name(name)
    }

    private mutating func bracket() throws(SyntaxFault) -> JSONPath.Selector {
        let start = scanner.offset
        scanner.offset += 1
        var selectors: [JSONPath.Selector] = []
        repeat {
            scanner.skipSpaces()
            selectors.append(try selector())
            scanner.skipSpaces()
            if selectors.count > 100 { throw scanner.fault("too many selectors in brackets") }
        } while scanner.skip(",")
        guard scanner.skip("]") else {
            throw scanner.isAtEnd ? SyntaxFault("\"[\" has no \"]\"", at: start) : unexpected()
        }
        return selectors.count == 1 ? selectors[0] : .union(selectors)
    }

    private mutating func selector() throws(SyntaxFault) -> JSONPath.Selector {
        switch scanner.next {
        case "*":
            scanner.offset += 1
            return .wildcard
        case "'", "\"": return .name(try quoted())
        case "?":
            scanner.offset += 1
            scanner.skipSpaces()
            return .filter(try filter())
        case "(": throw scanner.fault("scripts such as [(@.length-1)] aren't supported; write [-1]")
        default: return try indexOrSlice()
        }
    }

    private mutating func indexOrSlice() throws(SyntaxFault) -> JSONPath.Selector {
        let start = try integer()
        scanner.skipSpaces()
        guard scanner.skip(":") else {
            guard let start else { throw unexpected() }
            return .index(start)
        }
        scanner.skipSpaces()
        let end = try integer()
        scanner.skipSpaces()
        if scanner.next == ":" { throw scanner.fault("slices with a step aren't supported") }
        return .slice(start: start, end: end)
    }

    private mutating func integer() throws(SyntaxFault) -> Int? {
        let start = scanner.offset
        let sign = scanner.skip("-") ? "-" : ""
        let digits = scanner.read { $0.isDigit }
        if digits.isEmpty, sign.isEmpty { return nil }
        // Larger indices aren't in any array, and could overflow when counted from the end.
        guard digits.count < 10, let value = Int(sign + digits) else {
            throw SyntaxFault("invalid index", at: start)
        }
        return value
    }

    private mutating func quoted() throws(SyntaxFault) -> String {
        let start = scanner.offset
        let quote = scanner.read()
        var text = ""
        while let scalar = scanner.read() {
            if scalar == quote { return text }
            guard scalar == "\\" else {
                text.unicodeScalars.append(scalar)
                continue
            }
            switch scanner.read() {
            case "n": text += "\n"
            case "t": text += "\t"
            case "r": text += "\r"
            case .some(let escaped) where !escaped.isASCIILetter: text.unicodeScalars.append(escaped)
            default: throw SyntaxFault("unknown escape in the JSONPath", at: scanner.offset - 1)
            }
        }
        throw SyntaxFault("the quote has no end", at: start)
    }
}

// Filters: `@.a == 1 && !(@.b || @.c > 2)`.
extension JSONPathParser {
    private mutating func filter() throws(SyntaxFault) -> JSONPath.Filter {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.depthLimit { throw scanner.fault("the filter has more than \(Self.depthLimit) nested parts") }
        var filters = [try conjunction()]
        while skip("||") { filters.append(try conjunction()) }
        return filters.count == 1 ? filters[0] : .any(filters)
    }

    private mutating func conjunction() throws(SyntaxFault) -> JSONPath.Filter {
        var filters = [try term()]
        while skip("&&") { filters.append(try term()) }
        return filters.count == 1 ? filters[0] : .all(filters)
    }

    private mutating func skip(_ text: String) -> Bool {
        scanner.skipSpaces()
        guard scanner.skip(text) else { return false }
        scanner.skipSpaces()
        return true
    }

    private mutating func term() throws(SyntaxFault) -> JSONPath.Filter {
        scanner.skipSpaces()
        if scanner.next == "!", scanner.peek(1) != "=" {
            scanner.offset += 1
            depth += 1
            defer { depth -= 1 }
            if depth > Self.depthLimit { throw scanner.fault("the filter has too many nested parts") }
            return .not(try term())
        }
        if scanner.skip("(") {
            let inner = try filter()
            guard skip(")") else { throw unexpected() }
            return inner
        }
        let left = try operand()
        scanner.skipSpaces()
        if scanner.starts(with: "=~") { throw scanner.fault("=~ isn't supported; use the predicate matches") }
        for comparison in JSONPath.Comparison.allCases where scanner.skip(comparison.rawValue) {
            scanner.skipSpaces()
            return .compare(left, comparison, try operand())
        }
        guard case .path = left else { throw unexpected() }
        return .exists(left)
    }

    private mutating func operand() throws(SyntaxFault) -> JSONPath.Operand {
        let start = scanner.offset
        switch scanner.next {
        case "@":
            scanner.offset += 1
            depth += 1
            defer { depth -= 1 }
            if depth > Self.depthLimit { throw scanner.fault("the filter has too many nested parts") }
            return .path(try segments())
        case "$": throw scanner.fault("$ in a filter isn't supported; use @")
        case "'", "\"": return .value(.string(try quoted()))
        default: break
        }
        let word = scanner.read { $0.isNamePart || $0 == "." || $0 == "+" }
        switch word {
        case "true": return .value(.bool(true))
        case "false": return .value(.bool(false))
        case "null": return .value(.null)
        default:
            if scanner.next == "(" {
                throw SyntaxFault("the function \(CheckValue.shortened(word))() isn't supported", at: start)
            }
            guard let number = ExactJSON(number: word) else {
                scanner.offset = start
                throw unexpected()
            }
            return .value(number)
        }
    }
}
