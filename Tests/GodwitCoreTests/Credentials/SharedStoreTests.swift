import GodwitCore
import GodwitOAuth
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

/// The other process is the test: it writes the file as another `godwit` would.
@Suite("A9 a token file that several processes use", .timeLimit(.minutes(15)))
struct SharedStoreTests {
    private let folder: TemporaryFolder
    private let store: FileTokenStore
    private let api = RotatingAPI()
    private let url: HTTPURL

    init() throws {
        folder = TemporaryFolder()
        store = FileTokenStore(at: folder.url.appending(path: "token.json"))
        url = try HTTPURL("https://api.example.com/articles")
        api.openGate()
    }

    private var current: AccessToken { api.token }

    private func chain(_ store: some TokenStore) throws -> Chain {
        let mock = api.transport()
        let auth = OAuthServer(tokenURL: try HTTPURL("https://api.example.com/token"))
        let oauth = OAuth2(auth, client: OAuthClient(id: "reader"), over: mock)
        return Chain([Authentication(.tokens(oauth.refresher(store: store)), for: [url.origin])], over: mock)
    }

    /// A chain whose refresher has read a token that the server accepts.
    private func chain() async throws -> Chain {
        try store.save(current)
        let chain = try chain(store)
        #expect(try await status(chain) == 200)
        return chain
    }

    private func status(_ chain: Chain) async throws(NetworkError) -> Int {
        try await chain.send(HTTPRequest(url: url)).head.status.code
    }

    /// Refreshes as another process does.
    private func refreshElsewhere() async throws {
        let elsewhere = MemoryTokenStore(AccessToken(access: "x", refresh: api.refresh))
        #expect(try await status(try chain(elsewhere)) == 200)
        try store.save(try #require(elsewhere.load()))
    }

    @Test("A9 a refused token is replaced by the one that another process has stored, without a refresh")
    func found() async throws {
        let chain = try await chain()
        try await refreshElsewhere()
        #expect(api.refreshCount == 1)
        #expect(try await status(chain) == 200)
        #expect(api.refreshCount == 1)
        #expect(try store.load() == current)
        #expect(try folder.names == ["token.json"])
    }

    @Test("A9 if the stored token is refused as well, it is refreshed: no one is signed out")
    func foundIsStale() async throws {
        let chain = try await chain()
        try await refreshElsewhere()
        // Its access token has ended, too; its refresh token still works.
        try store.save(AccessToken(access: "ended", refresh: api.refresh))
        #expect(try await status(chain) == 200)
        #expect(api.refreshCount == 2)
        #expect(try store.load() == current)
    }

    @Test("A9 an expired token of another process is refreshed with that one's refresh token")
    func foundIsExpired() async throws {
        let chain = try await chain()
        try await refreshElsewhere()
        try store.save(AccessToken(access: "ended", refresh: api.refresh, expiry: .distantPast))
        #expect(try await status(chain) == 200)
        #expect(api.refreshCount == 2)
        #expect(try store.load() == current)
    }

    @Test("A9 a refused refresh removes nothing that another program has stored meanwhile")
    func refusedMeanwhile() async throws {
        let signedIn = AccessToken(access: "signed-in", refresh: "r2")
        try store.save(AccessToken(access: "expired", refresh: "r", expiry: .distantPast))
        let tokens = TokenRefresher(store: store) { [store] _ in
            try store.save(signedIn)
            throw NetworkError(.unauthorized, phase: .middleware)
        }
        #expect(try await tokens.token() == signedIn)
        #expect(try store.load() == signedIn)
    }

    @Test("A9 a refused refresh removes the token that was refused")
    func refused() async throws {
        let chain = try await chain()
        api.revoke()
        let error = await #expect(throws: NetworkError.self) { try await status(chain) }
        #expect(error?.kind == .unauthorized)
        #expect(try folder.names == [])
    }

    @Test("A9 a new token that the server refuses ends no session if another process has stored another token")
    func givenUp() async throws {
        let good = AccessToken(access: "good", refresh: "r3")
        try store.save(AccessToken(access: "old", refresh: "r1"))
        let tokens = TokenRefresher(store: store) { _ in AccessToken(access: "bad", refresh: "r2") }
        let mock = MockTransport { [store] routes in
            routes.any("/*").reply { request in
                if request.fields[.authorization] == "Bearer bad" { try store.save(good) }
                return .status(request.fields[.authorization] == "Bearer good" ? .ok : .unauthorized)
            }
        }
        let chain = Chain([Authentication(.tokens(tokens), for: [url.origin])], over: mock)
        #expect(try await status(chain) == 401)
        #expect(try store.load() == good)
        #expect(try await status(chain) == 200)
    }

    @Test("A9 a sign-out in another process ends the session here, and sends no refresh")
    func removed() async throws {
        let chain = try await chain()
        try await refreshElsewhere()
        try store.clear()
        let error = await #expect(throws: NetworkError.self) { try await status(chain) }
        #expect(error?.kind == .unauthorized)
        #expect(api.refreshCount == 1)
    }

    @Test("A9 while another process holds the lock, nothing is sent or written, and the error names it")
    func locked() async throws {
        let expired = AccessToken(access: "expired", refresh: "r", expiry: .distantPast)
        try store.save(expired)
        let held = try FileLock(at: try #require(store.lockFile).path).take()
        let tokens = TokenRefresher(store: store, clock: ImmediateClock()) { _ in AccessToken(access: "new") }
        let error = await #expect(throws: NetworkError.self) { try await tokens.token() }
        #expect(
            error?.underlying as? TokenStoreError
                == .locked(
                    path: folder.url.path + "/token.json.lock", process: ProcessInfo.processInfo.processIdentifier))
        #expect(
            error?.description.contains(
                "token.json.lock is in use by process \(ProcessInfo.processInfo.processIdentifier)") == true)
        #expect(try store.load() == expired)
        held.release()
        #expect(try await tokens.token().access == "new")
        // The lock may go a moment after the caller has its token.
        while try folder.names != ["token.json"] { await Task.yield() }
    }

