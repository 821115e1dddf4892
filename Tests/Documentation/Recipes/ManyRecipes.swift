import Godwit
import GodwitTesting
import GodwitUI
import Synchronization
import Testing

@Suite("Recipes: lists, many calls, connectivity")
struct ManyRecipes {
    private let transport = MockTransport { route in
        route.get("/articles").where { $0.queryValue("page") == "1" }.reply(json: [
            ["id": 1, "title": "Tides"], ["id": 2, "title": "Winds"],
        ])
        route.get("/articles").where { $0.queryValue("page") == "2" }.reply(json: [["id": 3, "title": "Sands"]])
        route.get("/articles").reply(json: [])
        route.get("/articles/:id").reply { request in
            guard let id = Int(request.parameters["id"] ?? ""), id < 4 else { return .status(404) }
            return .json(["id": .integer(Int64(id)), "title": "Tides"])
        }
        route.any("*").reply(.status(.noContent))
    }

    private var api: APIClient { APIClient(baseURL: "https://api.example.com", transport: transport) }

    @Test("A list in pages is one sequence")
    func pages() async throws {
        let api = self.api
        var ids: [Int] = []
        // snippet: recipe-P1
        for try await article in api.pages(.numbers { .articles(page: $0) }).elements { ids.append(article.id) }
        // .cursor { .articles(after: $0) }, .offsets(limit: 50) { … }, .links(from: .articles(page: 1))
        // end
        #expect(ids == [1, 2, 3])
    }

    @MainActor @Test("A list that grows as it is looked at")
    func loader() async {
        let api = self.api
        // snippet: recipe-P2
        let list = PageLoader(api.pages(.numbers { .articles(page: $0) }), prefetchDistance: 3)
        await list.load()  // the first page
        await list.loadMore()  // however often at once: one request a page
        print(list.items.count, list.hasMore, list.error?.userMessage ?? "")
        // end
        #expect(list.items.map(\.id) == [1, 2, 3])
    }

    @Test("Many at once, never too many")
    func concurrent() async throws {
        let api = self.api
        // snippet: recipe-N1
        let articles = try await [1, 2, 3].concurrentMap(limit: 2) { try await api.send(.article(id: $0)) }
        let results = await [1, 9].concurrentResults(limit: 2) { id throws(NetworkError) in
            try await api.send(.article(id: id))
        }
        for case .failure(let error) in results { print(articles.count, error.kind) }  // 3 notFound
        // end
        #expect(articles.map(\.id) == [1, 2, 3])
        #expect(results.map { (try? $0.get()) != nil } == [true, false])
    }

    @Test("Search as you type")
    func debounce() async throws {
        let clock = TestClock()
        let sent = Mutex<[String]>([])
        // snippet: recipe-N2
        let search = Debounced(for: .milliseconds(300), clock: clock) { (text: String) in
            sent.withLock { $0.append(text) }  // in an app: try await api.send(.search(text))
            return text.count
        }
        async let overtaken = search("ti")  // nil: the next came within 300 ms
        // end
        try await clock.waitForSleepers()
        async let last = search("tides")
        #expect(try await overtaken == nil)
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(300))
        #expect(try await last == 5)
        #expect(sent.withLock { $0 } == ["tides"])
    }

    @Test("Anything that may fail, tried again")
    func retry() async throws {
        var failures = 2
        func work() throws(NetworkError) -> Int {
            guard failures > 0 else { return 42 }
            failures -= 1
            throw NetworkError(.server(status: 503), phase: .validating)
        }
        // snippet: recipe-N3
        let backoff = Backoff(base: .milliseconds(1), factor: 2, cap: .seconds(5))
        let value = try await withRetry(attempts: 4, backoff: backoff) { try work() }
        // end
        #expect(value == 42 && failures == 0)
    }

    @Test("What the network is like")
    func path() async {
        // snippet: recipe-O1
        let monitor: any PathMonitor = PathFeed(  // in an app: SystemPathMonitor.shared
            NetworkPath(status: .satisfied, interfaces: [.cellular], isExpensive: true))
        for await path in monitor.paths {  // the current one, then each change
            print(path.status, path.interfaces, path.isExpensive, path.isConstrained)
            break
        }
        // end
        #expect(monitor.current.isCellular)
    }

    @Test("Not over a network that costs")
    func expensive() async {
        let monitor = PathFeed(NetworkPath(status: .satisfied, interfaces: [.cellular], isExpensive: true))
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.pathMonitor = { monitor } }
        // snippet: recipe-O2
        let backup = Endpoint<Void>.post("backup").allowedNetworks([.constrained])  // not expensive, not mobile
        // hidden
        let error = await thrownError {
            // shown
            try await api.send(backup)  // over a mobile network: throws .offline(.cellularNotAllowed)
            // hidden
        }
        // end
        #expect(error?.kind == .offline(.cellularNotAllowed))
    }

    @Test("Waiting for a network")
    func waiting() async throws {
        let monitor = PathFeed(.unsatisfied)
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.pathMonitor = { monitor } }
        let tellThePerson: @Sendable () -> Void = { monitor.update(NetworkPath(status: .satisfied)) }
        // snippet: recipe-O3
        let sync = Endpoint<Void>.post("sync")
            .waitsForConnectivity(upTo: .seconds(600))
            .onEvent { if case .waitingForConnectivity = $0 { tellThePerson() } }
        try await api.send(sync)
        // end
        #expect(transport.requestCount == 1)
    }
}
