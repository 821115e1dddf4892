import Godwit

/// The operations of Birds API.
///
/// Features depend on this protocol; tests and previews give them a ``MockBirdsRepository``.
nonisolated protocol BirdsRepository: Sendable {
    /// The latest sightings, newest first.
    func sightings(species: String?, cursor: String?) async throws(NetworkError) -> SightingList

    /// All elements of `sightings`, loaded page by page.
    func allSightings(species: String?) -> any AsyncSequence<Sighting, NetworkError> & Sendable

    /// Reports a sighting.
    func report(_ draft: SightingDraft) async throws(NetworkError) -> Sighting

    /// One sighting.
    func sighting(id: Int) async throws(NetworkError) -> Sighting
}

// The same, with defaults for all optional arguments.
nonisolated extension BirdsRepository {
    /// The latest sightings, newest first.
    func sightings() async throws(NetworkError) -> SightingList {
        try await sightings(species: nil, cursor: nil)
    }

    /// The latest sightings, newest first.
    func allSightings() -> any AsyncSequence<Sighting, NetworkError> & Sendable {
        allSightings(species: nil)
    }
}

/// Calls the API.
nonisolated struct LiveBirdsRepository: BirdsRepository {
    private let api: APIClient

    init(_ api: APIClient) {
        self.api = api
    }

    func sightings(species: String?, cursor: String?) async throws(NetworkError) -> SightingList {
        try await api.send(.sightings(species: species, cursor: cursor))
    }

    func allSightings(species: String?) -> any AsyncSequence<Sighting, NetworkError> & Sendable {
        api.sightingsPages(species: species).elements
    }

    func report(_ draft: SightingDraft) async throws(NetworkError) -> Sighting {
        try await api.send(.report(draft))
    }

    func sighting(id: Int) async throws(NetworkError) -> Sighting {
        try await api.send(.sighting(id: id))
    }
}
