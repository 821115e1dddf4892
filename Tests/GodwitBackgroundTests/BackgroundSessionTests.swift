import Godwit
import GodwitTesting
import Testing

@Suite("BackgroundSession")
struct BackgroundSessionTests {
    @Test("B8 a download is done by another process, and told once")
    func download() async throws {
        let content = Content(300_000)
        let server = try await MockServer { route in route.get("/a").reply { content.answer($0) } }
        let bench = try Bench()
        let session = bench.session()
        let id = try await session.download(bench.request(server, "a"), to: bench.path("a"))
        let event = try #require(try await session.nextEvent())
        #expect(event.job == id)
        #expect(event.outcome == .downloaded(bench.path("a")))
        #expect(try Data(contentsOf: bench.path("a")) == content.data)
        try await session.acknowledge(event)
        #expect(try await session.missedEvents().isEmpty)
        #expect(try await session.jobs().isEmpty)
    }
}
