import Godwit
import GodwitTesting
import Testing

@Suite("X1 JSON with the API's coding", .timeLimit(.minutes(15)))
struct MockCodingTests {
    private struct Article: Codable, Sendable, Equatable {
        var articleId = 7
        var publishedAt = Date(timeIntervalSince1970: 1_700_000_000)
        var tags = ["sea": 1]
    }

    private enum Live: Codable, Sendable, Equatable {
        case newArticle(Article), ping
    }

    private static let snake = JSONCoding(keys: .snakeCase, dates: .epochSeconds)

    private func client(_ transport: some HTTPTransport, json: JSONCoding = snake) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: transport) { $0.json = json }
    }

    @Test("X1 a client decodes a mock's values with any coding of keys and dates", arguments: [true, false])
    func roundTrip(isSnake: Bool) async throws {
        let mock = MockTransport {
            $0.get("/one").reply(json: Article())
            $0.get("/many").reply { _ in .json([Article(), Article()]) }
            $0.get("/lines").reply(.jsonLines([Article(), Article()]))
        }
        let api = client(mock, json: isSnake ? Self.snake : JSONCoding())
        #expect(try await api.send(Endpoint<Article>.get("one")) == Article())
        #expect(try await api.send(Endpoint<[Article]>.get("many")) == [Article(), Article()])
        var lines: [Article] = []
        for try await line in api.stream(Endpoint<Data>.get("lines")).jsonLines(of: Article.self) { lines.append(line) }
        #expect(lines == [Article(), Article()])
        let text = try await api.send(Endpoint<String>.get("one"))
        let expected =
            isSnake
            ? #"{"article_id":7,"published_at":1700000000,"tags":{"sea":1}}"#
            : #"{"articleId":7,"publishedAt":"2023-11-14T22:13:20Z","tags":{"sea":1}}"#
        #expect(text == expected)
    }

    @Test("X1 a request is decoded with the client's coding")
    func decoded() async throws {
        let mock = MockTransport { $0.post("/articles").reply(.status(.noContent)) }
        try await client(mock).send(Endpoint<Void>.post("articles", body: .json(Article())))
        #expect(try mock.requests[0].decoded(as: Article.self) == Article())
        let plain = #expect(throws: NetworkError.self) {
            try mock.requests[0].decoded(as: Article.self, coding: JSONCoding())
        }
        guard case .decoding = plain?.kind else { throw Unexpected() }
    }

    @Test("X1 a reply's coding has precedence over the routes', and that over the client's")
    func order() async throws {
        let millis = JSONCoding(dates: .epochMilliseconds)
        let mock = MockTransport {
            $0.json = millis
            $0.get("/own").reply(json: Article(), coding: JSONCoding())
            $0.get("/routes").reply(json: Article())
            $0.get("/literal").reply(json: ["publishedAt": "as written"])
        }
        let api = client(mock)
        #expect(try await api.send(Endpoint<String>.get("own")).contains(#""publishedAt":"2023-"#))
        #expect(try await api.send(Endpoint<String>.get("routes")).contains(#""publishedAt":1700000000000"#))
        #expect(try await api.send(Endpoint<String>.get("literal")) == #"{"publishedAt":"as written"}"#)
    }

    @Test("X3 a server encodes and decodes JSON with the coding of its routes")
    func server() async throws {
        let server = try await MockServer { route in
            route.json = Self.snake
            route.post("/articles").reply { request in .json(try request.decoded(as: Article.self), status: .created) }
            route.get("/plain").reply(json: Article(), coding: JSONCoding())
        }
        let api = APIClient(baseURL: server.url) { $0.json = Self.snake }
        #expect(try await api.send(Endpoint<Article>.post("articles", body: .json(Article()))) == Article())
        let plain = APIClient(baseURL: server.url)
        #expect(try await plain.send(Endpoint<Article>.get("plain")) == Article())
        await server.stop()
    }

    @Test("X3 the default dates of a server are those of a client")
    func defaults() async throws {
        let server = try await MockServer { $0.get("/").reply(json: Article()) }
        #expect(try await APIClient(baseURL: server.url).send(Endpoint<Article>.get("")) == Article())
        await server.stop()
    }

    @Test("X1 events contain values with the client's coding")
    func events() async throws {
        let mock = MockTransport { $0.get("/live").reply(.events(json: [Article(), Article()], type: "article")) }
        var read: [Article] = []
        for try await article in client(mock).events(Endpoint<Data>.get("live")).decoded(as: Article.self) {
            read.append(article)
            if read.count == 2 { break }
        }
        #expect(read == [Article(), Article()])
    }

    @Test("X1 a mock WebSocket sends and receives values with the client's coding")
    func webSocket() async throws {
        let mock = MockTransport { route in
            route.webSocket("/live") { socket in
                let message = try await socket.receive(as: Live.self)
                try await socket.send(json: message)
                try await socket.send(json: Live.ping)
                _ = try? await socket.receive()
            }
        }
        let socket = client(mock).webSocket("live", as: Live.self)
        try await socket.send(.newArticle(Article()))
        #expect(try await socket.receive() == .newArticle(Article()))
        #expect(try await socket.receive() == .ping)
        await socket.close()
    }

    @Test("X1 a value that cannot be encoded becomes a 500 with the reason, also in closures and events")
    func unencodable() async throws {
        let mock = MockTransport {
            $0.get("/value").reply(json: [Double.nan])
            $0.get("/closure").reply { _ in .json([Double.nan]) }
            $0.get("/events").reply(.events(json: [Double.nan]))
        }
        for path in ["value", "closure", "events"] {
            let request = HTTPRequest(method: .get, url: try HTTPURL("https://api.example.com/\(path)"))
            let response = try await mock.send(request)
            #expect(response.head.status == .internalServerError)
            let text = String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
            #expect(text.contains("cannot be encoded"))
        }
    }
}

private struct Unexpected: Error {}
