import GodwitCore
import GodwitTesting
import Testing

@Suite("C4 invalidation of stored models", .timeLimit(.minutes(15)))
struct ModelInvalidationTests {
    private let store = MemoryModelStore()
    private let mock = MockTransport { routes in
        routes.get("/v1/feed").reply(.text("{\"id\":0,\"title\":\"\"}"))
        routes.get("*").reply(.text("{\"id\":0,\"title\":\"\"}"))
        routes.post("/v1/refused").reply(.status(.unprocessableContent))
        routes.post("/v1/articles/7/copy").reply(
            .text("{\"id\":8,\"title\":\"\"}").field(.contentLocation, "/v1/articles/8"))
        routes.any("*").reply(.text("{\"id\":0,\"title\":\"\"}"))
    }

    private func client(_ configure: (inout ClientConfiguration) -> Void = { _ in }) -> APIClient {
        APIClient(baseURL: "https://api.example.com/v1", transport: mock) { configure(&$0) }
    }

    /// The sources of an endpoint's readings: `store`, `network`, or both if the stored value is stale.
    private func sources(
        _ api: APIClient, _ path: EndpointPath, query: QueryItems = [:], key: String? = nil,
        method: HTTPMethod = .get
    ) async throws -> [Reading<Article>.Source] {
        let endpoint = Endpoint<Article>.custom(method, path, query: query)
        var sources: [Reading<Article>.Source] = []
        for try await reading in api.reading(endpoint, from: store, key: key) { sources.append(reading.source) }
        return sources
    }

    @Test(
        "C4 a change makes the models of its path and its parent stale, with any query or key",
        arguments: [("articles", HTTPMethod.post), ("articles/42", .patch), ("articles/42/", .delete)])
    func byPath(path: String, method: HTTPMethod) async throws {
        let api = client()
        for _ in 1...2 { _ = try await sources(api, "articles", query: ["page": 2]) }
        _ = try await sources(api, "articles", key: "all")
        _ = try await sources(api, "articles/43")
        _ = try await sources(api, "users")
        _ = try await api.send(Endpoint<Article>.custom(method, EndpointPath(template: path)))
        #expect(try await sources(api, "articles", query: ["page": 2]) == [.store, .network])
        #expect(try await sources(api, "articles", key: "all") == [.store, .network])
        #expect(try await sources(api, "articles/43") == [.store])
        #expect(try await sources(api, "users") == [.store])
        #expect(try await sources(api, "articles", query: ["page": 2]) == [.store])
    }

    @Test("C4 a rejected change, or a request that only reads, leaves the models fresh")
    func refused() async throws {
        let api = client()
        _ = try await sources(api, "refused")
        _ = try? await api.send(Endpoint<Article>.post("refused"))
        _ = try await api.send(Endpoint<Article>.get("refused"))
        #expect(try await sources(api, "refused") == [.store])
    }

    @Test("C4 a Content-Location is a changed path too")
    func contentLocation() async throws {
        let api = client()
        _ = try await sources(api, "articles/8")
        _ = try await api.send(Endpoint<Article>.post("articles/7/copy"))
        #expect(try await sources(api, "articles/8") == [.store, .network])
    }

    @Test("C4 `invalidating` adds endpoints, and works if paths don't count")
    func further() async throws {
        for rule in [ModelInvalidation.byPath, .off] {
            let api = client { $0.options.modelInvalidation = rule }
            await store.removeAll()
            _ = try await sources(api, "feed", query: ["page": 1])
            _ = try await sources(api, "articles")
            _ = try await api.send(.create(Draft(title: "")).invalidating(Endpoint<Article>.get("feed")))
            #expect(try await sources(api, "feed", query: ["page": 1]) == [.store, .network])
            #expect(try await sources(api, "articles") == (rule == .off ? [.store] : [.store, .network]))
        }
    }

    @Test("C4 invalidateModels makes the models of an endpoint stale without a request")
    func byHand() async throws {
        let api = client()
        _ = try await sources(api, "articles/42")
        let count = mock.requestCount
        try await api.invalidateModels(of: .article(id: 42))
        #expect(mock.requestCount == count)
        #expect(try await sources(api, "articles/42") == [.store, .network])
    }

    @Test("C4 a reading by POST is not a change")
    func readingByPost() async throws {
        let api = client()
        _ = try await sources(api, "graphql", method: .post)
        #expect(try await sources(api, "graphql", method: .post) == [.store])
    }

    @Test("C4 a change affects a store that is first used after it, and other clients of the store")
    func laterStore() async throws {
        _ = try await sources(client(), "articles")
        let other = client()
        _ = try await other.send(.create(Draft(title: "")))
        #expect(try await sources(other, "articles") == [.store, .network])
        _ = try await other.send(.create(Draft(title: "")))
        #expect(try await sources(client(), "articles") == [.store, .network])
    }

    @Test("C4 a value requested before a change is stale when it is stored")
    func askedBefore() async throws {
        let (arrived, open) = (Watched(false), Watched(false))
        let mock = MockTransport { request in
            if request.method == .get, !arrived.value {
                arrived.update { $0 = true }
                try await open.wait { $0 }
            }
            return .text("{\"id\":0,\"title\":\"\"}")
        }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock)
        let first = Task { try await sources(api, "articles") }
        try await arrived.wait { $0 }
        _ = try await api.send(.create(Draft(title: "")))
        open.update { $0 = true }
        #expect(try await first.value == [.network])
        #expect(try await sources(api, "articles") == [.store, .network])
        #expect(try await sources(api, "articles") == [.store])
    }

    @Test("C4 after a change the request bypasses the HTTP cache")
    func pastHTTPCache() async throws {
        let mock = MockTransport {
            $0.any("*").replies((1...9).map { .cached("{\"id\":\($0),\"title\":\"\"}", "max-age=600") })
        }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock) {
            $0.cache = .memory(limit: 1 << 20)
        }
        func ids() async throws -> [Int] {
            var ids: [Int] = []
            for try await reading in api.reading(Endpoint<Article>.get("articles", query: ["page": 1]), from: store) {
                ids.append(reading.value.id)
            }
            return ids
        }
        #expect(try await ids() == [1])
        _ = try await api.send(.create(Draft(title: "")))
        #expect(try await ids() == [1, 3])
    }
}
