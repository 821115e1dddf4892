import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("M3 G1 godwit --har", .timeLimit(.minutes(15)))
struct ArchiveTests {
    private let folder: TemporaryFolder
    private let server: MockServer

    init() async throws {
        folder = TemporaryFolder()
        server = try await MockServer { route in
            route.get("/a").reply(.text("content"))
            route.get("/old").reply(.redirect(to: "/a"))
        }
    }

    private struct Archive: Decodable {
        struct Log: Decodable { let version: String, entries: [Entry] }
        struct Entry: Decodable { let time: Double, request: Request, response: Response }
        struct Request: Decodable { let url: String }
        struct Response: Decodable { let status: Int, httpVersion: String, content: Content }
        struct Content: Decodable { let size: Int, text: String? }
        let log: Log
    }

    private func archive() throws -> Archive {
        try JSONDecoder().decode(Archive.self, from: Data(folder.read("a.har").utf8))
    }

    @Test("M3 each exchange is an entry, with times and sizes, and without secrets")
    func hops() async throws {
        let run = await Run.godwit(
            "get", "\(server.url)old?token=s3cret", "Authorization:Bearer s3cret", "--har", folder.path("a.har"))
        #expect(run.code == .success && run.output == "content")
        let entries = try archive().log.entries
        #expect(entries.map(\.response.status) == [302, 200])
        #expect(entries.last?.response.content.size == 7 && entries.last?.response.httpVersion == "HTTP/1.1")
        #expect(entries.allSatisfy { $0.time > 0 })
        #expect(try !folder.read("a.har").contains("s3cret"))
    }

    @Test("M3 G4 --har records bodies, so that godwit mock can serve the file")
    func bodies() async throws {
        #expect(await Run.godwit("get", "\(server.url)a", "--har", folder.path("a.har")).output == "content")
        #expect(try archive().log.entries.first?.response.content.text == "content")
    }

    @Test("M3 --timing goes with --har")
    func timing() async throws {
        let run = await Run.godwit("get", "\(server.url)a", "--timing", "--har", folder.path("a.har"))
        #expect(run.errors.contains("total"))
        #expect(try archive().log.entries.count == 1)
    }

    @Test("M3 a failed exchange is recorded too")
    func failure() async throws {
        let run = await Run.godwit("get", "http://127.0.0.1:1/a", "--har", folder.path("a.har"))
        #expect(run.code == .unreachable)
        #expect(try archive().log.entries.map(\.response.status) == [0])
    }

    @Test("M3 an archive that cannot be written is an error")
    func unwritable() async throws {
        let run = await Run.godwit("get", "\(server.url)a", "--har", folder.path("missing/a.har"))
        #expect(run.code == .file)
    }
}
