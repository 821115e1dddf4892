#if os(Linux)
import Godwit
import GodwitBackground
import GodwitTesting
import TestSupport
import Testing

@Suite("BackgroundSession", .timeLimit(.minutes(15)))
struct BackgroundSessionTests {
    private let content = Content(300_000)
    private let bench = Bench()

    @Test("B8 another process downloads, and its event is repeated until acknowledged")
    func download() async throws {
        let server = try await MockServer { [content] route in route.get("/a").reply { content.answer($0) } }
        let session = bench.session()
        let id = try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        let event = try #require(try await session.nextEvent())
        #expect(event.job == id)
        #expect(event.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == content.data)
        #expect(try bench.names == ["a"])
        let job = try #require(try await session.jobs().first)
        #expect(job.state == .ended)
        #expect(job.progress == TransferProgress(completed: 300_000, total: 300_000))
        #expect(try await bench.session().nextEvent() == event)
        #expect(try await session.missedEvents() == [event])
        try await session.acknowledge(event)
        #expect(try await session.missedEvents().isEmpty)
        #expect(try await session.jobs().isEmpty)
        #expect(server.requestCount == 1)
    }

    @Test("B8 an upload sends the file, and its event has the server's response")
    func upload() async throws {
        let server = try await MockServer { route in route.put("/a").reply(.text("thanks", status: .created)) }
        let file = try bench.write("what is sent", to: "b")
        var request = try bench.request(server, "/a")
        request.method = .put
        request.fields[.authorization] = "Bearer s3cret"
        let session = bench.session()
        let id = try await session.upload(request, fromFile: file)
        let event = try #require(try await session.nextEvent())
        #expect(event.job == id)
        #expect(event.outcome == .uploaded(status: 201, answer: Data("thanks".utf8)))
        let received = try #require(server.requests.first)
        #expect(received.fields[.authorization] == "Bearer s3cret")
        #expect(received.fields[.contentLength] == "12")
        #expect(received.body == Data("what is sent".utf8))
    }

