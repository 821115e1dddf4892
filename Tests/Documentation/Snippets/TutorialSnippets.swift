import Godwit
import GodwitUI

enum TutorialSnippets {
    static func call(_ transport: some HTTPTransport) async throws(NetworkError) {
        // snippet: tutorial-call
        // hidden: , transport: transport
        let api = BirdsAPI.client(credential: .token("token"), transport: transport)
        let list = try await api.send(.sightings(species: "Knot"))
        let sighting = try await api.send(.sighting(id: 7))
        // end
        print(list.items, sighting)
    }

    static func report(_ api: APIClient) async {
        // snippet: tutorial-report
        let draft = SightingDraft(species: "Knot", count: 12, seenOn: Day(year: 2026, month: 5, day: 2))
        do {
            let sighting = try await api.send(.report(draft))
            print("reported as", sighting.id)
        } catch {
            // error is a NetworkError.
            print(error.userMessage ?? error.description)
        }
        // end
    }

    static func status(_ sighting: Sighting) {
        // snippet: tutorial-status
        switch sighting.status {
        case .known(.confirmed): print("confirmed")
        case .known(.inReview), .known(.rejected): print("not yet")
        case .unknown(let name): print("new here:", name)
        }
        // end
    }

    static func pages(_ api: APIClient) async throws(NetworkError) {
        // snippet: tutorial-pages
        for try await sighting in api.sightingsPages(species: "Knot").elements {
            print(sighting.seenOn, sighting.count)
        }
        // end
    }

    @MainActor static func screen(_ api: APIClient) async {
        // snippet: tutorial-screen
        let screen = SightingsScreen(api)
        await screen.list.load()
        print(screen.list.items.map(\.species))
        // end
    }

    // snippet: tutorial-test
    struct Counter {
        let birds: any BirdsRepository

        func count(of species: String) async throws(NetworkError) -> Int {
            try await birds.sightings(species: species, cursor: nil).items.reduce(0) { $0 + $1.count }
        }
    }

    static func tested() async throws(NetworkError) -> Bool {
        var birds = MockBirdsRepository()
        birds.onSightings = { species, _ throws(NetworkError) in
            let seen = Sighting(
                id: 1, species: species ?? "", count: 12, status: .known(.confirmed),
                seenOn: Day(year: 2026, month: 5, day: 2))
            return SightingList(items: [seen])
        }
        return try await Counter(birds: birds).count(of: "Knot") == 12
    }
    // end
}
