#if os(Linux)
/// Decides which of a host's addresses to try when (RFC 8305 section 5), as a value: takes events, and says what follows.
///
/// An address that refuses costs nothing, and a silent one costs ``delay``.
struct ConnectRace {
    /// Nanoseconds between two attempts.
    static let delay: Int64 = 200_000_000
    /// The most addresses of a host that are tried.
    static let mostAddresses = 8

    /// Those that were not tried, the next one first.
    private var untried: ArraySlice<SocketAddress>
    /// When the next attempt is due; `nil` if none is left.
    private(set) var due: LoopTime?

    /// - Parameter addresses: The host's, the preferred ones first.
    init(_ addresses: [SocketAddress], at now: LoopTime) {
        untried = Self.alternating(addresses)[...]
        due = untried.isEmpty ? nil : now
    }

    /// The address to try now.
    mutating func next(at now: LoopTime) -> SocketAddress? {
        guard let due, due <= now, let address = untried.popFirst() else { return nil }
        self.due = untried.isEmpty ? nil : now + Self.delay
        return address
    }

    /// An attempt failed: the next one need not wait.
    mutating func failed(at now: LoopTime) {
        if due != nil { due = now }
    }

    /// The families take turns, as a whole one may be dead.
    private static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
        var (first, second): ([SocketAddress], [SocketAddress]) = ([], [])
        for address in addresses where !first.contains(address) && !second.contains(address) {
            if address.isIPv6 == addresses[0].isIPv6 { first.append(address) } else { second.append(address) }
        }
        var mixed: [SocketAddress] = []
        for index in 0..<max(first.count, second.count) {
            if index < first.count { mixed.append(first[index]) }
            if index < second.count { mixed.append(second[index]) }
        }
        return Array(mixed.prefix(mostAddresses))
    }
}
#endif
