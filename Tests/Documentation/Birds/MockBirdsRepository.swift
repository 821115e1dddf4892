import Godwit

/// Answers with closures, for tests and previews. A closure that isn't set throws `.invalidRequest`.
///
/// ```swift
/// var repository = MockBirdsRepository()
/// repository.onSightings = { … }
/// ```
nonisolated struct MockBirdsRepository: BirdsRepository {
    var onSightings: (@Sendable (_ species: String?, _ cursor: String?) async throws(NetworkError) -> SightingList)?
    var onAllSightings: (@Sendable (_ species: String?) -> any AsyncSequence<Sighting, NetworkError> & Sendable)?
    var onReport: (@Sendable (_ draft: SightingDraft) async throws(NetworkError) -> Sighting)?
    var onSighting: (@Sendable (_ id: Int) async throws(NetworkError) -> Sighting)?

    init() {}

    func sightings(species: String?, cursor: String?) async throws(NetworkError) -> SightingList {
        guard let onSightings else { throw Self.unset("onSightings") }
        return try await onSightings(species, cursor)
    }

    func allSightings(species: String?) -> any AsyncSequence<Sighting, NetworkError> & Sendable {
        guard let onAllSightings else { return BirdsSequence<Sighting>([], error: Self.unset("onAllSightings")) }
        return onAllSightings(species)
    }

    func report(_ draft: SightingDraft) async throws(NetworkError) -> Sighting {
        guard let onReport else { throw Self.unset("onReport") }
        return try await onReport(draft)
    }

    func sighting(id: Int) async throws(NetworkError) -> Sighting {
        guard let onSighting else { throw Self.unset("onSighting") }
        return try await onSighting(id)
    }

    private static func unset(_ closure: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: "MockBirdsRepository.\(closure) isn't set"), phase: .building)
    }
}
