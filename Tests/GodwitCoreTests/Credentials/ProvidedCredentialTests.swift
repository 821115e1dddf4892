import GodwitCore
import GodwitTesting
import Testing

@Suite("A6 a credential from a closure", .timeLimit(.minutes(15)))
struct ProvidedCredentialTests {
    private let asked = Collected<Int>()

    /// A client whose closure returns one token after the other, the last one again and again.
    private func client(_ transport: some HTTPTransport, _ tokens: String...) -> APIClient {
        articles(transport) {
            $0.authentication = .credential { [asked] in
                asked.append(1)
                return AccessToken(access: tokens[min(asked.values.count, tokens.count) - 1])
            }
        }
    }

    private func server(_ accepted: String) -> ScriptedTransport {
        ScriptedTransport { request throws(NetworkError) in
            .reply(to: request, request.fields[.authorization] == "Bearer \(accepted)" ? 200 : 401)
        }
    }

    @Test("A6 the closure is called for each request")
    func each() async throws {
        let transport = server("a")
        let api = client(transport, "a")
        for _ in 0..<3 { try await api.send(Endpoint<Void>.get("x")) }
        #expect(asked.values.count == 3)
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer a", "Bearer a", "Bearer a"])
    }

    @Test("A6 after a 401, the closure is called again, and the request is sent again with the new credential")
    func refused() async throws {
        let transport = server("new")
        try await client(transport, "old", "new").send(Endpoint<Void>.post("x", body: .json(Draft(title: "t"))))
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer old", "Bearer new"])
        #expect(try await transport.requests[1].body?.text() == #"{"title":"t"}"#)
    }

    @Test("A6 a second 401, and one after the same credential, is returned")
    func refusedTwice() async throws {
        let (first, second) = (server("other"), server("other"))
        #expect(await client(first, "a", "b", "c").failure(of: Endpoint<Void>.get("x"))?.kind == .unauthorized)
        #expect(first.requests.count == 2)
        #expect(asked.values.count == 2)
        let same = articles(second) { $0.authentication = .credential { AccessToken(access: "a") } }
        #expect(await same.failure(of: Endpoint<Void>.get("x"))?.kind == .unauthorized)
        #expect(second.requests.count == 1)
    }

    @Test("A6 it is sent to the client's origin and the listed ones, for endpoints that need it")
    func origins() async throws {
        let transport = ScriptedTransport([
            { .redirect(of: $0, to: "https://other.com/") }, { .reply(to: $0) }, { .reply(to: $0) }, { .reply(to: $0) },
        ])
        let files = try HTTPURL("https://files.example.com/a")
        let api = articles(transport) {
            var setting = ClientAuthentication.credential { AccessToken(access: "a") }
            setting.origins = [files.origin]
            $0.authentication = setting
        }
        try await api.send(Endpoint<Void>.get("x"))
        _ = try await api.send(HTTPRequest(url: files))
        try await api.send(Endpoint<Void>.get("x").unauthenticated())
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer a", nil, "Bearer a", nil])
    }

    @Test("A6 any kind of credential works, and the request's own field takes precedence")
    func kinds() async throws {
        let transport = ScriptedTransport()
        let api = articles(transport) {
            $0.authentication = .credential { Credential.apiKey("k", field: "X-API-Key") }
        }
        try await api.send(Endpoint<Void>.get("x"))
        var own = Endpoint<Void>.get("x")
        own.fields["X-API-Key"] = "mine"
        try await api.send(own)
        #expect(transport.requests.map { $0.fields["X-API-Key"] } == ["k", "mine"])
    }

    @Test("A6 the closure's error reaches the caller, and nothing is sent")
    func failures() async throws {
        struct Locked: Error {}
        let offline = NetworkError(.offline(.noPath), phase: .connecting)
        let cases: [(any Error & Sendable, NetworkError.Kind)] = [
            (Locked(), .unauthorized), (offline, offline.kind), (CancellationError(), .cancelled),
        ]
        for (error, kind) in cases {
            let transport = ScriptedTransport()
            let api = articles(transport) {
                $0.authentication = .credential { () async throws -> AccessToken in throw error }
            }
            let failure = await api.failure(of: Endpoint<Void>.get("x"))
            #expect(failure?.kind == kind)
            #expect(failure?.request?.url.path == "/v1/x")
            #expect(transport.requests.isEmpty)
        }
    }

    @Test("A6 a closure that returns another closure is refused, and one that returns a refresher is refreshed")
    func nested() async throws {
        let api = articles(ScriptedTransport()) {
            $0.authentication = .credential { Credential.provided { .bearer("a") } }
        }
        guard case .invalidRequest = await api.failure(of: Endpoint<Void>.get("x"))?.kind else {
            Issue.record("a closure in a closure was taken")
            return
        }
        let transport = server("new")
        let tokens = TokenRefresher(store: MemoryTokenStore(AccessToken(access: "old"))) { _ in
            AccessToken(access: "new")
        }
        let refreshing = articles(transport) { $0.authentication = .credential { Credential.tokens(tokens) } }
        try await refreshing.send(Endpoint<Void>.get("x"))
        #expect(transport.requests.count == 2)
    }

    @Test("A6 a call whose account changes while the closure runs is not sent")
    func changed() async throws {
        let (gate, waits) = (Watched(false), Watched(false))
        let transport = ScriptedTransport()
        let api = articles(transport) {
            $0.authentication = .credential {
                waits.update { $0 = true }
                try await gate.wait { $0 }
                return AccessToken(access: "bob")
            }
        }
        let call = Task { await api.failure(of: Endpoint<Void>.post("x")) }
        try await waits.wait { $0 }
        try await api.signOut()
        try await api.signIn()
        gate.update { $0 = true }
        #expect(await call.value?.underlying is AccountChanged)
        #expect(transport.requests.isEmpty)
    }
}
