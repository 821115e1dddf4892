import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("C1 streamed responses and the cache")
struct StreamedCachingTests {
    private let store = MemoryCacheStore(limit: 1 << 20, entryLimit: 4096)

    private func client(_ transport: MockTransport) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: transport) { $0.cache = .store(store) }
    }

    private func transport(_ fields: HTTPFields = [.cacheControl: "max-age=60"], size: Int = 3000) -> MockTransport {
        MockTransport { request in
            guard request.method == .get else { return .text("changed") }
            var response = MockResponse.text(String(repeating: "a", count: size))
            for field in fields { response = response.field(field.name, field.value) }
            return response
        }
    }

    private func send(_ api: APIClient) async throws -> HTTPResponse {
        try await api.send(HTTPRequest(url: "https://api.example.com/tides", delivery: .streamed))
    }

    @Test("C1 a streamed response that is read to its end answers later requests, streamed or not")
    func stored() async throws {
        let transport = transport()
        let api = client(transport)
        for source in [TransferMetrics.Source.network, .cache, .cache] {
            let response = try await send(api)
            #expect(response.metrics.source == source)
            #expect(try await response.body.collect(upTo: 5000).count == 3000)
        }
        #expect(try await api.send(Endpoint<String>.get("tides")).count == 3000)
        #expect(transport.requestCount == 1)
    }

    @Test("C1 one that isn't read, or is left early, isn't stored")
    func left() async throws {
        let transport = transport()
        let api = client(transport)
        _ = try await send(api)
        for try await _ in try await send(api).body { break }
        #expect(await store.urls().isEmpty)
        _ = try await send(api).body.collect(upTo: 5000)
        #expect(transport.requestCount == 3)
        #expect(await store.urls().count == 1)
    }

    @Test(
        "C1 one that is too large for the store, forbids it or is a stream of events isn't stored",
        arguments: [
            ([.cacheControl: "max-age=60"], 5000), ([.cacheControl: "no-store"], 10),
            ([.cacheControl: "max-age=60", .contentType: "text/event-stream"], 10),
        ] as [(HTTPFields, Int)])
    func refused(_ fields: HTTPFields, _ size: Int) async throws {
        let transport = transport(fields, size: size)
        let api = client(transport)
        for _ in 0..<2 { #expect(try await send(api).body.collect(upTo: 9000).count == size) }
        #expect(transport.requestCount == 2)
        #expect(await store.urls().isEmpty)
    }

    @Test("C1 one whose URL is changed while it is read isn't stored")
    func outdated() async throws {
        let transport = transport()
        let api = client(transport)
        let response = try await send(api)
        try await api.send(Endpoint<Void>.put("tides", body: .text("b")))
        #expect(try await response.body.collect(upTo: 5000).count == 3000)
        #expect(await store.urls().isEmpty)
    }

    @Test("C1 one that an error ends isn't stored")
    func cut() async throws {
        let transport = MockTransport { _ in
            let chunks = AsyncThrowingStream<Data, any Error> {
                $0.yield(Data("a".utf8))
                $0.finish(throwing: NetworkError(.transport(.connectionLost("cut")), phase: .receiving))
            }
            return .stream(once: chunks).field(.cacheControl, "max-age=60")
        }
        let response = try await send(client(transport))
        await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 10) }
        #expect(await store.urls().isEmpty)
    }
}
