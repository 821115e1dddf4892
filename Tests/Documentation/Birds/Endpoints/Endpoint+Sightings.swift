import Godwit

extension Endpoint {
    /// The latest sightings, newest first.
    ///
    /// - Parameters:
    ///   - species: Only this species.
    ///   - cursor: From `next_cursor` of the page before.
    static func sightings(species: String? = nil, cursor: String? = nil) -> Endpoint<SightingList> {
        .get("sightings", query: ["species": species, "cursor": cursor])
    }

    /// Reports a sighting.
    static func report(_ draft: SightingDraft) -> Endpoint<Sighting> {
        .post("sightings", body: .json(draft))
    }

    /// One sighting.
    static func sighting(id: Int) -> Endpoint<Sighting> {
        .get("sightings/\(id)")
    }
}
