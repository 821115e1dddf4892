/// The records that were read since they were last written down, so that a reading need not write.
struct RecentUses {
    /// As many are noted at most before they are written: a kill forgets no more.
    private static let limit = 512

    private var order: [RecordName: Int] = [:]
    private var count = 0

    var isFull: Bool { order.count >= Self.limit }

    mutating func note(_ name: RecordName) {
        count += 1
        order[name] = count
    }

    /// The records, the one that was not used for longest first; none are noted afterwards.
    mutating func take() -> [RecordName] {
        defer { order.removeAll(keepingCapacity: true) }
        return order.sorted { $0.value < $1.value }.map(\.key)
    }
}
