#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import GodwitStorage
import TestSupport
import Testing

@Suite("C2 the disk store's file", .timeLimit(.minutes(15)))
struct DiskFileTests {
    let folder = TemporaryFolder()

    private func store(limit: Int = 1 << 20) throws -> DiskCacheStore {
        try DiskCacheStore(directory: folder.url, limit: limit)
    }

    /// A folder that holds a store's file with this many responses, closed.
    private func fill(_ count: Int, bytes: Int = 1000) async throws {
        let store = try store(limit: 1 << 30)
        for number in 0..<count { await store.store(try response("\(number)", bytes)) }
    }

    @Test("C2 folders are made for their owner alone, and so are the files")
    func modes() async throws {
        let store = try DiskCacheStore(directory: folder.url.appending(path: "a/b"))
        await store.store(try response("a"))
        #expect(try folder.mode(of: "a") == 0o700)
        #expect(try folder.mode(of: "a/b") == 0o700)
        for name in ["responses.sqlite", "responses.sqlite-wal", "responses.sqlite-shm"] {
            #expect(try folder.mode(of: "a/b/" + name) == 0o600)
        }
    }

    @Test("C2 a file that others could read becomes private")
    func openToOthers() async throws {
        try await fill(1)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("responses.sqlite"))
        #expect(try await store().has("0"))
        #expect(try folder.mode(of: "responses.sqlite") == 0o600)
    }

    @Test("C2 a folder that can't be created throws immediately", arguments: ["file", "file/below", "../../proc/none"])
    func noFolder(_ path: String) throws {
        try Data().write(to: folder.url.appending(path: "file"))
        let error = #expect(throws: NetworkError.self) {
            try DiskCacheStore(directory: folder.url.appending(path: path))
        }
        guard case .file = error?.kind else { return #expect(error?.kind == .file(reason: "")) }
    }

    @Test("C2 the file is closed, and its log gone, when the store is released")
    func closing() async throws {
        do {
            let store = try store()
            await store.store(try response("a"))
            #expect(try folder.names.contains("responses.sqlite-wal"))
        }
        #expect(try folder.names == ["responses.sqlite"])
    }

    /// What can happen to a file.
    enum Harm: String, CaseIterable {
        case text, truncated, zeroed, shredded, foreign, older, noTables, folder, link, pipe
    }

    private func harm(_ harm: Harm) throws {
        let url = folder.url.appending(path: "responses.sqlite")
        var data = try Data(contentsOf: url)
        switch harm {
        case .text: try Data("no database at all".utf8).write(to: url)
        case .truncated: try data.prefix(data.count / 2 + 100).write(to: url)
        case .zeroed:
            data.replaceSubrange(100..<data.count, with: Data(count: data.count - 100))
            try data.write(to: url)
        case .shredded:
            for page in stride(from: 4096, to: data.count, by: 4096) { data[page] ^= 0xFF }
            try data.write(to: url)
        case .foreign:
            try FileManager.default.removeItem(at: url)
            try folder.query("CREATE TABLE bookmarks (url TEXT)")
        case .older: try folder.query("PRAGMA user_version = 0")
        case .noTables: try folder.query("DROP TABLE bodies")
        case .folder, .link, .pipe:
            try FileManager.default.removeItem(at: url)
            if harm == .folder { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
            if harm == .pipe { #expect(mkfifo(url.path, 0o600) == 0) }
            if harm == .link { try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "x") }
        }
    }

    @Test("C2 a damaged or foreign file is renamed, and a new one created", arguments: Harm.allCases)
    func damage(_ kind: Harm) async throws {
        try await fill(100)
        try harm(kind)
        let store = try store()
        // Damage may lie where it is met only later.
        for number in 0..<100 {
            for found in await store.responses(for: try HTTPURL("https://example.com/\(number)")) {
                #expect(found.body == Data(count: 1000))
            }
        }
        await store.store(try response("new"))
        await store.store(try response("new"))
        #expect(try await store.has("new"))
        #expect(try folder.query("PRAGMA integrity_check") == "ok")
        #expect(try folder.names.contains("responses.sqlite.damaged"))
    }

    @Test("C2 of the files that were renamed one is kept")
    func damageAgain() async throws {
        for _ in 0..<3 {
            try await fill(1)
            try harm(.text)
        }
        try await fill(1)
        #expect(try folder.names == ["responses.sqlite", "responses.sqlite.damaged"])
    }

    @Test("C2 a file that is damaged in use is renamed")
    func damageInUse() async throws {
        try await fill(1000)
        let store = try store(limit: 1 << 30)
        #expect(try await store.has("0"))
        let handle = try #require(fopen(folder.path("responses.sqlite"), "r+"))
        let noise = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) })
        for page in 1..<(folder.size(of: "responses.sqlite") / 4096) {
            fseek(handle, page * 4096, SEEK_SET)
            _ = noise.withUnsafeBytes { fwrite($0.baseAddress, 1, 4096, handle) }
        }
        fclose(handle)
        for number in 0..<1000 { _ = try await store.has("\(number)") }
        await store.store(try response("new"))
        #expect(try await store.has("new"))
        #expect(try folder.query("PRAGMA integrity_check") == "ok")
        #expect(try folder.names.contains("responses.sqlite.damaged"))
    }

    @Test("C2 a folder that is removed in use is made again")
    func removedInUse() async throws {
        let store = try DiskCacheStore(directory: folder.url.appending(path: "a"))
        await store.store(try response("a"))
        try FileManager.default.removeItem(at: folder.url.appending(path: "a"))
        #expect(try await !store.has("a"))
        await store.store(try response("b"))
        #expect(await paths(store) == ["/b"])
    }

    @Test("C2 a folder that is removed before the store is released stays removed")
    func removedBeforeTheEnd() async throws {
        let url = folder.url.appending(path: "a")
        do {
            let store = try DiskCacheStore(directory: url)
            await store.store(try response("a"))
            #expect(try await store.has("a"))
            try FileManager.default.removeItem(at: url)
        }
        #expect(try folder.names == [])
    }

    @Test("C2 a folder that turns into a file stores nothing, and isn't an error")
    func unwritable() async throws {
        let url = folder.url.appending(path: "a")
        let store = try DiskCacheStore(directory: url)
        try FileManager.default.removeItem(at: url)
        try Data().write(to: url)
        await store.store(try response("a"))
        #expect(try await !store.has("a"))
        await store.removeAll()
        #expect(await store.byteCount() == 0)
        try FileManager.default.removeItem(at: url)
        await store.store(try response("a"))
        #expect(try await store.has("a"))
    }

    @Test("C2 two stores over one folder see what the other stores, removes and empties")
    func sharing() async throws {
        let (one, two) = (try store(), try store())
        await one.store(try response("a"))
        await two.store(try response("b"))
        #expect(await paths(one) == ["/a", "/b"])
        await two.removeAll(for: try HTTPURL("https://example.com/a"))
        #expect(await paths(one) == ["/b"])
        await one.removeAll()
        #expect(await paths(two).isEmpty)
        await two.store(try response("c"))
        #expect(await paths(one) == ["/c"])
        #expect(await one.byteCount() == two.byteCount())
    }

    @Test("C2 a file that another process writes to is read anyway, and removed where that must be")
    func busy() async throws {
        let store = try store()
        await store.store(try response("a"))
        let lock = try HeldLock(folder.path("responses.sqlite"))
        await store.store(try response("b"))
        #expect(await paths(store) == ["/a"])
        #expect(try await store.has("a"))
        await store.remove(try response("a"))
        #expect(await paths(store) == [])
        lock.release()
    }

    @Test("C2 a lower limit applies from the first use and frees space")
    func lowerLimit() async throws {
        try await fill(500, bytes: 16_000)
        let before = folder.size(of: "responses.sqlite")
        #expect(before > 8_000_000)
        do {
            let store = try store(limit: 100_000)
            #expect(await store.byteCount() <= 100_000)
            #expect(try await store.has("499"))
        }
        #expect(folder.size(of: "responses.sqlite") < 1_300_000)
    }

    @Test("C2 the files stay small however much goes through them")
    func growth() async throws {
        let store = try store(limit: 500_000)
        for number in 0..<1500 {
            await store.store(try response("\(number)", number % 17 == 0 ? 100_000 : number % 4000))
        }
        #expect(folder.size(of: "responses.sqlite") < 2_000_000)
        #expect(folder.size(of: "responses.sqlite-wal") < 6_000_000)
    }
}
