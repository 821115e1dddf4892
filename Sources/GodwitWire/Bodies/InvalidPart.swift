/// Why a part cannot stand in a multipart body.
public struct InvalidPart: Error, Sendable, Hashable {
    /// What is wrong, in words a developer can act on.
    public let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

extension InvalidPart: CustomStringConvertible {
    public var description: String { "invalid part: \(reason)" }
}
