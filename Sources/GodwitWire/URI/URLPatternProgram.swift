/// One part of a ``URLPattern`` as an automaton that keeps all its states at once.
struct URLPatternProgram: Sendable, Hashable {
    private enum Step: Sendable, Hashable {
        case byte(UInt8)
        /// Any byte but this one; any at all for `nil`.
        case other(than: UInt8?)
        /// Continues at both places.
        case split(Int, Int)
    }

    private var steps: [Step] = []
    private let separator: UInt8?

    /// - Parameter separator: What `:name` doesn't match: the slash in a path. Before a name or `*` that is optional or
    ///   repeated, it belongs to that.
    /// - Returns: `nil` for an invalid pattern.
    init?(_ text: some Collection<UInt8>, separator: UInt8?) {
        self.separator = separator
        var reader = URLPatternReader(Array(text)[...])
        while let token = reader.next() {
            switch token {
            case .literal(separator, isEscaped: false) where reader.isWildcardNext:
                guard let wildcard = reader.next() else { return nil }
                add([token, wildcard], reader.nextModifier())
            case .literal: add([token], nil)
            case .any, .name: add([token], reader.nextModifier())
            case .open:
                guard let group = Self.group(&reader) else { return nil }
                add(group, reader.nextModifier())
            case .close, .modifier, .invalid: return nil
            }
        }
    }

    /// The tokens up to the closing brace: text, at most one wildcard, text.
    private static func group(_ reader: inout URLPatternReader) -> [URLPatternReader.Token]? {
        var tokens: [URLPatternReader.Token] = []
        var hasWildcard = false
        while let token = reader.next() {
            switch token {
            case .close: return tokens
            case .literal: break
            case .any, .name:
                guard !hasWildcard else { return nil }
                hasWildcard = true
            case .open, .modifier, .invalid: return nil
            }
            tokens.append(token)
        }
        return nil
    }

    private mutating func add(_ tokens: [URLPatternReader.Token], _ modifier: UInt8?) {
        let start = steps.count
        let isOptional = modifier == UInt8(ascii: "?") || modifier == UInt8(ascii: "*")
        if isOptional { steps.append(.split(0, 0)) }
        for token in tokens { add(token) }
        if modifier == UInt8(ascii: "+") { steps.append(.split(start, steps.count + 1)) }
        if modifier == UInt8(ascii: "*") { steps.append(.split(start, start)) }
        if isOptional { steps[start] = .split(start + 1, steps.count) }
    }

    private mutating func add(_ token: URLPatternReader.Token) {
        let start = steps.count
        switch token {
        case .literal(let byte, _): steps.append(.byte(byte))
        case .any: steps += [.split(start + 1, start + 3), .other(than: nil), .split(start, start)]
        case .name: steps += [.other(than: separator), .split(start, start + 2)]
        case .open, .close, .modifier, .invalid: break
        }
    }

    /// Whether the whole text matches. Takes time in proportion to the product of both lengths.
    func matches(_ text: String) -> Bool {
        guard text.utf8.count <= URLPattern.longestSubject else { return false }
        var current: [Int] = []
        var next: [Int] = []
        /// The number of the last byte before which a state was entered.
        var entered = [Int](repeating: -1, count: steps.count + 1)
        enter(0, &current, &entered, 0)
        for (index, byte) in text.utf8.enumerated() where !current.isEmpty {
            next.removeAll(keepingCapacity: true)
            for state in current where state < steps.count && accepts(byte, at: state) {
                enter(state + 1, &next, &entered, index + 1)
            }
            swap(&current, &next)
        }
        return current.contains(steps.count)
    }

    private func accepts(_ byte: UInt8, at state: Int) -> Bool {
        switch steps[state] {
        case .byte(let wanted): byte == wanted
        case .other(let unwanted): byte != unwanted
        case .split: false
        }
    }

    /// Adds the states that wait for a byte and can be reached from one without any.
    private func enter(_ first: Int, _ states: inout [Int], _ entered: inout [Int], _ number: Int) {
        var pending = [first]
        while let state = pending.popLast() {
            guard entered[state] < number else { continue }
            entered[state] = number
            if state < steps.count, case .split(let one, let other) = steps[state] {
                pending += [other, one]
            } else {
                states.append(state)
            }
        }
    }
}

/// Reads the tokens of a ``URLPattern``.
struct URLPatternReader {
    enum Token: Sendable, Hashable {
        case literal(UInt8, isEscaped: Bool)
        /// `*`
        case any
        /// `:name`
        case name
        case open, close
        /// `?` or `+`. A `*` after something that can be repeated is read as one by ``nextModifier()``.
        case modifier(UInt8)
        /// A regular expression, or a backslash at the end.
        case invalid

        var isQuestion: Bool { self == .modifier(UInt8(ascii: "?")) }

        fileprivate var canBeModified: Bool {
            switch self {
            case .any, .name, .close: true
            case .literal, .open, .modifier, .invalid: false
            }
        }
    }

    private var rest: ArraySlice<UInt8>
    private var last: Token?
    private var beforeLast: Token?
    /// The bytes of the last token.
    private(set) var taken: ArraySlice<UInt8> = []

    init(_ text: ArraySlice<UInt8>) { rest = text }

    /// Whether the last token came after one that can be optional or repeated.
    var mayBeModified: Bool { beforeLast?.canBeModified ?? false }

    var isWildcardNext: Bool {
        var copy = self
        switch copy.next() {
        case .any, .name: return true
        default: return false
        }
    }

    mutating func next() -> Token? {
        let start = rest
        guard let token = read() else { return nil }
        taken = start[start.startIndex..<rest.startIndex]
        (beforeLast, last) = (last, token)
        return token
    }

    /// Takes the modifier after something that can be repeated, if there is one.
    mutating func nextModifier() -> UInt8? {
        guard let byte = rest.first, "?+*".utf8.contains(byte) else { return nil }
        _ = next()
        return byte
    }

    private mutating func read() -> Token? {
        guard let byte = rest.popFirst() else { return nil }
        switch byte {
        case UInt8(ascii: "*"): return .any
        case UInt8(ascii: "{"): return .open
        case UInt8(ascii: "}"): return .close
        case UInt8(ascii: "?"), UInt8(ascii: "+"): return .modifier(byte)
        case UInt8(ascii: "("): return .invalid
        case UInt8(ascii: "\\"): return rest.popFirst().map { .literal($0, isEscaped: true) } ?? .invalid
        case UInt8(ascii: ":"):
            let name = rest.prefix(while: Self.isOfName)
            guard let first = name.first, !first.isDigit else { return .literal(byte, isEscaped: false) }
            rest = rest.dropFirst(name.count)
            return .name
        default: return .literal(byte, isEscaped: false)
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "$")
    }
}
