/// A regular expression that takes time linear in the text, whatever the expression.
///
/// The automaton is simulated with all its states at once (Pike's algorithm). Swift's `Regex` backtracks: on some texts it
/// takes exponential time, and a server chooses the text.
public struct Pattern: Sendable, Hashable {
    /// A step of the automaton. Targets are indices of instructions.
    enum Instruction: Sendable, Hashable {
        case scalars(ScalarSet)
        /// Continues at both targets, of which the first has precedence.
        case split(Int, Int)
        case jump(Int)
        /// Stores the position in a slot: two for each group.
        case save(Int)
        case assertion(Assertion)
        case match
    }

    enum Assertion: Sendable, Hashable {
        case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
    }

    /// Where an expression and its groups match, as indices of scalars.
    public struct Match: Sendable, Hashable {
        /// Of the whole match, then of each group; `nil` for a group that takes no part.
        public let groups: [Range<Int>?]

        public var range: Range<Int> { groups.first.flatMap(\.self) ?? 0..<0 }
    }

    /// The text is too long for the expression.
    public struct TooMuchWork: Error {}

    /// The maximum steps of one search. A text of a few million characters takes fewer.
    public static let stepLimit = 5_000_000

    public let source: String
    public let groupCount: Int
    private let program: [Instruction]
    /// The sets of which one must contain the first scalar of a match; `nil` if a match can be empty.
    private let starters: [ScalarSet]?

    /// Parses an expression in the syntax of RE2 and Rust, without Unicode classes.
    public init(_ source: String) throws(SyntaxFault) {
        var parser = PatternParser(source)
        program = try PatternCompiler.program(for: try parser.parse())
        starters = Self.starters(of: program)
        groupCount = parser.groupCount
        self.source = source
    }

    /// Returns the first match at or after a position; `nil` if there is none.
    ///
    /// - Parameter steps: The steps of earlier searches that belong together; the steps of this one are added.
    public func firstMatch(in text: [Unicode.Scalar], from start: Int, steps: inout Int) throws(TooMuchWork) -> Match? {
        var search = PatternSearch(program: program, starters: starters, slots: 2 * (groupCount + 1), text: text)
        search.steps = steps
        defer { steps = search.steps }
        guard let slots = try search.run(from: start) else { return nil }
        let ranges = (0...groupCount).map { group in
            let (lower, upper) = (slots[2 * group], slots[2 * group + 1])
            return lower >= 0 && upper >= lower ? lower..<upper : nil
        }
        return Match(groups: ranges)
    }

    private static func starters(of program: [Instruction]) -> [ScalarSet]? {
        var starters: [ScalarSet] = []
        var visited: Set<Int> = []
        var pending = [0]
        while let place = pending.popLast() {
            guard visited.insert(place).inserted else { continue }
            switch program[place] {
            case .match: return nil
            case .scalars(let set): if !starters.contains(set) { starters.append(set) }
            case .jump(let target): pending.append(target)
            case .split(let first, let second): pending += [first, second]
            case .save, .assertion: pending.append(place + 1)
            }
        }
        return starters
    }
}

/// One search of a pattern: the automaton's threads, in order of precedence.
private struct PatternSearch {
    private struct Thread {
        let place: Int
        let slots: [Int]
    }

    private struct Threads {
        var list: [Thread] = []
        /// The generation in which each instruction was last added.
        var marks: [Int]
    }

    let program: [Pattern.Instruction]
    let starters: [ScalarSet]?
    let slotCount: Int
    let text: [Unicode.Scalar]
    private var generation = 0
    var steps = 0

    init(program: [Pattern.Instruction], starters: [ScalarSet]?, slots: Int, text: [Unicode.Scalar]) {
        self.program = program
        self.starters = starters
        slotCount = slots
        self.text = text
    }

    mutating func run(from start: Int) throws(Pattern.TooMuchWork) -> [Int]? {
        var current = Threads(marks: Array(repeating: -1, count: program.count))
        var following = current
        var best: [Int]?
        var position = start
        while position <= text.count {
            // A match at an earlier start has precedence, so no new thread starts after it.
            if best == nil {
                if current.list.isEmpty {
                    position = nextStart(from: position)
                    generation += 1
                }
                try add(0, Array(repeating: -1, count: slotCount), at: position, to: &current)
            }
            if best != nil, current.list.isEmpty { break }
            generation += 1
            following.list.removeAll(keepingCapacity: true)
            threads: for thread in current.list {
                switch program[thread.place] {
                case .match:
                    best = thread.slots
                    // Threads of lower precedence are cut off.
                    break threads
                case .scalars(let set) where position < text.count && set.contains(text[position]):
                    try add(thread.place + 1, thread.slots, at: position + 1, to: &following)
                default: continue threads
                }
            }
            swap(&current, &following)
            position += 1
        }
        return best
    }

    /// The next position at which a match can start.
    private func nextStart(from position: Int) -> Int {
        guard let starters else { return position }
        var position = position
        while position < text.count, !starters.contains(where: { $0.contains(text[position]) }) { position += 1 }
        return position
    }

    /// Adds the threads that an instruction leads to without reading a scalar.
    private mutating func add(
        _ place: Int, _ slots: [Int], at position: Int, to threads: inout Threads
    ) throws(Pattern.TooMuchWork) {
        var pending = [Thread(place: place, slots: slots)]
        while let thread = pending.popLast() {
            guard threads.marks[thread.place] != generation else { continue }
            threads.marks[thread.place] = generation
            steps += 1
            if steps > Pattern.stepLimit { throw Pattern.TooMuchWork() }
            switch program[thread.place] {
            case .jump(let target): pending.append(Thread(place: target, slots: thread.slots))
            case .split(let first, let second):
                pending.append(Thread(place: second, slots: thread.slots))
                pending.append(Thread(place: first, slots: thread.slots))
            case .save(let slot):
                var slots = thread.slots
                slots[slot] = position
                pending.append(Thread(place: thread.place + 1, slots: slots))
            case .assertion(let assertion):
                if holds(assertion, at: position) {
                    pending.append(Thread(place: thread.place + 1, slots: thread.slots))
                }
            case .scalars, .match: threads.list.append(thread)
            }
        }
    }

    private func holds(_ assertion: Pattern.Assertion, at position: Int) -> Bool {
        switch assertion {
        case .textStart: position == 0
        case .textEnd: position == text.count
        case .lineStart: position == 0 || text[position - 1] == "\n"
        case .lineEnd: position == text.count || text[position] == "\n"
        case .wordBoundary: isWord(position - 1) != isWord(position)
        case .noWordBoundary: isWord(position - 1) == isWord(position)
        }
    }

    private func isWord(_ position: Int) -> Bool {
        text.indices.contains(position) && ScalarSet.word.contains(text[position])
    }
}
