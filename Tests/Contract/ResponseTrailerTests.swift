import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

/// Fields that follow the body of a response, over HTTP/1.1. For HTTP/2 see the mock server's and the bad network's tests.
@Suite("Contract: trailers of responses", .timeLimit(.minutes(15)))
struct ResponseTrailerTests {
    private static let sum: HTTPField.Name = "X-Sum"

    private static func answer(_ data: Data, _ fields: HTTPFields = [:]) -> MockResponse {
        var answer = MockResponse(fields: fields, body: .bytes(data)).framed(.chunked)
        answer.trailers = [sum: "7", "X-Other": "ü"]
        return answer
    }

    @Test("T16 trailers come with the end of a body, in every delivery and coding", arguments: [Subject.sockets])
    func deliveries(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        let data = Samples.data(700_000)
        let server = try await MockServer {
            $0.get("/plain").reply(Self.answer(data))
            $0.get("/coded").reply(Self.answer(Codings.gzip(data), [.contentEncoding: "gzip"]))
        }
        let transport = try subject.make { $0.streamBuffer = 64 << 10 }
        for path in ["/plain", "/coded"] {
            for delivery in [Delivery.buffered, .streamed, .file(folder.path("body"))] {
                let response = try await transport.get(server.at(path), delivery)
                if case .streamed = delivery { #expect(response.trailers.isEmpty) }
                #expect(try await bytes(of: response) == data)
                #expect(response.trailers[Self.sum] == "7" && response.trailers["X-Other"] == "ü")
                #expect(!response.head.fields.contains(Self.sum))
            }
        }
    }

    @Test("T16 a body that is left, a HEAD and a broken body have no trailers", arguments: [Subject.sockets])
    func absent(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/").reply(Self.answer(Data(count: 5_000_000)))
            $0.head("/").reply(Self.answer(Data(count: 10)))
            $0.get("/broken").reply(Self.answer(Data(count: 1000)).dropped(after: .bytes(100)))
        }
        let transport = try subject.make { $0.streamBuffer = 64 << 10 }
        let left = try await transport.get(server.url, .streamed)
        for try await _ in left.body { break }
        #expect(left.trailers.isEmpty)
        #expect(try await transport.get(server.url) { $0.method = .head }.trailers.isEmpty)
        let broken = try await transport.get(server.at("/broken"), .streamed)
        await #expect(throws: NetworkError.self) { try await bytes(of: broken) }
        #expect(broken.trailers.isEmpty)
        // The next response on the handle has none of these.
        #expect(try await transport.get(server.url).trailers[Self.sum] == "7")
    }

    @Test("T16 trailers larger than a head may be end the transfer with an error", arguments: [Subject.sockets])
    func large(_ subject: Subject) async throws {
        var answer = Self.answer(Data("body".utf8))
        for _ in 0..<4000 { answer.trailers.append(String(repeating: "v", count: 100), for: "X-Many") }
        let flood = answer
        let server = try await MockServer {
            $0.get("/").reply(flood)
            $0.get("/ok").reply(.text("ok"))
        }
        let transport = try subject.make()
        for delivery in [Delivery.buffered, .streamed] {
            let error = await transport.failure(of: .get(server.url, delivery))
            #expect(error?.shortDescription == "too_large", "\(String(describing: error))")
        }
        #expect(try await transport.stillWorks(with: server))
    }

    @Test(
        "T16 the client passes trailers on: decoded, streamed, shared and from the cache", arguments: [Subject.sockets])
    func client(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/").reply(
                Self.answer(Data("[1,2]".utf8), [.cacheControl: "max-age=60", .contentType: "application/json"]))
        }
        let api = APIClient(baseURL: server.url, transport: try subject.make()) {
            $0.cache = .memory(limit: 1 << 20)
            $0.coalescesRequests = true
        }
        let endpoint = Endpoint<[Int]>.get("/")
        // Streamed first: the cache stores it while it is read.
        let streamed = try await api.stream(endpoint).response()
        #expect(try await bytes(of: streamed) == Data("[1,2]".utf8))
        #expect(streamed.trailers[Self.sum] == "7")
        let fresh = APIClient(baseURL: server.url, transport: try subject.make()) { $0.coalescesRequests = true }
        let shared = try await withThrowingTaskGroup(of: HTTPFields.self) { group in
            for _ in 0..<5 { group.addTask { try await fresh.response(for: endpoint).trailers } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(shared.allSatisfy { $0[Self.sum] == "7" })
        // What the cache keeps is the head and the body (RFC 9111 section 3.1).
        let cached = try await api.response(for: endpoint)
        #expect(cached.value == [1, 2] && server.requests.count >= 2)
    }
}
