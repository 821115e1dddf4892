import Godwit

// Lists as sequences, which load a page when a loop needs it.
nonisolated extension APIClient {
    /// The latest sightings, newest first.
    func sightingsPages(species: String? = nil) -> Pages<SightingList> {
        pages(
            .cursor(next: { $0.nextCursor }) { page in
                .sightings(species: species, cursor: page)
            })
    }
}

nonisolated extension SightingList: ElementPage {}
