/// A least-recently-used cache with a limit in bytes.
package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot {
        let value: Value
        let byteCount: Int
        var use: Int
    }

    /// One use of a key. Only its last one counts; earlier ones are dropped when they are found.
    private struct Use {
        let key: Key
        let number: Int
    }

    private let limit: Int
    private let entryLimit: Int
    private var slots: [Key: Slot] = [:]
    private var uses: [Use] = []
    private var count = 0

    /// The size of all values in bytes.
    package private(set) var byteCount = 0

    /// - Parameters:
    ///   - limit: Maximum bytes of all values.
    ///   - entryLimit: Maximum bytes of one value. `nil` (the default) means the limit.
    package init(limit: Int, entryLimit: Int? = nil) {
        // Half of the range, so that adding one value over the limit can't overflow.
        self.limit = min(limit, .max / 2)
        self.entryLimit = min(entryLimit ?? self.limit, self.limit)
    }

    /// The value of a key; `nil` if missing. Counts as a use.
    package mutating func value(for key: Key) -> Value? {
        guard let value = slots[key]?.value else { return nil }
        noteUse(of: key)
        return value
    }

    /// Stores a value and evicts the least recently used ones over the limit. A value over the entry limit isn't
    /// stored.
    package mutating func insert(_ value: Value, byteCount size: Int, for key: Key) {
        remove(key)
        let size = max(size, 0)
        guard size <= entryLimit else { return }
        slots[key] = Slot(value: value, byteCount: size, use: 0)
        byteCount += size
        noteUse(of: key)
        if byteCount > limit { trim(to: limit) }
    }

    /// Forgets the value of a key, if present.
    package mutating func remove(_ key: Key) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        byteCount -= slot.byteCount
    }

    /// Forgets the values of all keys that match.
    package mutating func removeAll(where isRemoved: (Key) -> Bool) {
        for key in slots.keys.filter(isRemoved) { remove(key) }
    }

    private mutating func noteUse(of key: Key) {
        count += 1
        slots[key]?.use = count
        uses.append(Use(key: key, number: count))
        if uses.count > 2 * slots.count + 64 { uses.removeAll { slots[$0.key]?.use != $0.number } }
    }

    /// Evicts the least recently used values until at most so many bytes remain.
    package mutating func trim(to bytes: Int) {
        var met = 0
        for use in uses {
            guard byteCount > max(bytes, 0) else { break }
            if slots[use.key]?.use == use.number { remove(use.key) }
            met += 1
        }
        uses.removeFirst(met)
    }
}
