/// Parses a regular expression.
struct PatternParser {
    private struct Flags {
        var ignoresCase = false
        var isMultiline = false
        var dotMatchesNewline = false
    }

    /// A parsed expression.
    indirect enum Node {
        case empty
        case scalars(ScalarSet)
        case assertion(Pattern.Assertion)
        case group(Node, Int)
        case sequence([Node])
        case alternatives([Node])
        case repetition(Node, minimum: Int, maximum: Int?, isLazy: Bool)
    }

    private static let depthLimit = 100
    private static let countLimit = 1000
    private static let groupLimit = 50

    private(set) var groupCount = 0
    private var scanner: TextScanner
    private var flags = Flags()
    private var depth = 0

    init(_ source: String) {
        scanner = TextScanner(source)
    }

    mutating func parse() throws(SyntaxFault) -> Node {
        let node = try alternatives()
        if !scanner.isAtEnd { throw scanner.fault("unexpected \")\" in the pattern") }
        return node
    }
}

extension PatternParser {
    private mutating func alternatives() throws(SyntaxFault) -> Node {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.depthLimit { throw scanner.fault("the pattern has more than \(Self.depthLimit) nested groups") }
        // Flags such as (?i) apply until the group ends.
        let outer = flags
        defer { flags = outer }
        var branches = [try sequence()]
        while scanner.skip("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(SyntaxFault) -> Node {
        var nodes: [Node] = []
        while let scalar = scanner.next, scalar != "|", scalar != ")" {
            nodes.append(try repeated(try atom()))
        }
        return .sequence(nodes)
    }

    private mutating func atom() throws(SyntaxFault) -> Node {
        let start = scanner.offset
        guard let scalar = scanner.read() else { return .empty }
        switch scalar {
        case "(": return try group()
        case "[": return .scalars(try bracket())
        case ".": return .scalars(flags.dotMatchesNewline ? .any : .notNewline)
        case "^": return .assertion(flags.isMultiline ? .lineStart : .textStart)
        case "$": return .assertion(flags.isMultiline ? .lineEnd : .textEnd)
        case "\\": return try escape()
        case "*", "+", "?": throw SyntaxFault("\"\(scalar)\" repeats nothing", at: start)
        default: return .scalars(literal(scalar))
        }
    }

    private func literal(_ scalar: Unicode.Scalar) -> ScalarSet { cased(ScalarSet(scalar)) }

    private func cased(_ set: ScalarSet) -> ScalarSet {
        var set = set
        if flags.ignoresCase { set.ignoreCase() }
        return set
    }

    private mutating func group() throws(SyntaxFault) -> Node {
        let start = scanner.offset - 1
        let outer = flags
        var index: Int?
        if !scanner.skip("?") {
            index = try nextGroup()
        } else if skipNameMark() {
            let name = scanner.read { $0.isNamePart }
            guard !name.isEmpty, scanner.skip(">") else { throw scanner.fault("invalid name of a group") }
            index = try nextGroup()
        } else if try !setFlags() {
            return .empty
        }
        let node = try alternatives()
        guard scanner.skip(")") else { throw SyntaxFault("the group has no \")\"", at: start) }
        flags = outer
        return index.map { .group(node, $0) } ?? node
    }

    /// Reads `P<` or `<` before the name of a group. `<=` and `<!` are lookbehind.
    private mutating func skipNameMark() -> Bool {
        if scanner.skip("P<") { return true }
        if scanner.starts(with: "<=") || scanner.starts(with: "<!") { return false }
        return scanner.skip("<")
    }

    private mutating func nextGroup() throws(SyntaxFault) -> Int {
        groupCount += 1
        if groupCount > Self.groupLimit { throw scanner.fault("the pattern has more than \(Self.groupLimit) groups") }
        return groupCount
    }

    /// Reads `i)`, `i:` or `:` after `(?`. Returns whether a group follows.
    private mutating func setFlags() throws(SyntaxFault) -> Bool {
        var isOn = true
        while let scalar = scanner.read() {
            switch scalar {
            case ":": return true
            case ")": return false
            case "-": isOn = false
            case "i": flags.ignoresCase = isOn
            case "m": flags.isMultiline = isOn
            case "s": flags.dotMatchesNewline = isOn
            default:
                throw SyntaxFault(
                    "\"(?\(scalar)\" isn't supported: patterns have no lookaround", at: scanner.offset - 1)
            }
        }
        throw scanner.fault("the group has no \")\"")
    }

    private mutating func repeated(_ node: Node) throws(SyntaxFault) -> Node {
        var node = node
        var count = 0
        while let (minimum, maximum) = try quantifier() {
            count += 1
            // Repetitions of repetitions multiply the instructions.
            if count > 2 { throw scanner.fault("too many quantifiers in a row") }
            let isLazy = scanner.skip("?")
            if scanner.next == "+" { throw scanner.fault("possessive quantifiers aren't supported") }
            node = .repetition(node, minimum: minimum, maximum: maximum, isLazy: isLazy)
        }
        return node
    }

    private mutating func quantifier() throws(SyntaxFault) -> (Int, Int?)? {
        if scanner.skip("*") { return (0, nil) }
        if scanner.skip("+") { return (1, nil) }
        if scanner.skip("?") { return (0, 1) }
        guard scanner.next == "{", scanner.peek(1)?.isDigit == true else { return nil }
        let start = scanner.offset
        scanner.offset += 1
        let minimum = Int(scanner.read { $0.isDigit })
        var maximum = minimum
        if scanner.skip(",") {
            let digits = scanner.read { $0.isDigit }
            maximum = digits.isEmpty ? nil : Int(digits) ?? .max
        }
        guard scanner.skip("}") else { throw SyntaxFault("\"{\" has no \"}\"; write \\{ for a brace", at: start) }
        guard let minimum, max(minimum, maximum ?? 0) <= Self.countLimit else {
            throw SyntaxFault("a part can be repeated up to \(Self.countLimit) times", at: start)
        }
        if let maximum, maximum < minimum {
            throw SyntaxFault("the quantifier's limits are in the wrong order", at: start)
        }
        return (minimum, maximum)
    }

    private mutating func bracket() throws(SyntaxFault) -> ScalarSet {
        let start = scanner.offset - 1
        var set = ScalarSet()
        let isNegated = scanner.skip("^")
        var isFirst = true
        while let scalar = scanner.next, scalar != "]" || isFirst {
            isFirst = false
            if scanner.starts(with: "[:") {
                throw scanner.fault("classes such as [:alpha:] aren't supported; write a-z")
            }
            let lower = try bracketItem()
            guard scanner.next == "-", let after = scanner.peek(1), after != "]" else {
                set.formUnion(lower)
                continue
            }
            scanner.offset += 1
            let rangeEnd = scanner.offset
            let upper = try bracketItem()
            guard let first = lower.onlyScalar, let last = upper.onlyScalar, first <= last else {
                throw SyntaxFault("invalid range in brackets", at: rangeEnd)
            }
            set.insert(first, last)
        }
        guard scanner.skip("]") else { throw SyntaxFault("\"[\" has no \"]\"", at: start) }
        var result = cased(set)
        result.isNegated = isNegated
        return result
    }

    private mutating func bracketItem() throws(SyntaxFault) -> ScalarSet {
        guard let scalar = scanner.read() else { throw scanner.fault("\"[\" has no \"]\"") }
        return scalar == "\\" ? try escapedSet() : ScalarSet(scalar)
    }

    private mutating func escape() throws(SyntaxFault) -> Node {
        switch scanner.next {
        case "b": return assertion(.wordBoundary)
        case "B": return assertion(.noWordBoundary)
        case "A": return assertion(.textStart)
        case "z": return assertion(.textEnd)
        default: return .scalars(cased(try escapedSet()))
        }
    }

    private mutating func assertion(_ assertion: Pattern.Assertion) -> Node {
        scanner.offset += 1
        return .assertion(assertion)
    }

    /// Reads what follows a backslash.
    private mutating func escapedSet() throws(SyntaxFault) -> ScalarSet {
        let start = scanner.offset
        guard let scalar = scanner.read() else { throw SyntaxFault("the pattern ends with a backslash", at: start) }
        switch scalar {
        case "d": return .digit
        case "D": return ScalarSet.digit.inverted
        case "w": return .word
        case "W": return ScalarSet.word.inverted
        case "s": return .space
        case "S": return ScalarSet.space.inverted
        case "n": return ScalarSet("\n")
        case "r": return ScalarSet("\r")
        case "t": return ScalarSet("\t")
        case "f": return ScalarSet("\u{C}")
        case "v": return ScalarSet("\u{B}")
        case "x", "u": return ScalarSet(try hexadecimal(digits: scalar == "x" ? 2 : 4))
        case _ where scalar.isDigit:
            throw SyntaxFault("back references such as \\\(scalar) aren't supported", at: start)
        case _ where scalar.isASCIILetter: throw SyntaxFault("\\\(scalar) isn't supported in a pattern", at: start)
        default: return ScalarSet(scalar)
        }
    }

    /// Reads `41`, `0041` or `{41}`.
    private mutating func hexadecimal(digits: Int) throws(SyntaxFault) -> Unicode.Scalar {
        let start = scanner.offset
        let isBraced = scanner.skip("{")
        var text = ""
        while let scalar = scanner.next, scalar.hexValue != nil, text.count < (isBraced ? 6 : digits) {
            text.unicodeScalars.append(scalar)
            scanner.offset += 1
        }
        let isComplete = isBraced ? scanner.skip("}") : text.count == digits
        guard isComplete, let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw SyntaxFault("invalid code of a character in the pattern", at: start)
        }
        return scalar
    }
}

extension ScalarSet {
    /// The scalar of a set with one scalar.
    fileprivate var onlyScalar: Unicode.Scalar? {
        guard !isNegated, ranges.count == 1, ranges[0].count == 1 else { return nil }
        return Unicode.Scalar(ranges[0].lowerBound)
    }
}
