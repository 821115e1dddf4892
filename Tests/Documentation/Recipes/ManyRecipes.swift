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
        route.get("/search").reply(json: [["id": 1, "title": "Tides"]])
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
        func show(_ article: Article) { ids.append(article.id) }
        // snippet: recipe-P1
        for try await article in api.pages(.numbers { .articles(page: $0) }).elements { show(article) }
        // or .cursor { .articles(after: $0) }, .offsets(limit: 50) { … }, .links(from: .articles(page: 1))
        // end
        #expect(ids == [1, 2, 3])
    }

    @MainActor @Test("A list that loads more as it is scrolled")
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

    @Test("Typed throws, async let and Result")
    func typedThrows() async throws {
        let api = self.api
        // snippet: recipe-E4-typed-throws
        async let article = api.result(of: .article(id: 1))  // Result<Article, NetworkError>
        async let list = api.result(of: .articles(page: 1))  // both run at once
        do throws(NetworkError) {
            print(try await article.get().title, try await list.get().count)
        } catch {
            print(error.userMessage ?? "")  // error is a NetworkError
        }
        // end
        // snippet: recipe-E4-untyped
        do {
            async let article = api.send(.article(id: 99))
            async let list = api.send(.articles(page: 1))
            print(try await article.title, try await list.count)
        } catch let error as NetworkError {  // async let drops the type of the error
            print(error.shortDescription)
        }
        // end
        // snippet: recipe-E4-tasks
        let titles = try await withThrowingTaskGroup(of: String.self) { group in  // throws any Error
            for id in 1...3 { group.addTask { try await api.send(.article(id: id)).title } }
            var titles: [String] = []
            for try await title in group { titles.append(title) }
            return titles
        }
        let articles = try await (1...3).concurrentMap(limit: 3) { id throws(NetworkError) in  // throws NetworkError
            try await api.send(.article(id: id))
        }
        // end
        #expect(titles.count == 3 && articles.count == 3)
    }

    @Test("A bounded number of calls at once")
    func concurrent() async throws {
        let api = self.api
        let ids = [1, 2, 3]
        // snippet: recipe-N1
        let articles = try await ids.concurrentMap(limit: 6) { try await api.send(.article(id: $0)) }
        // to get every outcome instead of the first error:
        let results = await ids.concurrentResults(limit: 6) { id throws(NetworkError) in
            try await api.send(.article(id: id))
        }
        // end
        #expect(articles.map(\.id) == ids)
        #expect(results.map { try? $0.get().id } == ids)
        let error = await thrownError {
            _ = try await [1, 9].concurrentMap(limit: 2) { try await api.send(.article(id: $0)) }
        }
        #expect(error?.kind == .notFound)
    }

    @Test("Search as you type")
    func debounce() async throws {
        let clock = TestClock()
        let api = self.api
        let shown = Mutex<[Int]>([])
        let show: @Sendable ([Article]) -> Void = { articles in shown.withLock { $0.append(articles.count) } }
        // snippet: recipe-N2
        // hidden: , clock: clock
        let search = Debounced(for: .milliseconds(300), clock: clock) { text in try await api.send(.search(text)) }
        // hidden
        let type: @Sendable (String) async throws -> Void = { text in
            // shown
            if let articles = try await search(text) { show(articles) }  // nil if the text changed again
            // hidden
        }
        // end
        async let first: Void = type("ti")
        try await clock.waitForSleepers()
        async let second: Void = type("tides")
        try await first
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(300))
        try await second
        #expect(shown.withLock { $0 } == [1])
        #expect(transport.requests.map { $0.queryValue("q") } == ["tides"])
    }

    @Test("Any operation that may fail is retried")
    func retry() async throws {
        let clock = ImmediateClock()
        var failures = 2
        func openDatabase() throws -> Int {
            guard failures > 0 else { return 42 }
            failures -= 1
            throw RecipeFailure("the database is locked")
        }
        // snippet: recipe-N3
        // hidden: , clock: clock
        let database = try await withRetry(attempts: 4, clock: clock) { try openDatabase() }
        // end
        #expect(database == 42 && failures == 0)
    }

    @Test("The state of the network")
    func path() async {
        var count = 0
        // snippet: recipe-O1
        for await path in SystemPathMonitor.shared.paths {  // the current path, then each change
            print(path.status, path.interfaces, path.isExpensive, path.isConstrained)
            // hidden
            count += 1
            break
            // shown
        }
        // end
        #expect(count == 1)
    }

    @Test("Not over an expensive network")
    func expensive() async {
        let monitor = PathFeed(NetworkPath(status: .satisfied, interfaces: [.cellular], isExpensive: true))
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.pathMonitor = { monitor } }
        // snippet: recipe-O2
        let export = Endpoint<Void>.export.allowedNetworks([.constrained])  // neither expensive nor cellular networks
        // hidden
        let error = await thrownError {
            // shown
            try await api.send(export)  // throws .offline(.cellularNotAllowed) over a cellular network
            // hidden
        }
        // end
        #expect(error?.kind == .offline(.cellularNotAllowed))
    }

    @Test("Waiting for a network")
    func waiting() async throws {
        let monitor = PathFeed(.unsatisfied)
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.pathMonitor = { monitor } }
        let showOffline: @Sendable () -> Void = { monitor.update(NetworkPath(status: .satisfied)) }
        // snippet: recipe-O3
        let export = Endpoint<Void>.export
            .waitsForConnectivity(upTo: .seconds(600))
            .onEvent { if case .waitingForConnectivity = $0 { showOffline() } }
        try await api.send(export)
        // end
        #expect(transport.requestCount == 1)
    }
}
