#if canImport(Glibc)
import GodwitStorage
import TestSupport
import Testing

@Suite("C2 the disk store among processes", .timeLimit(.minutes(15)))
struct DiskProcessTests {
    static let limit = 1_000_000
    static let kills = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] == "1" ? 200 : 20

    let folder = TemporaryFolder()

    private func writer(_ arguments: String...) throws -> StorageWriter {
        try StorageWriter([folder.url.path] + arguments)
    }

    /// What a store says of a response, whose body and fields belong together.
    private func isWhole(_ response: CachedResponse) -> Bool {
        response.fields["X-Size"] == "\(response.body.count)"
            && response.body.allSatisfy { response.fields["X-Byte"] == "\($0)" }
    }

    @Test("C2 repeatedly killing a writing process leaves an intact file within the limit")
    func killed() async throws {
        for round in 0..<Self.kills {
            // Odd ones have a second writer beside them, which is killed at another moment.
            async let other: Void? =
                round % 2 == 1
                ? try writer("\(Self.limit)", "b").kill(afterLines: .random(in: 1...30)) : nil
            try await writer("\(Self.limit)", "a").kill(afterLines: .random(in: 1...30))
            _ = try await other
            // Every time would hide what one kill leaves for the next: looking at a file also mends it.
            if round % 3 == 2 { try checkFile() }
        }
        try checkFile()
        try await checkContent()
        // SQLite's own may be there while the last connection closes. One set aside would say that a file was damaged.
        let own = ["responses.sqlite", "responses.sqlite-shm", "responses.sqlite-wal"]
        #expect(try folder.names.filter { !own.contains($0) } == [])
        #expect(folder.size(of: "responses.sqlite") < 2 * Self.limit + 1_500_000)
    }

    private func checkFile() throws {
        #expect(try folder.query("PRAGMA integrity_check") == "ok")
        // Writers also remove the file, and one may be killed while it makes the next.
        guard try folder.query("SELECT count(*) FROM sqlite_schema") != "0" else { return }
        #expect(try folder.query("SELECT count(*) FROM records WHERE id NOT IN (SELECT id FROM bodies)") == "0")
        #expect(try folder.query("SELECT count(*) FROM bodies WHERE id NOT IN (SELECT id FROM records)") == "0")
        #expect(try folder.query("SELECT bytes = (SELECT ifnull(sum(size), 0) FROM records) FROM total") == "1")
    }

    private func checkContent() async throws {
        let store = try DiskCacheStore(directory: folder.url, limit: Self.limit)
        #expect(await store.byteCount() <= Self.limit)
        for url in await store.urls() {
            let responses = await store.responses(for: url)
            #expect(responses.count == 1)
            #expect(responses.allSatisfy(isWhole))
        }
    }

    @Test("C2 two processes that write immediately lose nothing")
    func together() async throws {
        let writers = try ["a", "b"].map { try writer("\(100 << 20)", $0, "100") }
        for writer in writers {
            let end = await writer.end()
            #expect(end.status == 0)
            #expect(end.text == "done\n")
        }
        let store = try DiskCacheStore(directory: folder.url)
        for number in 0..<100 {
            for name in ["a", "b"] {
                let found = await store.responses(for: try HTTPURL("https://example.com/\(name)/\(number)"))
                #expect(found.count == 1)
                #expect(found.allSatisfy(isWhole))
            }
        }
        #expect(try folder.names.filter { $0.hasSuffix(".damaged") } == [])
    }

    @Test("C2 a full disk keeps what fits, and removals still succeed")
    func fullDisk() async throws {
        let end = try await writer("\(100 << 20)", "a", "full").end()
        #expect(end.status == 0)
        let words = end.text.split(separator: " ").compactMap { Int($0.filter(\.isNumber)) }
        #expect(words.count == 2)
        #expect((1..<100).contains(words.first ?? 0))
        #expect(words.last == 0)
    }
}
#endif
