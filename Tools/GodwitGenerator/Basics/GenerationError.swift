/// Why nothing can be generated.
public struct GenerationError: Error, Sendable, Hashable {
    /// What is wrong; programs choose their exit code by it.
    public enum Kind: Sendable, Hashable {
        /// A file can't be read or written.
        case file
        /// A document isn't JSON, YAML, or what its format requires.
        case invalid
        /// A version or a kind of document that isn't supported.
        case unsupported
        /// Samples of one value that can't have the same type.
        case contradiction
    }

    /// What is wrong.
    public var kind: Kind
    /// What happened and the next step, in one line.
    public var reason: String
    /// Where the mistake is; `nil` if it has no place.
    public var place: SourcePlace?
    /// What else is wrong, if several mistakes were found at once.
    public var others: [GenerationError] = []

    /// Creates an error from one line: what happened, and the next step.
    public init(_ kind: Kind, _ reason: String, at place: SourcePlace? = nil) {
        self.kind = kind
        self.reason = reason
        self.place = place
    }
}

extension GenerationError: CustomStringConvertible {
    /// Each mistake on its line.
    public var description: String {
        ([place.map { "\($0): \(reason)" } ?? reason] + others.map(\.description)).joined(separator: "\n")
    }
}

/// Mistakes that are told together: the first hundred.
struct GenerationErrors: Sendable {
    private(set) var all: [GenerationError] = []

    /// Whether no more are kept.
    var isFull: Bool { all.count >= 100 }

    /// Runs what may throw, and keeps its error.
    mutating func collect(_ work: () throws(GenerationError) -> Void) {
        do throws(GenerationError) { try work() } catch { add(error) }
    }

    /// Keeps an error unless it is known.
    mutating func add(_ error: GenerationError) {
        guard !isFull else { return }
        var single = error
        single.others = []
        if !all.contains(single) { all.append(single) }
        for other in error.others { add(other) }
    }

    /// Throws all of them as one, if there are any.
    func check() throws(GenerationError) {
        guard var first = all.first else { return }
        first.others = Array(all.dropFirst())
        throw first
    }
}
