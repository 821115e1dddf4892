#if os(Linux)

import Glibc
import Godwit
import GodwitBackground
import GodwitStorage
import GodwitSupport
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("BackgroundSession: killed processes", .timeLimit(.minutes(15)))
struct BackgroundSessionKillTests {
    private let content = Content(300_000)
    private let bench = Bench()

    @Test("B8 a job survives the kill -9 of the program that handed it over")
    func program() async throws {
        let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let server = try await MockServer { [content] route in
            route.get("/a").reply { request in
                await withCheckedContinuation { waiter in gate.withLock { $0 = waiter } }
                return content.answer(request)
            }
        }
        let program = try Spawned([
            Bench.client.path, "add", bench.queue.path, Bench.program.path, "test", "\(server.url)/a",
            bench.folder.path,
        ])
        #expect(await program.said() == "added\n")
        _ = try await server.waitForRequests()
        await program.kill()
        // The transferring process holds nothing of the program's: neither its output nor its session.
        #expect(await program.said() == "")
        let daemon = try #require(bench.daemon)
        #expect(getsid(daemon) == daemon)
        await eventually { gate.withLock { $0 != nil } }
        gate.withLock(\.self)?.resume()
        let session = bench.session()
        let event = try #require(try await session.nextEvent())
        #expect(event.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == content.data)
        #expect(server.requestCount == 1)
    }

    @Test("B8 after a kill -9 of the transferring process the next one fetches the rest")
    func daemon() async throws {
        let turn = Turn()
        let server = try await MockServer { [content] route in
            route.get("/a").reply { turn.next() == 0 ? content.beginning(200_000) : content.answer($0) }
        }
        let session = bench.session()
        try await session.download(bench.request(server, "/a"), to: bench.path("a")) { [content] in
            $0.digest = ContentDigest(sha256: SHA256.digest(content.data))
        }
        await eventually { bench.size(".a.godwit-part") == 200_000 }
        await bench.killDaemon()
        let event = try #require(try await session.nextEvent())
        #expect(event.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == content.data)
        #expect(server.requests.map { $0.fields[.range] } == [nil, "bytes=200000-"])
        #expect(content.bytesSent == content.data.count)
    }

    @Test("B8 a kill -9 during parallel ranges costs only the bytes in transit")
    func ranges() async throws {
        let (content, turn) = (Content(24_000_000), Turn())
        let server = try await MockServer { route in
            route.get("/a").reply { request in
                // The fourth and the fifth range hang half-way, and the last is not reached.
                let isSlow = [3, 4].contains(turn.next())
                return isSlow ? content.part(of: request, 500_000) : content.answer(request)
            }
        }
        let session = bench.session()
        try await session.download(bench.request(server, "/a"), to: bench.path("a")) {
            $0.parallelRanges = 2
            $0.digest = ContentDigest(sha256: SHA256.digest(content.data))
        }
        await eventually { server.requestCount == 5 && bench.complete(of: "a") >= 7_048_576 }
        await bench.killDaemon()
        let before = bench.complete(of: "a")
        let event = try #require(try await session.nextEvent())
        #expect(event.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == content.data)
        // What was complete is not asked for again, and nothing else is asked for twice.
        let asked = server.requests.map { ($0.fields[.range] ?? "").split { !$0.isNumber }.compactMap { Int($0) } }
        #expect(asked.allSatisfy { $0.count == 2 })
        #expect(asked.dropFirst(5).reduce(0) { $0 + $1[1] + 1 - $1[0] } == content.data.count - before)
        #expect(content.bytesSent - content.data.count <= 2 * 500_000)
        #expect(server.requests.dropFirst(5).allSatisfy { $0.fields[.ifRange] == "\"v1\"" })
    }

