/// The keys that were read since they were last written down, so that a reading need not write.
struct RecentUses {
    /// As many are noted at most before they are written: a kill forgets no more.
    private static let limit = 512

    private var order: [String: Int] = [:]
    private var count = 0

    var isFull: Bool { order.count >= Self.limit }

    mutating func note(_ key: String) {
        count += 1
        order[key] = count
    }

    /// The keys, the one that was not used for longest first; none are noted afterwards.
    mutating func take() -> [String] {
        defer { order.removeAll(keepingCapacity: true) }
        return order.sorted { $0.value < $1.value }.map(\.key)
    }
}
