@testable import GodwitCore
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("A6 an account's data is removed before the next one starts", .timeLimit(.minutes(15)))
struct AccountRemovalTests {
    private struct Who: Codable, Sendable, Equatable {
        var user: String
    }

    private let me = Endpoint<Who>.get("me")

    /// Answers with whose token came.
    private var server: ScriptedTransport {
        ScriptedTransport { request throws(NetworkError) in
            let token = request.fields[.authorization]?.dropFirst(7) ?? "nobody"
            return .reply(to: request, 200, #"{"user":"\#(token)"}"#, [.cacheControl: "max-age=60"])
        }
    }

    private func client(
        _ transport: some HTTPTransport, _ store: some TokenStore = MemoryTokenStore(AccessToken(access: "ann")),
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .refreshing(store) { _, old in old }
            configure(&$0)
        }
    }

    private func users(_ readings: Readings<Who>) async throws -> [String] {
        var users: [String] = []
        for try await reading in readings { users.append(reading.value.user) }
        return users
    }

    @Test("A6 models that were stored for one user are not read for the next")
    func models() async throws {
        let models = MemoryModelStore()
        let api = client(server)
        #expect(try await users(api.reading(me, from: models, key: "me")) == ["ann"])
        try await api.signIn(AccessToken(access: "bob"))
        #expect(try await users(api.reading(me, from: models, key: "me")) == ["bob"])
    }

    @Test("A6 models of an earlier run go too: of a store that is named, and of one that is first read after a change")
    func earlierModels() async throws {
        let (named, late) = (MemoryModelStore(), MemoryModelStore())
        let old = StoredModel(data: Data(#"{"user":"ann"}"#.utf8), date: Date())
        await named.store(old, for: "me")
        await late.store(old, for: "me")
        let api = client(server) { $0.modelStores = [named] }
        try await api.signOut()
        #expect(await named.model(for: "me") == nil)
        try await api.signIn(AccessToken(access: "bob"))
        #expect(try await users(api.reading(me, from: late, key: "me")) == ["bob"])
    }

    @Test("A6 a reading that was started for one user ends without the next one's value, and stores nothing")
    func reading() async throws {
        let models = MemoryModelStore()
        let api = client(server)
        _ = try await users(api.reading(me, from: models, key: "me"))
        var readings = api.reading(me, from: models, maxAge: .zero, key: "me").makeAsyncIterator()
        #expect(try await readings.next()?.value.user == "ann")
        try await api.signOut()
        let error = await #expect(throws: NetworkError.self) { try await readings.next() }
        #expect(error?.underlying is AccountChanged)
        #expect(await models.model(for: "me") == nil)
    }

    @Test("A6 accepted passwords are removed, and a late one is not kept")
    func passwords() async throws {
        let user = Watched("ann")
        let asked = Collected<String>()
        let gate = Watched(true)
        let server = ScriptedTransport { request throws(NetworkError) in
            guard let proof = request.fields[.authorization] else {
                return .reply(to: request, 401, "", [.wwwAuthenticate: "Basic realm=\"nest\""])
            }
            do { try await gate.wait { $0 } } catch { throw NetworkError(.cancelled, phase: .receiving) }
            return .reply(to: request, 200, proof)
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: server) {
            $0.challenges = Challenges { _ in
                asked.append(user.value)
                return PasswordCredential(user: user.value, password: "x")
            }
        }
        let endpoint = Endpoint<String>.get("a")
        for _ in 0..<2 { _ = try await api.send(endpoint) }
        #expect(asked.values == ["ann"])
        gate.update { $0 = false }
        let late = Task { try await api.send(endpoint) }
        await eventually { server.requests.count == 4 }
        try await api.signOut()
        gate.update { $0 = true }
        _ = try? await late.value
        user.update { $0 = "bob" }
        try await api.signIn()
        _ = try await api.send(endpoint)
        #expect(asked.values == ["ann", "bob"])
        #expect(server.requests.last?.fields[.authorization] == "Basic \(Data("bob:x".utf8).base64EncodedString())")
    }

    @Test("A6 the token is removed last: a program that is killed before never shows one user's data to another")
    func order() async throws {
        let cache = MemoryCacheStore()
        let store = WitnessStore(cache: cache)
        let api = client(server, store) { $0.cache = .store(cache) }
        _ = try await api.send(me)
        try await api.signOut()
        #expect(store.stored.values == [0])
        try await api.signIn(AccessToken(access: "bob"))
        _ = try await api.send(me)
        try await api.signIn(AccessToken(access: "eve"))
        #expect(store.stored.values == [0, 0, 0])
    }

    @Test("A6 the next call starts once everything is removed")
    func waiting() async throws {
        let cache = SlowCacheStore()
        let transport = server
        let api = client(transport) { $0.cache = .store(cache) }
        _ = try await api.send(me)
        let change = Task { try await api.signIn(AccessToken(access: "bob")) }
        try await cache.state.wait { $0 == .removing }
        let call = Task { try await api.send(me) }
        for _ in 0..<100 { await Task.yield() }
        #expect(transport.requests.count == 1)
        cache.state.update { $0 = .open }
        #expect(try await call.value == Who(user: "bob"))
        try await change.value
    }

    @Test("A6 a response that is being stored when the account changes is removed with the others")
    func storing() async throws {
        let cache = SlowCacheStore(.holdingStores)
        let transport = server
        let api = client(transport) { $0.cache = .store(cache) }
        let call = Task { try await api.send(me) }
        try await cache.state.wait { $0 == .storing }
        let change = Task { try await api.signIn(AccessToken(access: "bob")) }
        for _ in 0..<100 { await Task.yield() }
        cache.state.update { $0 = .open }
        #expect(try await call.value == Who(user: "ann"))
        try await change.value
        #expect(try await api.send(me) == Who(user: "bob"))
    }

    @Test("A6 what can't be removed is reported, and everything else is removed")
    func failing() async throws {
        let folder = URL(filePath: "/tmp/godwit-account-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let jar = try CookieJar(file: CookieFile(folder.appending(path: "gone/cookies")))
        let cache = MemoryCacheStore()
        let store = MemoryTokenStore(AccessToken(access: "ann"))
        let api = client(server, store) {
            $0.cookies = .jar(jar)
            $0.cache = .store(cache)
        }
        _ = try await api.send(me)
        jar.store("a=b; Max-Age=1000", from: try HTTPURL("https://api.example.com/"))
        let error = await #expect(throws: NetworkError.self) { try await api.signOut() }
        guard case .file = error?.kind else { Issue.record("\(error as Any)"); return }
        #expect(jar.cookies.isEmpty)
        #expect(await cache.urls().isEmpty)
        #expect(store.load() == nil)
    }

    @Test("A6 a released client leaves nothing in a shared session")
    func clientsComeAndGo() async throws {
        let store = MemoryTokenStore(AccessToken(access: "ann"))
        let kept = client(server, store)
        let before = kept.accountSession.partIdentities.count
        for _ in 0..<100 { _ = try await client(server, store).send(me) }
        await eventually { kept.accountSession.partIdentities.count == before }
    }
}

/// A token store that notes how much is cached when it is written.
private final class WitnessStore: TokenStore {
    let stored = Collected<Int>()
    private let cache: MemoryCacheStore

    init(cache: MemoryCacheStore) {
        self.cache = cache
    }

    func load() -> AccessToken? { AccessToken(access: "ann") }

    func save(_ token: AccessToken) async throws(TokenStoreError) { stored.append(await cache.urls().count) }

    func clear() async throws(TokenStoreError) { stored.append(await cache.urls().count) }
}
