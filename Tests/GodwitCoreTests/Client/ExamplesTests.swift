import GodwitCore
import GodwitTesting
import Testing

// The examples of api.md, as a user would write them.
@Suite("E1 the examples of the API page", .timeLimit(.minutes(15)))
struct ExamplesTests {
    private let article = #"{"id": 42, "title": "Flight"}"#

    @Test("E1 sending an endpoint returns its typed value without a cast")
    func send() async throws {
        let transport = ScriptedTransport(200, article)
        let api = articles(transport)
        let found = try await api.send(.article(id: 42))
        #expect(found == Article(id: 42, title: "Flight"))
        let request = try #require(transport.requests.first)
        #expect(request.method == .get)
        #expect(request.url.absoluteString == "https://api.example.com/v1/articles/42")
        #expect(request.fields[.accept] == "application/json")
    }

    @Test("E4 a failed call throws one error whose kind can be switched over")
    func failure() async throws {
        let api = articles(ScriptedTransport(422, #"{"errors": {"title": ["is too short"]}}"#))
        do throws(NetworkError) {
            _ = try await api.send(.create(Draft(title: "")))
            Issue.record("nothing was thrown")
        } catch {
            guard case .validationFailed(let fields) = error.kind else {
                Issue.record("\(error)")
                return
            }
            #expect(fields == [.init(field: "title", messages: ["is too short"])])
            #expect(error.userMessage == "is too short")
        }
    }

    @Test("U10 options can be overridden for one call, and the response is available")
    func response() async throws {
        let transport = ScriptedTransport(200, article, [.etag: "\"v1\""])
        let api = articles(transport)
        let response = try await api.response(
            for: .article(id: 42).cachePolicy(.reloadRevalidating).timeout(.seconds(5)))
        #expect(response.value.id == 42)
        #expect(response.head.status == .ok)
        #expect(response.head.fields[.etag] == "\"v1\"")
        #expect(response.metrics.firstByte == nil)
        #expect(transport.requests.first?.options.timeouts.total == .seconds(5))
        #expect(transport.requests.first?.options.cachePolicy == .reloadRevalidating)
    }

    @Test("N1 many calls run concurrently, but never more than the limit")
    func many() async throws {
        let api = articles(
            ScriptedTransport { request throws(NetworkError) in
                let id = request.url.path.split(separator: "/").last ?? ""
                return .reply(to: request, 200, #"{"id": \#(id), "title": "Nr. \#(id)"}"#)
            })
        let found = try await (1...20).concurrentMap(limit: 6) { try await api.send(.article(id: $0)) }
        #expect(found.map(\.id) == Array(1...20))
    }

    @Test("R1 a stream of JSON lines is read element by element")
    func stream() async throws {
        let api = articles(ScriptedTransport(200, "\(article)\n{\"id\": 43, \"title\": \"Landing\"}\n"))
        var ids: [Int] = []
        for try await record in api.stream(.export).jsonLines(of: Article.self) { ids.append(record.id) }
        #expect(ids == [42, 43])
    }

    @Test("X1 the same client works with a mock in a test")
    func mock() async throws {
        let mock = MockTransport { $0.get("/v1/articles/1").reply(.json(["id": 1, "title": "a"])) }
        let client = APIClient(baseURL: "https://api.example.com/v1", transport: mock)
        #expect(try await client.send(.article(id: 1)) == Article(id: 1, title: "a"))
    }

    @Test("E3 an endpoint without a response is called as a statement")
    func void() async throws {
        let transport = ScriptedTransport(204)
        try await articles(transport).send(.delete(id: 42))
        #expect(transport.requests.first?.method == .delete)
    }

    @Test("U9 a call can be sent without credentials")
    func login() async throws {
        let transport = ScriptedTransport(200, #"{"access": "a"}"#)
        _ = try await articles(transport).send(.login(Login(user: "ann")))
        #expect(transport.requests.first?.options.authentication == AuthenticationRequirement.none)
        #expect(transport.requests.first?.fields[.contentType] == "application/json")
        #expect(try await transport.requests.first?.body?.text() == #"{"user":"ann"}"#)
    }
}
