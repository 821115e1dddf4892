import Godwit
import GodwitTesting
import Testing

@Suite("Recipes: caches")
struct CacheRecipes {
    private func transport(_ control: String = "max-age=60") -> MockTransport {
        MockTransport {
            $0.get("/articles/1").reply(
                .json(["id": 1, "title": "Tides"]).field(.cacheControl, control).field(.etag, "\"v1\""))
        }
    }

    @Test("A fresh answer is not asked for again")
    func http() async throws {
        let transport = transport()
        // snippet: recipe-C1
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.cache = .memory(limit: 20 << 20)  // off by default; .store(…) for one on disk
        }
        // hidden
        for _ in 1...3 {
            // shown
            let article = try await api.send(.article(id: 1))  // Cache-Control: max-age=60: one request a minute
            // hidden
            #expect(article.title == "Tides")
        }
        // end
        #expect(transport.requestCount == 1)
    }

    @Test("A cache on disk")
    func disk() async throws {
        let folder = URL(filePath: "/tmp/godwit-recipe-\(UInt64.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = transport()
        // snippet: recipe-C2
        let store = try DiskCacheStore(directory: folder, limit: 100 << 20)  // or CacheFolder.standard(for:)
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.cache = .store(store) }
        // hidden
        _ = try await api.send(.article(id: 1))
        // shown
        print(await store.urls().count, await store.byteCount())
        await store.removeAll(for: try HTTPURL("https://api.example.com/articles/1"))
        // end
        #expect(await store.urls().isEmpty)
    }

    @Test("One call's own policy")
    func policies() async throws {
        let transport = transport()
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.cache = .memory(limit: 1 << 20)
        }
        // snippet: recipe-C3
        let article = Endpoint<Article>.article(id: 1)
        // hidden
        let nothing = await thrownError {
            // shown
            _ = try await api.send(article.cachePolicy(.cacheOnly))  // throws .notCached: nothing is stored
            // hidden
        }
        // shown
        _ = try await api.send(article.cachePolicy(.cacheElseLoad))
        _ = try await api.send(article.cachePolicy(.cacheOnly))
        _ = try await api.send(article.cachePolicy(.reloadIgnoringCache))
        // end
        #expect(nothing?.kind == .notCached)
        #expect(transport.requestCount == 2)
    }

    @Test("A stale value immediately, then the fresh one")
    func models() async throws {
        let transport = transport("no-store")
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        let store = MemoryModelStore()
        var seen: [Bool] = []
        func show(_ article: Article, isStale: Bool) { seen.append(isStale) }
        for _ in 1...2 {
            // snippet: recipe-C4
            for try await reading in api.reading(.article(id: 1), from: store, maxAge: .zero) {
                show(reading.value, isStale: reading.isStale)  // the stored value first, then the fresh one
            }
            // end
        }
        #expect(seen == [false, true, false])
    }

    @Test("What caches did")
    func status() async throws {
        let transport = MockTransport {
            $0.get("/articles/42").reply(
                .json(["id": 42, "title": "Tides"]).field(.cacheControl, "max-age=60").field("Cache-Status", "CDN; hit")
            )
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.cache = .memory(limit: 1 << 20)
        }
        // snippet: recipe-C7
        let response = try await api.response(for: .article(id: 42))
        print(response.metrics.cacheStatus?.description ?? "no cache")  // Godwit; fwd=miss; stored
        for cache in response.head.fields.cacheStatus { print(cache.cache, cache.isHit) }
        // end
        #expect(response.metrics.cacheStatus?.description == "Godwit; fwd=miss; stored")
        #expect(response.head.fields.cacheStatus.map(\.cache) == ["CDN"])
    }

    @Test("The old version is the dictionary of the new one")
    func dictionaries() async throws {
        let server = try await MockServer { request in
            MockResponse.text("\"\(request.target)\"").field(.cacheControl, "max-age=60")
                .field(.useAsDictionary, "match=\"/rules/*\"")
        }
        let baseURL = server.url
        // snippet: recipe-C6
        let api = APIClient(baseURL: baseURL) {
            $0.cache = .memory(limit: 50 << 20)  // with .disk(…), dictionaries of former runs are found, too
            $0.usesCompressionDictionaries = true
        }
        let old = try await api.send(.rules(version: 1))  // the server: Use-As-Dictionary: match="/rules/*"
        let new = try await api.send(.rules(version: 2))  // sent as the difference from version 1
        // end
        #expect(old != new)
        #expect(server.requests.map { $0.fields.contains(.availableDictionary) } == [false, true])
    }

    @Test("Only a changed resource is transferred; only an unchanged one is overwritten")
    func conditions() async throws {
        let transport = MockTransport { route in
            route.get("/articles/1").where { $0.fields[.ifNoneMatch] == "\"v1\"" }.reply(.status(.notModified))
            route.get("/articles/1").reply(.json(["id": 1, "title": "Tides"]).field(.etag, "\"v1\""))
            route.put("/articles/1").reply(.status(412))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        let draft = Draft(title: "Ebb")
        // snippet: recipe-C5
        var article: Article?
        var tag: String?
        // hidden
        for _ in 1...2 {
            // shown
            switch try await api.send(.article(id: 1).ifNoneMatch(tag)) {
            case .modified(let new, let etag): (article, tag) = (new, etag)
            case .notModified: break  // the copy that you have is current
            }
            // hidden
        }
        let error = await thrownError {
            // shown
            if let tag { try await api.send(.save(draft, id: 1).ifMatch(tag)) }  // throws a 412 if it changed
            // hidden
        }
        // end
        #expect(article?.title == "Tides")
        #expect(tag == "\"v1\"")
        #expect(error?.kind == .client(status: 412))
    }
}

extension Endpoint {
    fileprivate static func save(_ draft: Draft, id: Int) -> Endpoint<Void> {
        .put("articles/\(id)", body: .json(draft))
    }
}

extension Endpoint {
    fileprivate static func rules(version: Int) -> Endpoint<String> { .get("rules/\(version)") }
}