    @Test("A9 a canceled caller doesn't wait for another process")
    func canceled() async throws {
        try store.save(AccessToken(access: "expired", refresh: "r", expiry: .distantPast))
        let held = try FileLock(at: try #require(store.lockFile).path).take()
        let clock = TestClock()
        let tokens = TokenRefresher(store: store, clock: clock) { _ in AccessToken(access: "new") }
        let caller = Task { () async throws(NetworkError) in try await tokens.token() }
        try await clock.waitForSleepers()
        caller.cancel()
        #expect(await #expect(throws: NetworkError.self) { try await caller.value }?.kind == .cancelled)
        held.release()
        let other = Task { try await tokens.token().access }
        clock.advance(by: .seconds(1))
        #expect(try await other.value == "new")
    }

    @Test("A9 a sign-out doesn't wait for a refresh of its own process")
    func signOut() async throws {
        try store.save(AccessToken(access: "expired", refresh: "r", expiry: .distantPast))
        let (isRefreshing, gate) = (Watched(false), Watched(false))
        let tokens = TokenRefresher(store: store) { _ in
            isRefreshing.update { $0 = true }
            try await gate.wait { $0 }
            return AccessToken(access: "new")
        }
        let caller = Task { () async throws(NetworkError) in try await tokens.token() }
        try await isRefreshing.wait { $0 }
        try await tokens.signOut()
        #expect(await #expect(throws: NetworkError.self) { try await caller.value }?.kind == .unauthorized)
        gate.update { $0 = true }
        try await eventually { try folder.names == [] }
    }

    @Test("A9 a symbolic link in the lock's place is refused, and nothing is written")
    func link() async throws {
        let token = AccessToken(access: "a", refresh: "r")
        try store.save(token)
        let target = try folder.file("target", Data("text".utf8))
        let lock = try #require(store.lockFile)
        try FileManager.default.createSymbolicLink(at: lock, withDestinationURL: target)
        let tokens = TokenRefresher(store: store) { _ in AccessToken(access: "new") }
        let error = await #expect(throws: NetworkError.self) { try await tokens.signIn(AccessToken(access: "b")) }
        #expect(error?.underlying as? TokenStoreError == .symbolicLink(path: lock.path))
        #expect(try store.load() == token)
        #expect(try folder.read("target") == "text")
    }
}
