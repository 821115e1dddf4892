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

    public var kind: Kind
    /// What happened and the next step, in one line.
    public var reason: String
    public var place: SourcePlace?

    public init(_ kind: Kind, _ reason: String, at place: SourcePlace? = nil) {
        self.kind = kind
        self.reason = reason
        self.place = place
    }
}

extension GenerationError: CustomStringConvertible {
    public var description: String { place.map { "\($0): \(reason)" } ?? reason }
}
