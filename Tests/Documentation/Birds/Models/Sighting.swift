import Godwit

/// Birds that someone saw.
nonisolated struct Sighting: Codable, Sendable, Hashable, Identifiable {
    var id: Int
    var species: String
    var count: Int
    var status: Open<Status>
    var seenOn: Day
    var notes: String?

    init(id: Int, species: String, count: Int, status: Open<Status>, seenOn: Day, notes: String? = nil) {
        self.id = id
        self.species = species
        self.count = count
        self.status = status
        self.seenOn = seenOn
        self.notes = notes
    }

    nonisolated enum Status: String, Codable, Sendable, Hashable, CaseIterable {
        case inReview = "in_review"
        case confirmed
        case rejected
    }
}