    @Test("B8 a loop of events continues over a kill -9 without repeating an event")
    func loop() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("x")) }
        let session = bench.session()
        var jobs: [BackgroundJob.ID] = []
        try await session.download(bench.request(server, "/0"), to: bench.path("0"))
        for try await event in session.events {
            jobs.append(event.job)
            if jobs.count == 4 { break }
            await bench.killDaemon()
            try await session.download(bench.request(server, "/\(jobs.count)"), to: bench.path("\(jobs.count)"))
        }
        #expect(Set(jobs).count == 4)
        #expect(try await session.missedEvents().map(\.job) == jobs)
        #expect(server.requestCount == 4)
    }

    @Test("B8 with kills at random points of a download the content is complete, and no byte is sent twice")
    func places() async throws {
        let (size, kills) = Self.soaks ? (256 << 20, 100) : (4 << 20, 6)
        let content = Content(size)
        let turn = Turn()
        let dice = Mutex(SeededGenerator(seed: 3))
        let places = Mutex([0])
        let server = try await MockServer { route in
            route.get("/a").reply { request in
                guard turn.next() < kills else { return content.answer(request) }
                let step = dice.withLock { Int.random(in: 1..<size / kills, using: &$0) }
                places.withLock { $0.append(($0.last ?? 0) + step) }
                return content.beginning(step, for: request)
            }
        }
        let session = bench.session()
        try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        for number in 1...kills {
            await eventually {
                let places = places.withLock { $0 }
                return places.count == number + 1 && bench.size(".a.godwit-part") == places.last
            }
            await bench.killDaemon()
            _ = try await session.jobs()
        }
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == content.data)
        #expect(server.requestCount == kills + 1)
        #expect(content.bytesSent == size)
        print("B8: \(size) bytes, \(kills) kills, \(content.bytesSent) bytes sent")
    }

    @Test("B8 a damaged queue is renamed, and a new one created")
    func damaged() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("x")) }
        let session = bench.session()
        _ = try await session.jobs()
        await bench.killDaemon()
        for name in try FileManager.default.contentsOfDirectory(atPath: bench.queue.path)
        where name.hasPrefix("transfers.sqlite") {
            try Data(repeating: 7, count: 10_000).write(to: bench.queue.appending(path: name))
        }
        try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("a")))
        #expect(FileManager.default.fileExists(atPath: bench.places.queue.path + ".damaged"))
    }

    @Test("B8 nginx: a file is downloaded in the background", .enabled(if: nginx != nil, "needs nginx"))
    func realServer() async throws {
        let url = try HTTPURL("\(try #require(Self.nginx))/1m.bin")
        let session = bench.session()
        try await session.download(HTTPRequest(url: url), to: URL(filePath: bench.folder.path + "/"))
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("1m.bin")))
        #expect(bench.size("1m.bin") == 1 << 20)
    }

    private static let nginx = ProcessInfo.processInfo.environment["GODWIT_TEST_NGINX_HTTP"]

    /// As many jobs and kills as the time allows.
    private static let soaks = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil
    private static let (jobs, kills) = soaks ? (1000, 20) : (200, 5)

    @Test("B8 with many jobs and repeated kills, each job runs once and has one event")
    func many() async throws {
        let (size, parallel) = (20_000, 4)
        let content = Content(size)
        let server = try await MockServer { route in route.any("*").reply { content.answer($0) } }
        let session = bench.session { $0.parallelJobs = parallel }
        let adding = Task {
            var ids: Set<BackgroundJob.ID> = []
            for number in 0..<Self.jobs {
                let request = try bench.request(server, "/\(number)")
                ids.insert(try await session.download(request, to: bench.path("\(number)")))
            }
            return ids
        }
        var seen: [BackgroundEvent] = []
        for try await event in session.events {
            seen.append(event)
            if seen.count % (Self.jobs / (Self.kills + 1)) == 0 { await bench.killDaemon() }
            try await session.acknowledge(event)
            if seen.count == Self.jobs { break }
        }
        let ids = try await adding.value
        #expect(Set(seen.map(\.job)) == ids)
        #expect(Set(seen.map(\.id)).count == Self.jobs)
        for number in 0..<Self.jobs { #expect(bench.data("\(number)") == content.data) }
        #expect(Set(try bench.names).subtracting((0..<Self.jobs).map(String.init)) == [])
        #expect(try await session.missedEvents().isEmpty)
        #expect(try await session.jobs().isEmpty)
        // What was under way when the process was killed was asked for again, and nothing else.
        #expect(server.requestCount <= Self.jobs + (Self.kills + 1) * parallel)
        #expect(content.bytesSent <= size * (Self.jobs + (Self.kills + 1) * parallel))
        print("B8: \(Self.jobs) jobs, \(Self.kills) kills, \(server.requestCount) requests")
    }

    @Test("B8 a file that was moved before a kill is not downloaded again")
    func moved() async throws {
        let server = try await MockServer { [content] route in route.get("/a").reply { content.answer($0) } }
        let session = bench.session()
        try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        _ = try await session.nextEvent()
        await bench.killDaemon()
        // As the queue's file was before the end of the job was written.
        let file = try SQLiteConnection(path: bench.places.queue.path, patience: 1000)
        try file.execute("DELETE FROM events; UPDATE jobs SET state = 0")
        // A hard link may be left of the move, with the ticket of the download.
        #expect(link(bench.path("a").path, bench.path(".a.godwit-part").path) == 0)
        let event = try #require(try await session.nextEvent())
        #expect(event.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == content.data)
        #expect(try bench.names == ["a"])
        #expect(server.requestCount == 1)
    }

    @Test("B8 another file at the destination is not taken for the downloaded one")
    func replaced() async throws {
        let server = try await MockServer { [content] route in route.get("/a").reply { content.answer($0) } }
        let session = bench.session()
        try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        _ = try await session.nextEvent()
        await bench.killDaemon()
        try SQLiteConnection(path: bench.places.queue.path, patience: 1000)
            .execute("DELETE FROM events; UPDATE jobs SET state = 0")
        try FileManager.default.moveItem(at: bench.path("a"), to: bench.path("b"))
        _ = try bench.write("mine", to: "a")
        guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
            Issue.record("it was taken for it")
            return
        }
        #expect(failure.label == "file")
        #expect(bench.data("a") == Data("mine".utf8))
    }

    @Test("B8 an upload that must not be sent twice is not repeated if it may have arrived")
    func interrupted() async throws {
        let server = try await MockServer { route in route.post("/a").reply(.hang) }
        let file = try bench.write("once", to: "b")
        var request = try bench.request(server, "/a")
        request.method = .post
        let session = bench.session()
        try await session.upload(request, fromFile: file)
        _ = try await server.waitForRequests()
        await bench.killDaemon()
        guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
            Issue.record("it was sent")
            return
        }
        #expect(failure.label == "interrupted")
        #expect(server.requestCount == 1)
    }

    @Test("B8 with an idempotency key it is sent until there is a response")
    func keyed() async throws {
        let turn = Turn()
        let server = try await MockServer { route in
            route.post("/a").reply { _ in turn.next() == 0 ? .hang : .status(.created) }
        }
        let file = try bench.write("once", to: "b")
        var request = try bench.request(server, "/a")
        request.method = .post
        request.options.idempotencyKey = "k1"
        let session = bench.session()
        try await session.upload(request, fromFile: file)
        _ = try await server.waitForRequests()
        await bench.killDaemon()
        #expect(try await session.nextEvent()?.outcome == .uploaded(status: 201, answer: Data()))
        #expect(server.requests.map { $0.fields[.idempotencyKey] } == ["k1", "k1"])
    }
}
#endif