    @Test("B8 events are ordered, and each loop starts with those not acknowledged")
    func order() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("x")) }
        let session = bench.session { $0.parallelJobs = 1 }
        var ids: [BackgroundJob.ID] = []
        for number in 0..<4 {
            ids.append(
                try await session.download(bench.request(server, "/\(number)"), to: bench.path("\(number)")))
        }
        var seen: [BackgroundEvent] = []
        for try await event in session.events {
            seen.append(event)
            if seen.count == 4 { break }
        }
        #expect(seen.map(\.job) == ids)
        #expect(seen.map(\.id) == seen.map(\.id).sorted())
        try await session.acknowledge(seen[0])
        try await session.acknowledge(seen[2])
        #expect(try await session.missedEvents() == [seen[1], seen[3]])
        #expect(try await bench.session("another").missedEvents().isEmpty)
    }

    @Test("B8 a pause keeps what was received, and resuming fetches the rest")
    func pause() async throws {
        let turn = Turn()
        let server = try await MockServer { [content] route in
            route.get("/a").reply { turn.next() == 0 ? content.beginning(100_000) : content.answer($0) }
        }
        let session = bench.session()
        let id = try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        await eventually { bench.size(".a.godwit-part") == 100_000 }
        try await session.pause(id)
        try await eventually { try await session.state(of: id) == .paused }
        await bench.killDaemon()
        #expect(try await session.state(of: id) == .paused)
        #expect(try await session.completed(id) == 100_000)
        try await session.resume(id)
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == content.data)
        #expect(server.requests.map { $0.fields[.range] } == [nil, "bytes=100000-"])
    }

    @Test("B8 canceling a job discards what was received, running or paused", arguments: [false, true])
    func cancel(pausesFirst: Bool) async throws {
        let server = try await MockServer { [content] route in route.get("/a").reply(content.beginning(1000)) }
        let session = bench.session()
        let id = try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        await eventually { bench.size(".a.godwit-part") == 1000 }
        #expect(try bench.names.contains(".a.godwit-part"))
        if pausesFirst {
            try await session.pause(id)
            try await eventually { try await session.state(of: id) == .paused }
        }
        try await session.cancel(id)
        guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
            Issue.record("it went on")
            return
        }
        #expect(failure.isCancelled)
        #expect(try bench.names == [])
    }

    @Test("B8 a job with a known ID is not added again")
    func sameJob() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("x")) }
        let session = bench.session()
        let id = BackgroundJob.ID()
        for _ in 0..<3 {
            try await session.download(bench.request(server, "/a"), to: bench.path("a")) { $0.id = id }
        }
        let event = try #require(try await session.nextEvent())
        try await session.download(bench.request(server, "/a"), to: bench.path("a")) { $0.id = id }
        #expect(try await session.jobs().count == 1)
        try await session.acknowledge(event)
        #expect(server.requestCount == 1)
    }

    @Test("B8 E11 a rejection is an event with the server's message")
    func refused() async throws {
        let server = try await MockServer { route in
            route.get("/a").reply(.json(["detail": "This film was withdrawn"], status: .notFound))
        }
        let session = bench.session()
        try await session.download(bench.request(server, "/a?token=s3cret"), to: bench.path("a"))
        guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
            Issue.record("no failure")
            return
        }
        #expect(failure.label == "not_found")
        #expect(failure.status == 404)
        #expect(!failure.reason.contains("s3cret"))
        #expect(!failure.isCancelled)
        #expect(failure.reason.contains(": This film was withdrawn"))
        #expect(failure.userMessage == "This film was withdrawn")
        #expect(failure.errorDescription == "This film was withdrawn")
    }

    @Test("E11 a failure saved by an older service has a user message")
    func olderFailure() throws {
        let json = Data(#"{"label":"server","reason":"HTTP 503","status":503}"#.utf8)
        let failure = try JSONDecoder().decode(BackgroundFailure.self, from: json)
        #expect(failure.userMessage == UserMessages.current[.failed])
        #expect(try JSONDecoder().decode(BackgroundFailure.self, from: JSONEncoder().encode(failure)) == failure)
    }

    @Test("B8 an invalid job is rejected before it is handed over")
    func impossible() async throws {
        let session = bench.session()
        var request = HTTPRequest(url: try HTTPURL("http://127.0.0.1:1/a"))
        let web = try #require(URL(string: "https://example.com"))
        await #expect(throws: NetworkError.self) {
            try await session.download(request, to: web)
        }
        await #expect(throws: NetworkError.self) {
            try await session.upload(request, fromFile: bench.path("missing"))
        }
        request.body = .bytes(Data([1]))
        await #expect(throws: NetworkError.self) { try await session.download(request, to: bench.path("a")) }
        request.body = nil
        request.fields[.contentLength] = "1"
        await #expect(throws: NetworkError.self) { try await session.download(request, to: bench.path("a")) }
        request.fields[.contentLength] = nil
        await #expect(throws: NetworkError.self) {
            try await bench.session("").download(request, to: bench.path("a"))
        }
        await #expect(throws: NetworkError.self) {
            try await bench.session { $0.program = bench.path("missing") }.download(request, to: bench.path("a"))
        }
        await #expect(throws: NetworkError.self) {
            try await bench.session { $0.relaunch = ["touch", "x"] }.download(request, to: bench.path("a"))
        }
        await #expect(throws: NetworkError.self) { try await session.cancel(BackgroundJob.ID()) }
        #expect(try await session.jobs().isEmpty)
    }

    @Test("B8 finish ends every loop, and the session can be used again")
    func finish() async throws {
        let session = bench.session()
        let loop = Task { try await session.nextEvent() }
        try await eventually { try await session.jobs().isEmpty }
        try await session.finish()
        #expect(try await loop.value == nil)
        #expect(try await session.jobs().isEmpty)
    }

    @Test("B8 a canceled task ends its loop")
    func cancelledLoop() async throws {
        let session = bench.session()
        let loop = Task { try await session.nextEvent() }
        try await eventually { try await session.jobs().isEmpty }
        loop.cancel()
        #expect(try await loop.value == nil)
    }
}
#endif
