import GodwitCore
import Testing

@Suite("E1 endpoints", .timeLimit(.minutes(15)))
struct EndpointTests {
    private let api = articles(ScriptedTransport())

    @Test(
        "E2 each method has its factory",
        arguments: [
            (Endpoint<String>.get("a"), "GET"), (.post("a"), "POST"), (.put("a"), "PUT"), (.patch("a"), "PATCH"),
            (.delete("a"), "DELETE"), (.options("a"), "OPTIONS"),
            (.custom(HTTPMethod("PURGE") ?? .trace, "a"), "PURGE"),
        ])
    func methods(endpoint: Endpoint<String>, method: String) {
        #expect(endpoint.method.rawValue == method)
        #expect(endpoint.description == "\(method) a")
    }

    @Test(
        "E2 each method has its factory without a response",
        arguments: [
            (Endpoint<Void>.get("a"), "GET"), (.head("a"), "HEAD"), (.post("a"), "POST"), (.put("a"), "PUT"),
            (.patch("a"), "PATCH"), (.delete("a"), "DELETE"), (.options("a"), "OPTIONS"),
        ])
    func voidMethods(endpoint: Endpoint<Void>, method: String) {
        #expect(endpoint.method.rawValue == method)
    }

    @Test("E1 path and query are joined to the base URL, values encoded")
    func url() throws {
        let endpoint = Endpoint<Data>.get("articles/\("a/b")", query: ["q": "x y", "page": 2, "none": nil as String?])
        let request = try api.request(for: endpoint)
        #expect(request.url.absoluteString == "https://api.example.com/v1/articles/a%2Fb?q=x%20y&page=2")
    }

    @Test("E2 Accept is always set, and the endpoint's own wins")
    func accept() throws {
        #expect(try api.request(for: Endpoint<Article>.get("a")).fields[.accept] == "application/json")
        #expect(try api.request(for: Endpoint<Data>.get("a")).fields[.accept] == "*/*")
        #expect(try api.request(for: Endpoint<Void>.get("a")).fields[.accept] == "*/*")
        let own = Endpoint<Article>.get("a").header(.accept, "application/hal+json")
        #expect(try api.request(for: own).fields.values(of: .accept) == ["application/hal+json"])
    }

    @Test("E2 Content-Type is set with content only, and the endpoint's own wins")
    func contentType() throws {
        #expect(try api.request(for: Endpoint<Void>.post("a")).fields[.contentType] == nil)
        let endpoint = Endpoint<Void>.post("a", body: .text("x"))
        #expect(try api.request(for: endpoint).fields[.contentType] == "text/plain; charset=utf-8")
        #expect(try api.request(for: endpoint.header(.contentType, "a/b")).fields.values(of: .contentType) == ["a/b"])
    }

    @Test("U10 fluent methods return changed copies")
    func fluent() throws {
        let plain = Endpoint<Article>.get("a", query: ["a": 1])
        var timeouts = Timeouts()
        timeouts.connect = .seconds(1)
        let changed = plain.header("X-A", "1").query(["b": 2]).query("c", 3).body(.text("t"))
            .timeouts(timeouts).timeout(.seconds(9)).cachePolicy(.cacheOnly).unauthenticated().priority(.high)
            .redirects(.block).retry(.attempts(2)).idempotencyKey("k").accepting(.notFound, .gone).responseLimit(7)
            .cookies(.off).allowedNetworks([.expensive])
        let request = try api.request(for: changed)
        let options = request.options
        #expect(request.fields["X-A"] == "1")
        #expect(request.url.query == "a=1&b=2&c=3")
        #expect(request.body?.length == 1)
        #expect(options.timeouts.connect == .seconds(1))
        #expect(options.timeouts.total == .seconds(9))
        #expect(options.cachePolicy == .cacheOnly)
        #expect(options.authentication == AuthenticationRequirement.none)
        #expect(options.priority == .high)
        #expect(options.retry == .attempts(2))
        #expect(options.idempotencyKey == "k")
        #expect(request.fields[.idempotencyKey] == "k")
        #expect(options.acceptedStatuses == [404, 410])
        #expect(options.responseLimit.decoded == 7)
        #expect(options.cookies == .off)
        #expect(options.allowedNetworks == [.expensive])
        guard case .block = options.redirects else {
            Issue.record("redirects are followed")
            return
        }
        let untouched = try api.request(for: plain)
        #expect(untouched.fields["X-A"] == nil)
        #expect(untouched.url.query == "a=1")
        #expect(untouched.options.timeouts == Timeouts())
    }

