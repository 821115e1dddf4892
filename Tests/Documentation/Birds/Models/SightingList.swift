nonisolated struct SightingList: Codable, Sendable, Hashable {
    var items: [Sighting]
    /// For the next page; null on the last one.
    var nextCursor: String?

    init(items: [Sighting], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}
