import Godwit

enum CachingSnippets {
    static func adding(to transport: some HTTPTransport) -> APIClient {
        // snippet: cache
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
            $0.cache = .memory(limit: 20 << 20)  // or .store(responses), for one of the stores below
        }
        // end
        return api
    }

    static func onDisk() throws -> Caching {
        // snippet: cache-on-disk
        let folder = try CacheFolder.standard(for: "com.example.reader")  // ~/.cache/com.example.reader
        let responses = try DiskCacheStore(directory: folder, limit: 100 << 20)
        // end
        return Caching(responses)
    }

    static func policies(_ api: APIClient) async throws {
        // snippet: cache-policies
        let confirmed = try await api.send(.article(id: 42).cachePolicy(.reloadRevalidating))
        let atAnyAge = try await api.send(.article(id: 42).cachePolicy(.cacheElseLoad))
        // end
        print(confirmed, atAnyAge)
    }

    static func policyOfATask(_ repository: ArticleStock) async throws {
        // snippet: cache-policy-of-a-task
        let fresh = try await withCachePolicy(.reloadRevalidating) { try await repository.article(42) }
        // end
        print(fresh)
    }

    static func invalidation(_ api: APIClient, _ draft: Draft) async throws {
        // snippet: model-invalidation
        let articles = Endpoint<[Article]>.articles(page: 1)
        _ = try await api.send(.create(draft))  // all pages of articles are stale
        _ = try await api.send(.create(draft).invalidating(.feed))  // and what else it changes
        try await api.invalidateModels(of: articles)  // a message said so
        _ = try await api.send(.create(draft).options { $0.modelInvalidation = .off })  // or for a client
        // end
    }

    static func diagnostics() async {
        // snippet: diagnostics
        for await diagnostic in Diagnostics.shared.updates {
            print(diagnostic.store, diagnostic.problem, diagnostic.path)  // also fit for a log: "\(diagnostic)"
        }
        // end
    }

    static func dictionaries(_ responses: some CacheStore) {
        // snippet: cache-dictionaries
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.cache = .store(responses)
            $0.usesCompressionDictionaries = true
        }
        // end
        _ = api
    }

    static func inspecting(_ responses: some CacheStore) async throws {
        // snippet: cache-inspecting
        print(await responses.urls().count, "URLs,", await responses.byteCount(), "bytes")
        await responses.removeAll(for: try HTTPURL("https://api.example.com/v1/articles/42"))
        await responses.removeAll()  // at a log-out
        // end
    }

    static func models(_ api: APIClient, _ folder: URL, _ show: ([Article], Bool) -> Void) async throws {
        // snippet: model-cache
        let models = try DiskModelStore(directory: folder)
        for try await reading in api.reading(.articles(page: 1), from: models, maxAge: .seconds(60)) {
            show(reading.value, reading.isStale)  // what was stored, at once; then what is fresh
        }
        // end
    }

    static func keyed(_ api: APIClient, _ models: some ModelStore, language: String) async throws {
        // snippet: model-key
        let endpoint = Endpoint<Article>.article(id: 42).header(.acceptLanguage, language)
            .modelKey("article 42 \(language)")
        let readings = api.reading(endpoint, from: models)
        // end
        for try await reading in readings { print(reading.source) }
    }
}

/// A repository as an app may have one.
nonisolated struct ArticleStock: Sendable {
    let api: APIClient

    func article(_ id: Int) async throws -> Article { try await api.send(.article(id: id)) }

    func articles(after cursor: String?) async throws -> ArticlePage {
        try await api.send(.get("articles", query: ["after": cursor]))
    }

    func articles(page: Int) async throws -> [Article] { try await api.send(.articles(page: page)) }

    func articles(from offset: Int, count: Int) async throws -> [Article] {
        try await api.send(.get("articles", query: ["offset": offset, "limit": count]))
    }
}
