/// Birds that someone saw.
nonisolated struct SightingDraft: Codable, Sendable, Hashable {
    var species: String
    var count: Int
    var seenOn: Day
    var notes: String?

    init(species: String, count: Int, seenOn: Day, notes: String? = nil) {
        self.species = species
        self.count = count
        self.seenOn = seenOn
        self.notes = notes
    }

    nonisolated private enum CodingKeys: String, CodingKey {
        case species, count, seenOn, notes
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.species, forKey: .species)
        try container.encode(self.count, forKey: .count)
        try container.encode(self.seenOn, forKey: .seenOn)
        try container.encode(self.notes, forKey: .notes)
    }
}
