#if os(Linux)
/// Removals from a cache that Redis hasn't performed yet. It has no I/O.
///
/// Until then, the responses must not be used: they are outdated, or belong to a former account.
struct PendingRemovals: Sendable {
    /// One step of the removals, to be reported as done.
    enum Step: Sendable, Hashable {
        case everything(number: UInt64)
        case url(String, number: UInt64)
    }

    /// Above this, everything is removed, so that an outage can't fill the memory.
    private static let limit = 1000

    private var everything: UInt64?
    private var urls: [String: UInt64] = [:]
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { everything == nil && urls.isEmpty }

    /// What to do next.
    var next: Step? {
        if let everything { return .everything(number: everything) }
        return urls.first.map { .url($0.key, number: $0.value) }
    }

    /// Whether responses for a URL must not be used.
    func contains(_ url: String) -> Bool { everything != nil || urls[url] != nil }

    mutating func add(_ url: String) {
        // The removal of everything may be in progress, and must be repeated.
        guard everything == nil, urls.count < Self.limit else { return addEverything() }
        lastNumber += 1
        urls[url] = lastNumber
    }

    mutating func addEverything() {
        lastNumber += 1
        everything = lastNumber
        urls = [:]
    }

    /// Redis has performed a step. A removal that was added during it stays.
    mutating func finish(_ step: Step) {
        switch step {
        case .everything(let number): if everything == number { everything = nil }
        case .url(let url, let number): if urls[url] == number { urls[url] = nil }
        }
    }
}
#endif
