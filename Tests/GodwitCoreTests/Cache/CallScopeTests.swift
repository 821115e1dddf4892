import GodwitCore
import GodwitTesting
import Testing

@Suite("C3 a cache policy for a task", .timeLimit(.minutes(15)))
struct CallScopeTests {
    private struct Mishap: Error {}

    private let mock = MockTransport {
        $0.any("*").replies((1...9).map { .cached("{\"id\":\($0),\"title\":\"\"}", "max-age=600", etag: "\"\($0)\"") })
    }

    private func client(_ policy: CachePolicy = .useProtocol) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.cache = .memory(limit: 1 << 20)
            $0.options.cachePolicy = policy
        }
    }

    @Test("C3 withCachePolicy changes the policy of all calls in its closure, including child tasks")
    func all() async throws {
        let api = client()
        _ = try await api.send(.article(id: 1))
        _ = try await api.send(.article(id: 1))
        #expect(mock.requestCount == 1)
        try await withCachePolicy(.reloadRevalidating) {
            _ = try await api.send(.article(id: 1))
            async let child = api.send(.article(id: 1))
            _ = try await child
        }
        #expect(mock.requestCount == 3)
        #expect(mock.requests.last?.fields[.ifNoneMatch] == "\"2\"")
        #expect(try await api.send(.article(id: 1)).id == 3)
        #expect(mock.requestCount == 3)
    }

    @Test("C3 the inner of two policies applies, and errors keep their type")
    func nested() async throws {
        let api = client()
        let error = await #expect(throws: Mishap.self) {
            try await withCachePolicy(.reloadIgnoringCache) { () throws(Mishap) in
                await withCachePolicy(.cacheOnly) {
                    #expect((try? api.request(for: .article(id: 1)))?.options.cachePolicy == .cacheOnly)
                }
                throw Mishap()
            }
        }
        #expect(error != nil)
    }

    @Test("C3 an endpoint's policy overrides the task's, even if it is the default")
    func endpointWins() async throws {
        let api = client(.cacheElseLoad)
        try await withCachePolicy(.reloadRevalidating) {
            let plain = try api.request(for: .article(id: 1))
            #expect(plain.options.cachePolicy == .reloadRevalidating)
            let own = try api.request(for: .article(id: 1).cachePolicy(.useProtocol))
            #expect(own.options.cachePolicy == .useProtocol)
        }
    }

    @Test("C3 a client that never uses the network keeps its policy")
    func offline() async throws {
        let api = client(.cacheOnly)
        await withCachePolicy(.reloadRevalidating) {
            #expect((try? api.request(for: .article(id: 1)))?.options.cachePolicy == .cacheOnly)
        }
    }
}

@Suite("C1 responses in another order than their requests", .timeLimit(.minutes(15)))
struct CacheOrderTests {
    private let open = Watched<Set<Int>>([])
    private let begun = Watched(0)

    @Test("C1 an older response that arrives late does not replace a newer one", arguments: [false, true])
    func late(asksEarlyAnswerFirst: Bool) async throws {
        let mock = MockTransport { [open, begun] _ in
            let number = begun.update { count in
                count += 1
                return count
            }
            try await open.wait { $0.contains(number) }
            return .cached("\(number)", "max-age=600")
        }
        let chain = Chain([Caching(MemoryCacheStore())], over: mock)
        let request = HTTPRequest(url: try HTTPURL("https://example.com/a"))
        let older = Task { try await chain.send(request).body.text() }
        try await begun.wait { $0 == 1 }
        let newer = Task { try await chain.send(request).body.text() }
        try await begun.wait { $0 == 2 }
        for number in asksEarlyAnswerFirst ? [1, 2] : [2, 1] {
            open.update { _ = $0.insert(number) }
            #expect(try await (number == 1 ? older : newer).value == "\(number)")
        }
        #expect(try await chain.send(request).body.text() == "2")
        #expect(mock.requestCount == 2)
    }
}
