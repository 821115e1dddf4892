import GodwitCore
import GodwitTesting
import Testing

@Suite("A6 the states of an account session", .timeLimit(.minutes(15)))
struct AccountSessionTests {
    private let url = "https://api.example.com"

    private func client(
        _ store: some TokenStore = MemoryTokenStore(), _ transport: some HTTPTransport = ScriptedTransport(),
        refresh: @escaping @Sendable () async throws -> AccessToken = { AccessToken(access: "new") }
    ) -> APIClient {
        APIClient(baseURL: url, transport: transport) {
            $0.retry.maximumAttempts = 1
            $0.authentication = .refreshing(store) { _, _ in try await refresh() }
        }
    }

    private func next(_ states: inout AccountSession.AsyncIterator) async -> String? {
        await states.next().map { "\($0)".prefix { $0 != "," }.description }
    }

    @Test("A6 the current state comes first, read from the store")
    func first() async throws {
        var empty = client().session.makeAsyncIterator()
        var full = client(MemoryTokenStore(AccessToken(access: "a"))).session.makeAsyncIterator()
        #expect(await empty.next().map { "\($0)" } == "ended: no user has signed in")
        #expect(await full.next().map { "\($0)" } == "signed in")
    }

    @Test("A6 every observer sees each change: signed in, refreshing, signed in, signed out")
    func changes() async throws {
        let server = ScriptedTransport { request throws(NetworkError) in
            .reply(to: request, request.fields[.authorization] == "Bearer new" ? 200 : 401)
        }
        let api = client(MemoryTokenStore(), server)
        var first = api.session.makeAsyncIterator()
        #expect(await first.next().map { "\($0)" } == "ended: no user has signed in")
        var second = api.session.makeAsyncIterator()
        try await api.signIn(AccessToken(access: "old"))
        try await api.send(Endpoint<Void>.get("a"))
        try await api.signOut()
        var seen: [[String]] = [[], []]
        for _ in 0..<4 { seen[0].append("\(try #require(await first.next()))") }
        for _ in 0..<5 { seen[1].append("\(try #require(await second.next()))") }
        #expect(seen[0] == ["signed in", "refreshing", "signed in", "ended: signed out"])
        #expect(seen[1] == ["ended: no user has signed in"] + seen[0])
    }

    @Test("A6 a refused refresh ends the session, and says why")
    func refused() async throws {
        let api = client(MemoryTokenStore(AccessToken(access: "old", refresh: "r")), ScriptedTransport(401)) {
            var error = NetworkError(.client(status: 400), phase: .validating)
            error.body = Data(#"{"error":"invalid_grant","error_description":"revoked"}"#.utf8)
            throw error
        }
        #expect(await api.failure(of: Endpoint<Void>.get("a"))?.kind == .unauthorized)
        guard case .ended(.refused(let error)) = api.session.state else {
            Issue.record("\(String(describing: api.session.state))")
            return
        }
        #expect((error.underlying as? NetworkError)?.kind == .client(status: 400))
    }

    @Test("A6 a second 401 ends the session, and says what the server answered")
    func refusedTwice() async throws {
        let api = client(MemoryTokenStore(AccessToken(access: "old", refresh: "r")), ScriptedTransport(401))
        _ = await api.failure(of: Endpoint<Void>.get("a"))
        guard case .ended(.refused(let error)) = api.session.state else {
            Issue.record("\(String(describing: api.session.state))")
            return
        }
        #expect(error.response?.status == .unauthorized)
    }

    @Test("A6 a refresh that may succeed later does not end the session")
    func passing() async throws {
        let api = client(MemoryTokenStore(AccessToken(access: "old", refresh: "r")), ScriptedTransport(401)) {
            throw NetworkError(.offline(.noPath), phase: .connecting)
        }
        #expect(await api.failure(of: Endpoint<Void>.get("a"))?.kind == .offline(.noPath))
        guard case .signedIn = api.session.state else {
            Issue.record("\(String(describing: api.session.state))")
            return
        }
    }

    @Test("A6 a client without tokens is signed in until it signs out, and when it signs in again")
    func withoutTokens() async throws {
        let api = APIClient(baseURL: url, transport: ScriptedTransport())
        var states = api.session.makeAsyncIterator()
        try await api.signOut()
        try await api.signIn()
        var seen: [String] = []
        for _ in 0..<3 { seen.append("\(try #require(await states.next()))") }
        #expect(seen == ["signed in", "ended: signed out", "signed in"])
    }

    @Test("A6 the sequence ends with the last client, and with a canceled task")
    func end() async throws {
        var states: AccountSession.AsyncIterator?
        do {
            let api = APIClient(baseURL: url, transport: ScriptedTransport())
            states = api.session.makeAsyncIterator()
        }
        _ = await states?.next()
        #expect(await states?.next() == nil)
        let api = APIClient(baseURL: url, transport: ScriptedTransport())
        let task = Task {
            var count = 0
            for await _ in api.session { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value <= 1)
    }

    @Test("A6 clients over the same store share the session: one signs out for both, and one refreshes for both")
    func sharedStore() async throws {
        let store = MemoryTokenStore(AccessToken(access: "old", refresh: "r"))
        let refreshes = Collected<Int>()
        let server = ScriptedTransport { request throws(NetworkError) in
            .reply(to: request, request.fields[.authorization] == "Bearer new" ? 200 : 401)
        }
        let clients = (0..<2).map { index in
            client(store, server) {
                refreshes.append(index)
                return AccessToken(access: "new", refresh: "r2")
            }
        }
        for api in clients { try await api.send(Endpoint<Void>.get("a")) }
        #expect(refreshes.values == [0])
        try await clients[0].signOut()
        let count = server.requests.count
        #expect(await clients[1].failure(of: Endpoint<Void>.get("a"))?.kind == .unauthorized)
        #expect(server.requests.count == count)
        #expect(store.load() == nil)
    }
}
