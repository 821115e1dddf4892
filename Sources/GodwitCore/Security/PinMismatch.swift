/// A server whose validated chain holds none of the pinned keys.
public struct PinMismatch: Sendable, Hashable {
    /// The host that was connected to.
    public let host: String

    /// The keys of its chain, the server's own first and the authority's last.
    public let keys: [Pin]

    /// The pins that none of them is.
    public let pins: [Pin]

    /// Whether the connection was ended, or let in as it is only reported.
    public let isRefused: Bool

    /// Makes a report; for transports and tests.
    ///
    /// - Parameters:
    ///   - host: Whose certificates they are.
    ///   - keys: The keys of the chain, the server's first.
    ///   - pins: The keys that were wanted.
    ///   - isRefused: Whether the connection ended.
    public init(host: String, keys: [Pin], pins: [Pin], isRefused: Bool) {
        self.host = host
        self.keys = keys
        self.pins = pins
        self.isRefused = isRefused
    }
}

extension PinMismatch: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        let keys = keys.map(\.description).joined(separator: " ")
        return "no pinned key is in the chain of \(host) (\(keys)); \(isRefused ? "refused" : "only reported")"
    }
}
