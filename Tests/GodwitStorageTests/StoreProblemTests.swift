import CSQLite
import GodwitStorage
import GodwitTesting
import TestSupport
import Testing

@Suite("C2 a store that can't be used", .timeLimit(.minutes(15)))
struct StoreProblemTests {
    let folder = TemporaryFolder()
    let diagnostics = Diagnostics()

    private func store() throws -> DiskCacheStore {
        try DiskCacheStore(directory: folder.url, diagnostics: diagnostics)
    }

    private func fill() async throws {
        let store = try DiskCacheStore(directory: folder.url)
        await store.store(try response("old"))
    }

    @Test("C2 a file that a newer version wrote is left as it is and reported once; calls are answered by the server")
    func newer() async throws {
        try await fill()
        try folder.query("PRAGMA user_version = 99")
        let before = try Data(contentsOf: folder.url.appending(path: "responses.sqlite"))
        let mock = MockTransport { $0.get("/a").reply(.text("hello").field(.cacheControl, "max-age=60")) }
        let chain = Chain([Caching(try store())], over: mock)
        for _ in 0..<3 {
            let response = try await chain.send(HTTPRequest(url: try HTTPURL("https://example.com/a")))
            #expect(try await response.body.collect(upTo: 100) == Data("hello".utf8))
        }
        #expect(mock.requests.count == 3)
        #expect(diagnostics.recent.map(\.problem) == [.newerVersion])
        #expect(diagnostics.recent.first?.store == .responses)
        #expect(diagnostics.recent.first?.path.hasSuffix("/responses.sqlite") == true)
        #expect(try Data(contentsOf: folder.url.appending(path: "responses.sqlite")) == before)
        #expect(try !folder.names.contains("responses.sqlite.damaged"))
    }

    @Test("C2 a file of an older version is replaced, which is nothing to report")
    func older() async throws {
        try await fill()
        try folder.query("PRAGMA user_version = 0")
        let store = try store()
        await store.store(try response("new"))
        #expect(try await store.has("new"))
        #expect(diagnostics.recent.isEmpty)
    }

    @Test("C2 a damaged file is reported once, with what became of it")
    func damaged() async throws {
        try Data("no database at all".utf8).write(to: folder.url.appending(path: "responses.sqlite"))
        let store = try store()
        for path in ["a", "b"] { await store.store(try response(path)) }
        #expect(await paths(store) == ["/a", "/b"])
        #expect(diagnostics.recent.map(\.problem) == [.damaged])
        #expect(diagnostics.recent.first?.description.contains("set aside") == true)
    }

    @Test("C2 a file that another process keeps locked is reported once, and calls continue")
    func locked() async throws {
        try await fill()
        let lock = try HeldLock(folder.path("responses.sqlite"))
        let store = try store()
        for path in ["a", "b"] { await store.store(try response(path)) }
        #expect(diagnostics.recent.map(\.problem) == [.locked])
        lock.release()
        await store.store(try response("c"))
        #expect(try await store.has("c"))
    }

    @Test("C2 a folder that nothing can be written to is reported once, by either store, and isn't an error")
    func unwritable() async throws {
        let place = URL(filePath: "/proc/self")
        let responses = try DiskCacheStore(directory: place, diagnostics: diagnostics)
        let models = try DiskModelStore(directory: place, diagnostics: diagnostics)
        for path in ["a", "b"] {
            await responses.store(try response(path))
            #expect(try await !responses.has(path))
            await models.store(StoredModel(data: Data(), date: Date()), for: path)
        }
        #expect(diagnostics.recent.map(\.store) == [.responses, .models])
        #expect(diagnostics.recent.allSatisfy { $0.path.hasPrefix("/proc/") })
    }

    @Test(
        "C2 SQLite errors become distinct problems",
        arguments: [
            (SQLITE_FULL, StorageDiagnostic.Problem.diskFull), (SQLITE_BUSY, .locked), (SQLITE_READONLY, .readOnly),
            (SQLITE_PERM, .noPermission), (SQLITE_CORRUPT, .damaged), (SQLITE_NOTADB, .damaged),
            (SQLITE_CANTOPEN, .unavailable), (SQLITE_IOERR, .unavailable),
        ])
    func codes(_ code: Int32, _ problem: StorageDiagnostic.Problem) {
        #expect(SQLiteFailure(code).problem == problem)
        #expect(SQLiteFailure(code | 3 << 8).problem == problem)
    }
}
