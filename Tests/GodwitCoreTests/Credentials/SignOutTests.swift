import GodwitCore
import GodwitTesting
import Testing

@Suite("A4 signing out", .timeLimit(.minutes(15)))
struct SignOutTests {
    private let url: HTTPURL
    private let cache = MemoryCacheStore(limit: 1 << 20)

    init() throws {
        url = try HTTPURL("https://api.example.com/1")
    }

    /// A jar and a cache that hold something; the jar in a file.
    private func filled(_ folder: URL) async throws -> CookieJar {
        let jar = try CookieJar(file: CookieFile(folder.appending(path: "cookies")))
        #expect(jar.store("a=1; Max-Age=1000", from: url))
        try jar.save()
        let transport = ScriptedTransport([{ .reply(to: $0, 200, "", [.cacheControl: "max-age=60"]) }])
        _ = try await Chain([Caching(cache)], over: transport).send(HTTPRequest(url: url))
        #expect(await cache.urls() == [url])
        return jar
    }

    private func refresher(_ store: some TokenStore) -> TokenRefresher {
        TokenRefresher(store: store) { $0 }
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = URL(filePath: "/tmp").appending(path: "godwit-sign-out-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test("A4 tokens, cookies and cache are cleared, on disk too")
    func all() async throws {
        try await withFolder { folder in
            let jar = try await filled(folder)
            let store = FileTokenStore(at: folder.appending(path: "token"))
            try store.save(AccessToken(access: "a"))
            let tokens = refresher(store)
            try await SignOut(tokens: tokens, cookies: jar, cache: cache)()
            #expect(try store.load() == nil)
            #expect(jar.cookies.isEmpty)
            #expect(try CookieJar(file: CookieFile(folder.appending(path: "cookies"))).cookies.isEmpty)
            #expect(await cache.urls().isEmpty)
            let error = await #expect(throws: NetworkError.self) { try await tokens.token() }
            #expect(error?.kind == .unauthorized)
        }
    }

    @Test("A4 if one store fails, the others are still cleared, and its error is thrown")
    func failing() async throws {
        try await withFolder { folder in
            let jar = try await filled(folder)
            let tokens = refresher(StuckStore())
            let error = await #expect(throws: NetworkError.self) {
                try await SignOut(tokens: tokens, cookies: jar, cache: cache)()
            }
            #expect(error?.kind == .file(reason: "stuck"))
            #expect(jar.cookies.isEmpty)
            #expect(await cache.urls().isEmpty)
            await #expect(throws: NetworkError.self) { try await tokens.token() }
        }
    }

    @Test("A4 a canceled task still signs out")
    func cancelled() async throws {
        try await withFolder { folder in
            let jar = try await filled(folder)
            let store = MemoryTokenStore(AccessToken(access: "a"))
            let signOut = SignOut(tokens: refresher(store), cookies: jar, cache: cache)
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await signOut()
            }
            task.cancel()
            try await task.value
            #expect(store.load() == nil)
            #expect(jar.cookies.isEmpty)
            #expect(await cache.urls().isEmpty)
        }
    }

    @Test("A4 parts that weren't given are kept, and the others are cleared")
    func some() async throws {
        try await withFolder { folder in
            let jar = try await filled(folder)
            try await SignOut()()
            #expect(!jar.cookies.isEmpty)
            #expect(await cache.urls() == [url])
            try await SignOut(cookies: jar)()
            #expect(jar.cookies.isEmpty)
            #expect(await cache.urls() == [url])
        }
    }
}

/// A store that cannot be cleared.
private struct StuckStore: TokenStore {
    func load() -> AccessToken? { AccessToken(access: "a") }
    func save(_ token: AccessToken) {}
    func clear() throws(TokenStoreError) { throw .other(reason: "stuck") }
}
