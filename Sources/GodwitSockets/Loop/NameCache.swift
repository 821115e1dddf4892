#if os(Linux)
/// The addresses of names that were looked up less than a minute ago, and the waiters for those that are being looked up.
struct NameCache {
    private struct Entry {
        let addresses: [SocketAddress]
        let end: LoopTime
    }

    /// Nanoseconds that addresses are used.
    private static let lifetime: Int64 = 60_000_000_000
    private static let mostKnown = 512
    private var known: [HostAndPort: Entry] = [:]
    private var waiting: [HostAndPort: [([SocketAddress]) -> Void]] = [:]

    /// Addresses that are known; `nil` if the name has to be looked up.
    func addresses(of name: HostAndPort, at now: LoopTime) -> [SocketAddress]? {
        known[name].flatMap { $0.end > now ? $0.addresses : nil }
    }

    /// Adds a waiter. Returns whether the lookup has to be started.
    mutating func wait(for name: HostAndPort, _ found: @escaping ([SocketAddress]) -> Void) -> Bool {
        waiting[name, default: []].append(found)
        return waiting[name]?.count == 1
    }

    /// A lookup is over. Returns its waiters.
    mutating func found(_ addresses: [SocketAddress], for name: HostAndPort, at now: LoopTime) -> [([SocketAddress]) ->
        Void]
    {
        if known.count >= Self.mostKnown { known = [:] }
        if !addresses.isEmpty { known[name] = Entry(addresses: addresses, end: now + Self.lifetime) }
        return waiting.removeValue(forKey: name) ?? []
    }

    /// None of the addresses of a name could be connected to, or the network is another one: they may have changed.
    mutating func forget(_ name: HostAndPort? = nil) {
        if let name { known[name] = nil } else { known = [:] }
    }
}
#endif
