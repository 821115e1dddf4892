import Synchronization

/// Orders the requests in progress for each entry of a cache, so that no response replaces a newer one.
///
/// A response is returned but not stored if its entry was invalidated after the request started, or if the response to
/// a later request is stored.
final class FetchRegistry<Key: Hashable & Sendable>: Sendable {
    /// The requests in progress for one key.
    private struct Entry: Sendable {
        var count = 0
        var invalidations = 0
        /// The number of the request whose response is stored, by variant.
        var stored: [(variant: String, number: UInt64)] = []

        func stored(_ variant: String) -> UInt64? { stored.first { $0.variant == variant }?.number }

        func isCurrent(_ fetch: Fetch) -> Bool { invalidations == fetch.invalidations }

        mutating func store(_ fetch: Fetch, _ variant: String) -> Bool {
            guard isCurrent(fetch) else { return false }
            guard let index = stored.firstIndex(where: { $0.variant == variant }) else {
                stored.append((variant, fetch.number))
                return true
            }
            guard stored[index].number <= fetch.number else { return false }
            stored[index].number = fetch.number
            return true
        }
    }

    /// A request in progress.
    struct Fetch: Sendable {
        fileprivate let entry: Int
        fileprivate let invalidations: Int
        /// Later requests have larger numbers.
        fileprivate let number: UInt64
    }

    private struct State {
        var indices: [Key: Int] = [:]
        /// The entries; those without a key are free.
        var entries: [Entry] = []
        var free: [Int] = []
        var lastNumber: UInt64 = 0

        mutating func index(of key: Key) -> Int {
            if let index = indices[key] { return index }
            let index = free.popLast() ?? entries.count
            if index == entries.count { entries.append(Entry()) }
            indices[key] = index
            return index
        }
    }

    private let state = Mutex(State())

    /// Registers a request. Call ``end(_:for:)`` when its response has been handled.
    func begin(_ key: Key) -> Fetch {
        state.withLock { state in
            let index = state.index(of: key)
            state.entries[index].count += 1
            state.lastNumber += 1
            return Fetch(entry: index, invalidations: state.entries[index].invalidations, number: state.lastNumber)
        }
    }

    func end(_ fetch: Fetch, for key: Key) {
        state.withLock { state in
            state.entries[fetch.entry].count -= 1
            guard state.entries[fetch.entry].count == 0 else { return }
            state.entries[fetch.entry] = Entry()
            state.free.append(fetch.entry)
            state.indices[key] = nil
        }
    }

    /// Marks the responses to all requests in progress for a key as outdated.
    func invalidate(_ key: Key) {
        state.withLock { state in
            if let index = state.indices[key] { state.entries[index].invalidations += 1 }
        }
    }

    /// Whether the key has not been invalidated since the request started.
    func isCurrent(_ fetch: Fetch) -> Bool {
        state.withLock { $0.entries[fetch.entry].isCurrent(fetch) }
    }

    /// Marks the response as stored. Returns `false` if it is outdated and must not be stored.
    func claim(_ fetch: Fetch, variant: String = "") -> Bool {
        state.withLock { $0.entries[fetch.entry].store(fetch, variant) }
    }

    /// Whether a response that was just stored may stay. If not, another was stored at the same time.
    func holds(_ fetch: Fetch, variant: String = "") -> Bool {
        state.withLock { state in
            let entry = state.entries[fetch.entry]
            return entry.isCurrent(fetch) && entry.stored(variant) == fetch.number
        }
    }
}
