extension Pattern {
    /// As long is an example at most, in scalars.
    private static let exampleLimit = 4096

    /// A text that the expression matches as a whole, if possible of a certain length; `nil` if none is found.
    ///
    /// It is found for expressions without word boundaries and the like: search for the expression in the result to be sure.
    ///
    /// - Parameter count: The least number of scalars; repetitions are repeated until there are as many.
    public static func example(of source: String, atLeast count: Int = 0) -> String? {
        var parser = PatternParser(source)
        guard let node = try? parser.parse() else { return nil }
        var example = PatternExample(extra: 0)
        example.add(node)
        // The repetitions share what is missing: most expressions have one.
        while example.text.count < min(count, exampleLimit), example.canGrow {
            example = PatternExample(extra: example.extra + 1)
            example.add(node)
        }
        guard example.text.count <= exampleLimit else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: example.text)
        return String(text)
    }
}

/// Writes one of the texts that an expression matches.
private struct PatternExample {
    /// How often each repetition is repeated more than it must be.
    let extra: Int
    private(set) var text: [Unicode.Scalar] = []
    /// Whether a repetition could be repeated more often.
    private(set) var canGrow = false
    private var work = 0

    private static let workLimit = 10_000

    init(extra: Int) {
        self.extra = extra
    }

    mutating func add(_ node: PatternParser.Node) {
        work += 1
        guard work < Self.workLimit else { return }
        switch node {
        case .empty, .assertion: return
        case .scalars(let set): if let scalar = set.example { text.append(scalar) }
        case .group(let inner, _): add(inner)
        case .sequence(let nodes): for node in nodes { add(node) }
        case .alternatives(let branches): if let first = branches.first { add(first) }
        case .repetition(let inner, let minimum, let maximum, _):
            let count = min(minimum + extra, maximum ?? .max)
            canGrow = canGrow || count < maximum ?? .max
            for _ in 0..<count where work < Self.workLimit { add(inner) }
        }
    }
}

extension ScalarSet {
    /// A scalar of the set that is easy to read; `nil` for an empty set.
    fileprivate var example: Unicode.Scalar? {
        let readable = Self.readable.first(where: contains)
        if readable != nil || isNegated { return readable }
        return ranges.lazy.compactMap { Unicode.Scalar($0.lowerBound) }.first
    }

    private static let readable = Array(
        "aA1bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ023456789-_. @/:".unicodeScalars)
}
