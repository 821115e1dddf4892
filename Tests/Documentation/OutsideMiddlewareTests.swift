import Godwit
import GodwitTesting
import Synchronization
import Testing

@Suite("M1 Middlewares of another package know what the client's own know")
struct OutsideMiddlewareTests {
    private let lines = Lines()
    private let archive = Archive()

    private final class Lines: Sendable {
        private let all = Mutex<[String]>([])
        var text: String { all.withLock { $0.joined(separator: "\n") } }
        func add(_ line: String) { all.withLock { $0.append(line) } }
    }

    private func client(_ transport: MockTransport, _ seats: Seats) -> APIClient {
        APIClient(baseURL: "https://example.com", transport: transport) {
            $0.middleware = [LineLog { [lines] in lines.add($0) }, SeatSignIn(seats: seats)]
            $0.attemptMiddleware = [LastGoodResponse(), archive]
            $0.retry.maximumAttempts = 1
        }
    }

    @Test("M1 eight calls that are refused renew a secret once, and no text shows it, even if the server repeats it")
    func signIn() async throws {
        let transport = MockTransport { route in
            route.any("*").where { $0.fields["X-Seat"] == "new-seat-77" }
                .reply(.status(.noContent).field("X-Echo", "seat new-seat-77 taken"))
            route.any("*").reply(.status(401).field("X-Echo", "seat old-seat-11 is gone"))
        }
        let renewals = Mutex(0)
        let seats = Seats("old-seat-11") {
            renewals.withLock { $0 += 1 }
            return "new-seat-77"
        }
        let api = client(transport, seats)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await api.send(Endpoint<Void>.get("birds")) } }
            try await group.waitForAll()
        }
        #expect(renewals.withLock(\.self) == 1)
        let texts = try lines.text + String(decoding: JSONEncoder().encode(archive.contents), as: UTF8.self)
        #expect(texts.contains("is gone") && texts.contains("taken"))
        #expect(!texts.contains("old-seat-11") && !texts.contains("new-seat-77"))
    }

    @Test("M1 a secret of another package's middleware isn't sent to another origin, nor without TLS")
    func origins() async throws {
        let transport = MockTransport { route in
            route.get("/here").reply(.redirect(to: "https://elsewhere.example/there"))
            route.any("*").optional().reply(.status(.noContent))
        }
        let api = client(transport, Seats("seat-1234") { "" })
        try await api.send(Endpoint<Void>.get("here"))
        #expect(transport.requests.map { $0.fields["X-Seat"] } == ["seat-1234", nil])

        let plain = HTTPRequest(method: .get, url: try HTTPURL("http://example.com/here"))
        let error = await #expect(throws: NetworkError.self) { _ = try await api.send(plain) }
        #expect(error?.kind == .invalidRequest(reason: "a seat needs TLS"))
        #expect(transport.requestCount == 2)
    }

    @Test("M1 a cache of another package says what its response stands for")
    func cache() async throws {
        let transport = MockTransport { route in
            route.get("/birds").replies([.text("owl"), .status(503)])
        }
        let api = client(transport, Seats("seat-1234") { "" })
        #expect(try await api.send(Endpoint<String>.get("birds")) == "owl")
        let response = try await api.send(HTTPRequest(method: .get, url: try HTTPURL("https://example.com/birds")))
        #expect(try await String(decoding: response.body.collect(upTo: 10), as: UTF8.self) == "owl")
        #expect(response.metrics.source == .cache)
        guard case .insteadOf(let head?) = response.cacheUse else { throw NetworkError(.notCached, phase: .decoding) }
        #expect(head.status == .serviceUnavailable)
        #expect(archive.contents.log.entries.map(\.response.status) == [200, 503])
    }
}
