/// Translates a parsed regular expression into the instructions of a ``Pattern``.
struct PatternCompiler {
    private typealias Node = PatternParser.Node

    private static let instructionLimit = 5000

    private var program: [Pattern.Instruction] = []
    /// The nodes translated so far: a repetition of nothing emits no instruction, but takes time.
    private var work = 0

    static func program(for node: PatternParser.Node) throws(SyntaxFault) -> [Pattern.Instruction] {
        var compiler = PatternCompiler()
        try compiler.emit(.save(0))
        try compiler.emit(node)
        try compiler.emit(.save(1))
        try compiler.emit(.match)
        return compiler.program
    }

    private mutating func emit(_ instruction: Pattern.Instruction) throws(SyntaxFault) {
        guard program.count < Self.instructionLimit else {
            throw SyntaxFault("the pattern is too large", at: 0)
        }
        program.append(instruction)
    }

    private mutating func emit(_ node: Node) throws(SyntaxFault) {
        work += 1
        if work > 10 * Self.instructionLimit { throw SyntaxFault("the pattern is too large", at: 0) }
        switch node {
        case .empty: return
        case .scalars(let set): try emit(Pattern.Instruction.scalars(set))
        case .assertion(let assertion): try emit(Pattern.Instruction.assertion(assertion))
        case .group(let inner, let index):
            try emit(.save(2 * index))
            try emit(inner)
            try emit(.save(2 * index + 1))
        case .sequence(let nodes): for node in nodes { try emit(node) }
        case .alternatives(let branches): try emit(branches[...])
        case .repetition(let inner, let minimum, let maximum, let isLazy):
            for _ in 0..<minimum { try emit(inner) }
            guard let maximum else { return try emitLoop(inner, isLazy: isLazy) }
            try emitOptional(inner, count: maximum - minimum, isLazy: isLazy)
        }
    }

    private mutating func emit(_ branches: ArraySlice<Node>) throws(SyntaxFault) {
        var ends: [Int] = []
        for (index, branch) in branches.enumerated() {
            guard index < branches.count - 1 else {
                try emit(branch)
                continue
            }
            let split = program.count
            try emit(.split(split + 1, split + 1))
            try emit(branch)
            ends.append(program.count)
            try emit(.jump(0))
            program[split] = .split(split + 1, program.count)
        }
        for end in ends { program[end] = .jump(program.count) }
    }

    private mutating func emitLoop(_ node: Node, isLazy: Bool) throws(SyntaxFault) {
        let split = program.count
        try emit(.split(split, split))
        try emit(node)
        try emit(.jump(split))
        program[split] = Self.split(split + 1, program.count, isLazy: isLazy)
    }

    private mutating func emitOptional(_ node: Node, count: Int, isLazy: Bool) throws(SyntaxFault) {
        var splits: [Int] = []
        for _ in 0..<count {
            splits.append(program.count)
            try emit(.split(0, 0))
            try emit(node)
        }
        for split in splits { program[split] = Self.split(split + 1, program.count, isLazy: isLazy) }
    }

    private static func split(_ inner: Int, _ after: Int, isLazy: Bool) -> Pattern.Instruction {
        isLazy ? .split(after, inner) : .split(inner, after)
    }
}
