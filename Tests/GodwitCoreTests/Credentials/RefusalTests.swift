import GodwitCore
import GodwitTesting
import Testing

@Suite("A3 requests that are refused", .timeLimit(.minutes(15)))
struct RefusalTests {
    private let store = MemoryTokenStore(AccessToken(access: "old", refresh: "r"))
    private let refreshes = Collected<AccessToken>()

    private func refresher(_ result: Result<AccessToken, NetworkError> = .success(AccessToken(access: "new")))
        -> TokenRefresher
    {
        TokenRefresher(store: store) { [refreshes] old in
            refreshes.append(old)
            return try result.get()
        }
    }

    /// Accepts these tokens, and answers 401 to others.
    private func server(_ accepted: String...) -> ScriptedTransport {
        ScriptedTransport { request throws(NetworkError) in
            let isAccepted = accepted.contains { request.fields[.authorization] == "Bearer \($0)" }
            return .reply(to: request, isAccepted ? 200 : 401, isAccepted ? "welcome" : "who?")
        }
    }

    private func client(_ transport: some HTTPTransport, _ tokens: TokenRefresher) throws -> APIClient {
        let origin = try HTTPURL("https://api.example.com").origin
        return articles(transport) { $0.middleware.append(Authentication(.tokens(tokens), for: [origin])) }
    }

    @Test("A3 after a 401, the request is sent again once, with the new token and the same body")
    func retry() async throws {
        let transport = server("new")
        _ = try await client(transport, refresher()).send(Endpoint<Void>.post("a", body: .json(Draft(title: "x"))))
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer old", "Bearer new"])
        #expect(try await transport.requests[1].body?.text() == #"{"title":"x"}"#)
        #expect(store.load()?.access == "new")
    }

    @Test("A3 a second 401 clears the tokens and reports unauthorized; then nothing is sent any more")
    func secondRefusal() async throws {
        let transport = server()
        let api = try client(transport, refresher())
        #expect(await api.failure(of: Endpoint<Void>.get("a"))?.kind == .unauthorized)
        #expect(transport.requests.count == 2)
        #expect(store.load() == nil)
        #expect(await api.failure(of: Endpoint<Void>.get("a"))?.kind == .unauthorized)
        #expect(transport.requests.count == 2)
        #expect(refreshes.values.count == 1)
    }

    @Test("A3 a body that isn't replayable is not sent again, and the token is replaced for the next request")
    func notReplayable() async throws {
        let transport = server("new")
        let tokens = refresher()
        let origin = try HTTPURL("https://api.example.com/")
        let chain = Chain([Authentication(.tokens(tokens), for: [origin.origin])], over: transport)
        let chunks = AsyncStream<Data> { $0.finish() }
        let response = try await chain.send(HTTPRequest(method: .post, url: origin, body: .stream(once: chunks)))
        #expect(response.head.status == .unauthorized)
        #expect(transport.requests.count == 1)
        #expect(try await tokens.token().access == "new")
        #expect(refreshes.values.count == 1)
    }

    @Test("A3 a 401 from another origin, which got no token, refreshes nothing")
    func otherOrigin() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "https://other.com/") }, { .reply(to: $0, 401) }])
        let error = await (try client(transport, refresher())).failure(of: Endpoint<Void>.get("a"))
        #expect(error?.kind == .unauthorized)
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer old", nil])
        #expect(refreshes.values.isEmpty)
        #expect(store.load()?.access == "old")
    }

    @Test("A3 a refresh that fails temporarily keeps the token and reports the reason")
    func passingFailure() async throws {
        let lost = NetworkError(.transport(.connectionLost("x")), phase: .receiving)
        let error = await (try client(server("new"), refresher(.failure(lost)))).failure(of: Endpoint<Void>.get("a"))
        #expect(error?.kind == lost.kind)
        #expect(error?.response?.status == .unauthorized)
        #expect(store.load()?.access == "old")
    }
}
