/// Values in the order of their last use, up to a number of bytes.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot {
        let value: Value
        let byteCount: Int
        var use: Int
    }

    /// A use of a key. Of one key's the last counts; the earlier ones are dropped when they are met.
    private struct Use {
        let key: Key
        let number: Int
    }

    private let limit: Int
    private let entryLimit: Int
    private var slots: [Key: Slot] = [:]
    private var uses: [Use] = []
    private var count = 0

    /// What all values take.
    package private(set) var byteCount = 0

    /// - Parameters:
    ///   - limit: In bytes.
    ///   - entryLimit: The most bytes that one value may take; `nil` (the default) means the limit.
    package init(limit: Int, entryLimit: Int? = nil) {
        // Half of all numbers, so that one value more than fits cannot overflow the sum.
        self.limit = min(limit, .max / 2)
        self.entryLimit = min(entryLimit ?? self.limit, self.limit)
    }

    /// The value of a key, which counts as a use; nil where there is none.
    package mutating func value(for key: Key) -> Value? {
        guard let value = slots[key]?.value else { return nil }
        noteUse(of: key)
        return value
    }

    /// Keeps a value, and drops what was not used for longest where there is no room. One that takes more than one
    /// value may is not kept.
    package mutating func insert(_ value: Value, byteCount size: Int, for key: Key) {
        remove(key)
        let size = max(size, 0)
        guard size <= entryLimit else { return }
        slots[key] = Slot(value: value, byteCount: size, use: 0)
        byteCount += size
        noteUse(of: key)
        if byteCount > limit { shrink() }
    }

    /// Forgets the value of a key, where there is one.
    package mutating func remove(_ key: Key) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        byteCount -= slot.byteCount
    }

    private mutating func noteUse(of key: Key) {
        count += 1
        slots[key]?.use = count
        uses.append(Use(key: key, number: count))
        if uses.count > 2 * slots.count + 64 { uses.removeAll { slots[$0.key]?.use != $0.number } }
    }

    private mutating func shrink() {
        var met = 0
        for use in uses {
            guard byteCount > limit else { break }
            if slots[use.key]?.use == use.number { remove(use.key) }
            met += 1
        }
        uses.removeFirst(met)
    }
}