    @Test("U10 options that an endpoint doesn't set are the client's")
    func clientDefaults() throws {
        let api = articles(ScriptedTransport()) {
            $0.timeouts.inactivity = .seconds(7)
            $0.responseLimit.encoded = 99
            $0.bufferLimit = 1000
        }
        let request = try api.request(for: Endpoint<Data>.get("a").timeout(.seconds(1)))
        #expect(request.options.timeouts.inactivity == .seconds(7))
        #expect(request.options.timeouts.total == .seconds(1))
        #expect(request.options.responseLimit.encoded == 99)
        guard case .buffered(1000) = request.delivery else {
            Issue.record("\(request.delivery)")
            return
        }
        guard case .buffered(5) = try api.request(for: Endpoint<Data>.get("a").responseLimit(5)).delivery else {
            Issue.record("the endpoint's limit is not the buffer's")
            return
        }
    }

    @Test("E2 generic code over Decodable treats raw types as raw")
    func generic() async throws {
        func load<Value: Decodable & Sendable>(_ type: Value.Type, from api: APIClient) async throws -> Value {
            try await api.send(Endpoint<Value>.get("a"))
        }
        #expect(try await load(String.self, from: articles(ScriptedTransport(200, "no json"))) == "no json")
        #expect(try await load(Data.self, from: articles(ScriptedTransport(200, "x"))) == Data("x".utf8))
        #expect(try await load([Int].self, from: articles(ScriptedTransport(200, "[1]"))) == [1])
    }

    @Test("E2 a response in a custom format")
    func ownFormat() async throws {
        let endpoint = Endpoint<[String]>(method: .get, path: "table", accept: "text/csv") {
            data, _, _ throws(NetworkError) in
            String(decoding: data, as: UTF8.self).split(separator: ",").map(String.init)
        }
        let transport = ScriptedTransport(200, "a,b")
        #expect(try await articles(transport).send(endpoint) == ["a", "b"])
        #expect(transport.requests.first?.fields[.accept] == "text/csv")
    }
}

@Suite("E3 empty and unexpected content", .timeLimit(.minutes(15)))
struct EmptyResponseTests {
    @Test("E3 nothing is expected and nothing is received", arguments: [200, 204, 205])
    func empty(status: Int) async throws {
        let api = articles(ScriptedTransport(status))
        try await api.send(Endpoint<Void>.delete("a"))
        #expect(try await api.send(Endpoint<EmptyResponse>.delete("a")) == EmptyResponse())
        #expect(try await api.send(Endpoint<Data>.delete("a")) == Data())
        #expect(try await api.send(Endpoint<String>.delete("a")).isEmpty)
    }

    @Test("E3 a body where none was expected is ignored", arguments: ["{}", "no json", "\u{0}"])
    func ignored(body: String) async throws {
        let api = articles(ScriptedTransport(200, body))
        try await api.send(Endpoint<Void>.delete("a"))
        #expect(try await api.send(Endpoint<EmptyResponse>.delete("a")) == EmptyResponse())
    }

    @Test("E3 an empty body instead of a value is reported as such", arguments: [200, 204, 205])
    func missing(status: Int) async throws {
        let error = try #require(await articles(ScriptedTransport(status)).failure(of: .article(id: 1)))
        #expect(error.kind == .decoding(.init(path: "", reason: "empty body")))
        #expect(error.phase == .decoding)
        #expect(error.response?.status.code == status)
        #expect(error.request?.url.path == "/v1/articles/1")
    }

    @Test("E3 text is read as its charset says, and other bytes are an error")
    func text() async throws {
        let latin = ScriptedTransport { request throws(NetworkError) in
            var response = HTTPResponse.reply(to: request)
            response.head.fields[.contentType] = "text/plain; charset=ISO-8859-1"
            response.body = .bytes(Data([0xE9]))
            return response
        }
        #expect(try await articles(latin).send(Endpoint<String>.get("a")) == "é")
        let broken = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(head: .init(status: .ok), body: .bytes(Data([0xFF])), request: request)
        }
        let error = await articles(broken).failure(of: Endpoint<String>.get("a"))
        #expect(error?.shortDescription == "decoding")
    }
}
