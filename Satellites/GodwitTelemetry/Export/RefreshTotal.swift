import GodwitCore

/// The refreshes of tokens since their clients were attached. It doesn't fall when a client is released.
struct RefreshTotal: Sendable {
    private struct Token: Sendable {
        let refreshes: RefreshCount
        var counted: Int
    }

    private var tokens: [ObjectIdentifier: Token] = [:]
    private(set) var value = 0

    /// Adds the token of a client. Several clients can have the same.
    mutating func add(_ refreshes: RefreshCount?) {
        guard let refreshes, tokens[ObjectIdentifier(refreshes)] == nil else { return }
        tokens[ObjectIdentifier(refreshes)] = Token(refreshes: refreshes, counted: refreshes.value)
    }

    /// Counts new refreshes, then forgets the tokens that no client has any more.
    mutating func update(keeping used: [RefreshCount]) {
        for id in tokens.keys {
            guard let token = tokens[id] else { continue }
            let count = token.refreshes.value
            value += count - token.counted
            tokens[id]?.counted = count
        }
        let ids = Set(used.map(ObjectIdentifier.init))
        tokens = tokens.filter { ids.contains($0.key) }
    }
}
