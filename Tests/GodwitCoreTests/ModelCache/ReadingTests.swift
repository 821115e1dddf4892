import GodwitCore
import GodwitTesting
import Synchronization
import Testing

@Suite("C4 the model cache", .timeLimit(.minutes(15)))
struct ReadingTests {
    private let store = MemoryModelStore()
    private let clock = WallClock()

    /// A client whose server answers with titles, one after the other; `nil` is a failure.
    private func api(_ titles: String?...) -> (APIClient, MockTransport) {
        let replies: [MockResponse] = titles.map { title in
            guard let title else { return .text("", status: .internalServerError) }
            return .text("{\"id\":1,\"title\":\"\(title)\"}")
        }
        let mock = MockTransport { $0.any("*").replies(replies) }
        return (APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 }, mock)
    }

    private func readings(
        _ api: APIClient, _ endpoint: Endpoint<Article> = .article(id: 1), maxAge: Duration = .seconds(60),
        key: String? = nil
    ) -> Readings<Article> {
        api.reading(endpoint, from: store, maxAge: maxAge, key: key) { [clock] in clock.now }
    }

    private func all(_ readings: Readings<Article>) async throws -> [String] {
        var all: [String] = []
        for try await reading in readings {
            all.append("\(reading.value.title) \(reading.source)\(reading.isStale ? " stale" : "")")
        }
        return all
    }

    @Test("C4 without a stored value the server's value is the only one")
    func first() async throws {
        let (api, mock) = api("a")
        #expect(try await all(readings(api)) == ["a network"])
        #expect(mock.requests.count == 1)
    }

    @Test("C3 C4 a cacheOnly endpoint returns a stored value of any age, else throws .notCached, and sends nothing")
    func cacheOnly() async throws {
        let (api, mock) = api("a")
        let only = Endpoint<Article>.article(id: 1).cachePolicy(.cacheOnly)
        let miss = await #expect(throws: NetworkError.self) { try await all(readings(api, only)) }
        #expect(miss?.kind == .notCached)
        #expect(miss?.response == nil)
        #expect(mock.requestCount == 0)
        _ = try await all(readings(api))
        clock.wait(1e6)
        #expect(try await all(readings(api, only)) == ["a store stale"])
        #expect(mock.requestCount == 1)
    }

    @Test("C4 a fresh value is the only one, and nothing is sent")
    func fresh() async throws {
        let (api, mock) = api("a", "b")
        _ = try await all(readings(api))
        clock.wait(59)
        #expect(try await all(readings(api)) == ["a store"])
        #expect(mock.requests.count == 1)
    }

    @Test("C4 a stale value comes first, then the server's, which is stored")
    func stale() async throws {
        let (api, mock) = api("a", "b", "c")
        _ = try await all(readings(api))
        clock.wait(60)
        #expect(try await all(readings(api)) == ["a store stale", "b network"])
        #expect(try await all(readings(api)) == ["b store"])
        #expect(mock.requests.count == 2)
    }

    @Test("C4 a reading has the date of its value")
    func dates() async throws {
        let (api, _) = api("a", "b")
        let start = clock.now
        _ = try await all(readings(api))
        clock.wait(100)
        var dates: [Date] = []
        for try await reading in readings(api) { dates.append(reading.date) }
        #expect(dates == [start, start.addingTimeInterval(100)])
    }

    @Test("C4 an error after a stale value is thrown, and the stored value is kept")
    func failure() async throws {
        let (api, _) = api("a", nil, "b")
        _ = try await all(readings(api))
        clock.wait(100)
        var titles: [String] = []
        let error = await #expect(throws: NetworkError.self) {
            for try await reading in self.readings(api) { titles.append(reading.value.title) }
        }
        #expect(error?.kind == .server(status: 500))
        #expect(titles == ["a"])
        #expect(try await all(readings(api)) == ["a store stale", "b network"])
    }

    @Test("C4 after its end, and after an error, a reading has no more values")
    func end() async throws {
        let (api, mock) = api(nil, "a")
        var iterator = readings(api).makeAsyncIterator()
        await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(mock.requests.count == 1)
    }

    @Test("C4 a maximum age of zero asks the server each time")
    func zero() async throws {
        let (api, _) = api("a", "b")
        #expect(try await all(readings(api, maxAge: .zero)) == ["a network"])
        #expect(try await all(readings(api, maxAge: .zero)) == ["a store stale", "b network"])
    }

    @Test("C4 a value from the future, stored before the clock was set back, is stale")
    func clockSetBack() async throws {
        let (api, _) = api("a", "b")
        _ = try await all(readings(api))
        clock.wait(-1000)
        #expect(try await all(readings(api)) == ["a store stale", "b network"])
    }

    @Test("C4 leaving the loop after the stale value sends nothing")
    func leaving() async throws {
        let (api, mock) = api("a", "b")
        _ = try await all(readings(api))
        clock.wait(100)
        for try await reading in readings(api) where reading.isStale { break }
        #expect(mock.requests.count == 1)
    }

    @Test("C4 canceling the task ends the request")
    func cancelling() async throws {
        let (arrived, ended) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let transport = ScriptedTransport { request throws(NetworkError) in
            arrived.continuation.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            ended.continuation.yield()
            throw NetworkError(.cancelled, phase: .receiving, request: request)
        }
        let readings = readings(articles(transport))
        let task = Task { try await self.all(readings) }
        for await _ in arrived.stream { break }
        task.cancel()
        for await _ in ended.stream { break }
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
    }

    @Test("C4 a stored value that no longer fits the type is ignored")
    func otherType() async throws {
        let (api, _) = api("a")
        await store.store(StoredModel(data: Data("[1]".utf8), date: clock.now), for: "article")
        #expect(try await all(readings(api, key: "article")) == ["a network"])
        #expect(try await all(readings(api, key: "article")) == ["a store"])
    }

    @Test("C4 values are told apart by method, URL, type and content")
    func keys() async throws {
        let (api, _) = api("a", "b", "c", "d", "e")
        let endpoints: [Endpoint<Article>] = [
            .get("articles/1"), .get("articles/1", query: ["x": 1]), .post("articles/1"),
            .post("articles/1", body: .text("1")), .post("articles/1", body: .text("2")),
        ]
        for (endpoint, title) in zip(endpoints, ["a", "b", "c", "d", "e"]) {
            #expect(try await all(readings(api, endpoint)) == ["\(title) network"])
        }
        for (endpoint, title) in zip(endpoints, ["a", "b", "c", "d", "e"]) {
            #expect(try await all(readings(api, endpoint)) == ["\(title) store"])
        }
        #expect(await store.model(for: "GET https://api.example.com/articles/1 Article") != nil)
    }

    @Test("C4 JSON bodies with keys in any order are equal, at every depth")
    func keyOrder() async throws {
        let (api, mock) = api("a", "b", "c")
        func endpoint(_ json: String) -> Endpoint<Article> {
            .post("search", body: .data(Data(json.utf8), type: .json))
        }
        _ = try await all(readings(api, endpoint(#"{"a":1,"b":[{"c":"x","d":null}]}"#)))
        #expect(try await all(readings(api, endpoint(#"{"b":[{"d":null,"c":"x"}],"a":1}"#))) == ["a store"])
        #expect(try await all(readings(api, endpoint(#"{"b":[{"d":null,"c":"y"}],"a":1}"#))) == ["b network"])
        #expect(try await all(readings(api, endpoint(#"{"a":"1","b":[{"c":"x","d":null}]}"#))) == ["c network"])
        #expect(mock.requestCount == 3)
    }

    @Test("C4 a stale value is replaced by a revalidated response, not by the HTTP cache's")
    func pastHTTPCache() async throws {
        let mock = MockTransport {
            $0.any("*").replies(["a", "b"].map { .cached("{\"id\":1,\"title\":\"\($0)\"}", "max-age=600") })
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.cache = .memory(limit: 1 << 20) }
        #expect(try await all(readings(api)) == ["a network"])
        clock.wait(60)
        #expect(try await all(readings(api)) == ["a store stale", "b network"])
    }

    @Test("C4 under a policy that reloads, a stored value of any age is stale")
    func reloading() async throws {
        let (api, _) = api("a", "b")
        _ = try await all(readings(api))
        let titles = try await withCachePolicy(.reloadRevalidating) { try await self.all(self.readings(api)) }
        #expect(titles == ["a store stale", "b network"])
    }

    @Test("C4 an older response that arrives late doesn't replace a newer one")
    func late() async throws {
        let (open, begun) = (Watched<Set<Int>>([]), Watched(0))
        let mock = MockTransport { _ in
            let number = begun.update { count in
                count += 1
                return count
            }
            try await open.wait { $0.contains(number) }
            return .text("{\"id\":1,\"title\":\"\(number)\"}")
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        let older = Task { try await all(readings(api)) }
        try await begun.wait { $0 == 1 }
        let newer = Task { try await all(readings(api)) }
        try await begun.wait { $0 == 2 }
        open.update { _ = $0.insert(2) }
        #expect(try await newer.value == ["2 network"])
        open.update { _ = $0.insert(1) }
        #expect(try await older.value == ["1 network"])
        #expect(try await all(readings(api)) == ["2 store"])
    }

    @Test("C4 a body that is not in memory needs a key, before anything is sent")
    func streamedContent() async throws {
        let (api, mock) = api("a")
        let endpoint = Endpoint<Article>.post("articles", body: .stream(.stream { Chunks(["x"]) }))
        let error = await #expect(throws: NetworkError.self) { try await self.all(self.readings(api, endpoint)) }
        #expect(error?.shortDescription == "encoding")
        #expect(mock.requests.isEmpty)
        #expect(try await all(readings(api, endpoint, key: "x")) == ["a network"])
    }

    @Test("C4 an endpoint without a URL throws before anything else")
    func badURL() async throws {
        let api = APIClient(baseURL: "ftp://example.com", transport: ScriptedTransport())
        let error = await #expect(throws: NetworkError.self) { try await self.all(self.readings(api)) }
        #expect(error?.shortDescription == "invalid_url")
    }

    @Test("C4 a value is stored by its own coding, not the API's")
    func coding() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("\"1994-11-06T08:49:37.123456Z\"")) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        var dates: [Date] = []
        for _ in 0..<2 {
            for try await reading in api.reading(Endpoint<Date>.get("a"), from: store) { dates.append(reading.value) }
        }
        #expect(dates.count == 2)
        #expect(dates.first == dates.last)
        #expect(mock.requests.count == 1)
    }

    @Test("C4 a value that can't be encoded is returned, not stored, and removes the one it would replace")
    func notEncodable() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("1")) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        let endpoint = Endpoint<Double>(method: .get, path: "a", accept: "*/*") { _, _, _ in .infinity }
        await store.store(StoredModel(data: Data("1".utf8), date: .distantPast), for: "k")
        var values: [Double] = []
        for try await reading in api.reading(endpoint, from: store, key: "k") { values.append(reading.value) }
        #expect(values == [1, .infinity])
        #expect(await store.model(for: "k") == nil)
    }
}

/// A wall clock that the test moves.
private final class WallClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 784_111_777))

    var now: Date { time.withLock { $0 } }

    func wait(_ seconds: TimeInterval) {
        time.withLock { $0 = $0.addingTimeInterval(seconds) }
    }
}
