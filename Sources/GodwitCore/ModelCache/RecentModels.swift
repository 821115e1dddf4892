/// Models in the order of their last use, up to a number of bytes.
struct RecentModels {
    private struct Slot {
        let model: StoredModel
        let byteCount: Int
        var use: Int
    }

    /// A use of a key. Of one key's the last counts; the earlier ones are dropped when they are met.
    private struct Use {
        let key: String
        let number: Int
    }

    private let limit: Int
    private var slots: [String: Slot] = [:]
    private var uses: [Use] = []
    private var count = 0
    private var byteCount = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func model(for key: String) -> StoredModel? {
        guard let model = slots[key]?.model else { return nil }
        noteUse(of: key)
        return model
    }

    mutating func insert(_ model: StoredModel, for key: String) {
        remove(key)
        let size = model.data.count + key.utf8.count + 64
        guard size <= limit else { return }
        slots[key] = Slot(model: model, byteCount: size, use: 0)
        byteCount += size
        noteUse(of: key)
        if byteCount > limit { shrink() }
    }

    mutating func remove(_ key: String) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        byteCount -= slot.byteCount
    }

    private mutating func noteUse(of key: String) {
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
