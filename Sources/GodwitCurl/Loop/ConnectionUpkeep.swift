import GodwitCore

/// When an engine has to look after its kept connections.
struct ConnectionUpkeep {
    let rules: ConnectionRules
    /// Called when the first connection is kept, and then forgotten: now the network path matters.
    var onFirstKept: (@Sendable () -> Void)?
    /// When libcurl has to look through its connections; nil for not.
    private(set) var pruneDue: LoopTime?
    private var lastPrune: LoopTime?
    /// Idle connections with bytes that libcurl has to read.
    private var unread: [Int32] = []

    /// libcurl looks at most once a second.
    private static let pruneInterval: Int64 = 1_050_000_000

    /// - Parameter onFirstKept: Called when the first connection was kept.
    init(_ policy: ConnectionPolicy, _ onFirstKept: (@Sendable () -> Void)?) {
        rules = ConnectionRules(policy)
        self.onFirstKept = onFirstKept
    }

    /// How many nanoseconds after the first connection became idle the first look comes; nil for never.
    var firstDelay: Int64? {
        guard onFirstKept != nil else { return rules.delay }
        return min(rules.delay ?? .max, 1_000_000_000)
    }

    /// libcurl has to look as soon as it does.
    mutating func requestPrune(at now: LoopTime) {
        let due = lastPrune.map { max(now, $0 + Self.pruneInterval) } ?? now
        pruneDue = .earlier(pruneDue, due)
    }

    /// libcurl looks now.
    mutating func willPrune(at now: LoopTime) {
        pruneDue = nil
        lastPrune = now
    }

    mutating func noteUnread(_ descriptor: Int32) {
        unread.append(descriptor)
    }

    mutating func takeUnread() -> [Int32] {
        defer { unread = [] }
        return unread
    }
}
