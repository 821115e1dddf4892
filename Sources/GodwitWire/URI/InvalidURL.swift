/// Why a text is no URL that can be requested.
public struct InvalidURL: Error, Sendable, Hashable {
    /// What is wrong, in words a developer can act on.
    public let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

extension InvalidURL: CustomStringConvertible {
    public var description: String { "invalid URL: \(reason)" }
}
