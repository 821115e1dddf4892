#if os(Linux)
import Glibc
import Godwit
import GodwitBackground
import GodwitTesting
import GodwitTransferDaemon
import Synchronization
import TestSupport
import Testing

@Suite("BackgroundSession: waiting, relaunch and idle time")
struct TransferServiceTests {
    private static let wifi = NetworkPath(status: .satisfied, interfaces: [.wifi])
    private static let phone = NetworkPath(status: .satisfied, interfaces: [.cellular], isExpensive: true)

    private let content = Content(100_000)
    private let bench = Bench()

    @Test("B8 only discretionary jobs wait for an inexpensive path")
    func discretionary() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("x")) }
        let feed = PathFeed(Self.phone)
        try await bench.serving {
            $0.pathMonitor = feed
            $0.load = { 0 }
        } _: {
            let session = bench.session()
            let late = try await session.download(bench.request(server, "/late"), to: bench.path("late")) {
                $0.isDiscretionary = true
            }
            try await session.download(bench.request(server, "/now"), to: bench.path("now"))
            let first = try #require(try await session.nextEvent())
            #expect(first.job != late)
            try await session.acknowledge(first)
            #expect(try await session.state(of: late) == .waiting)
            feed.update(Self.wifi)
            #expect(try await session.nextEvent()?.job == late)
        }
    }

    @Test("B8 a discretionary job waits while the machine is busy, and is checked again")
    func busy() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("x")) }
        let clock = TestClock()
        let load = Mutex(3.0)
        try await bench.serving {
            $0.pathMonitor = PathFeed(Self.wifi)
            $0.load = { load.withLock(\.self) }
            $0.clock = clock
        } _: {
            let session = bench.session()
            let id = try await session.download(bench.request(server, "/a"), to: bench.path("a")) {
                $0.isDiscretionary = true
            }
            try await eventually { try await session.state(of: id) == .waiting }
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(30))
            try await clock.waitForSleepers()
            #expect(server.requestCount == 0)
            load.withLock { $0 = 0.2 }
            clock.advance(by: .seconds(30))
            #expect(try await session.nextEvent()?.job == id)
        }
    }

    @Test("B8 a discretionary job stops if the path becomes expensive, and continues later")
    func yields() async throws {
        let turn = Turn()
        let server = try await MockServer { [content] route in
            route.get("/a").reply { turn.next() == 0 ? content.beginning(40_000) : content.answer($0) }
        }
        let feed = PathFeed(Self.wifi)
        try await bench.serving {
            $0.pathMonitor = feed
            $0.load = { 0 }
        } _: {
            let session = bench.session()
            let id = try await session.download(bench.request(server, "/a"), to: bench.path("a")) {
                $0.isDiscretionary = true
            }
            await eventually { bench.size(".a.godwit-part") == 40_000 }
            feed.update(Self.phone)
            try await eventually { try await session.state(of: id) == .waiting }
            feed.update(Self.wifi)
            #expect(try await session.nextEvent()?.job == id)
            #expect(server.requests.map { $0.fields[.range] } == [nil, "bytes=40000-"])
        }
    }

    @Test("B8 a job whose destination is taken meanwhile ends, and leaves neither part nor ticket")
    func taken() async throws {
        let (chunks, body) = AsyncStream.makeStream(of: Data.self)
        let server = try await MockServer { route in
            route.get("/a").reply(.stream(once: chunks).field(.etag, "\"1\""))
        }
        try await bench.serving { _ in
        } _: {
            let session = bench.session()
            try await session.download(bench.request(server, "/a"), to: bench.path("a"))
            body.yield(Data(count: 1000))
            await eventually { bench.size(".a.godwit-part") == 1000 }
            _ = try bench.write("old", to: "a")
            body.finish()
            let event = try #require(try await session.nextEvent())
            let isFailed = if case .failed = event.outcome { true } else { false }
            #expect(isFailed)
        }
        #expect(bench.data("a") == Data("old".utf8))
        #expect(bench.size(".a.godwit-part") == nil && bench.size(".a.godwit-ticket") == nil)
    }

    @Test("B8 a job that lost its network waits, and continues when there is a path")
    func networkLoss() async throws {
        let turn = Turn()
        let server = try await MockServer { [content] route in
            route.get("/a").reply { request in
                switch turn.next() {
                case 0: content.answer(request).dropped(after: .bytes(30_000))
                case 1...3: .close
                default: content.answer(request)
                }
            }
        }
        let (feed, clock) = (PathFeed(Self.wifi), TestClock())
        try await bench.serving {
            $0.pathMonitor = feed
            $0.clock = clock
            $0.backoff = Backoff(base: .seconds(3600), cap: .seconds(3600))
        } _: {
            let session = bench.session()
            let id = try await session.download(bench.request(server, "/a"), to: bench.path("a"))
            // Between the client's own attempts the clock has to go on.
            try await eventually {
                let state = try await session.state(of: id)
                if state == .running { clock.advance(by: .seconds(30)) }
                return state == .retrying
            }
            feed.update(.unsatisfied)
            feed.update(Self.wifi)
            feed.update(.unsatisfied)
            try await eventually { try await session.jobs().isEmpty == false }
            feed.update(Self.wifi)
            try await eventually {
                clock.advance(by: .seconds(30))
                return try await session.state(of: id) == .ended
            }
            #expect(bench.data("a") == content.data)
        }
    }

    @Test("B8 a temporary rejection is retried, but not forever")
    func refusals() async throws {
        let server = try await MockServer { route in route.any("*").reply(.status(.serviceUnavailable)) }
        try await bench.serving {
            $0.refusalLimit = 3
            $0.clock = Hasty()
            // Longer than what passes at once, or the service would have ended before the first job.
            $0.idleTime = .seconds(7200)
        } _: {
            let session = bench.session()
            try await session.download(bench.request(server, "/a"), to: bench.path("a"))
            guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
                Issue.record("no failure")
                return
            }
            #expect(failure.status == 503)
            // Three times with the client's own three attempts.
            #expect(server.requestCount == 9)
        }
    }

    @Test("B8 a job past its deadline fails, even while it runs")
    func deadline() async throws {
        let server = try await MockServer { [content] route in route.get("/a").reply(content.beginning(1000)) }
        let clock = TestClock()
        try await bench.serving {
            $0.clock = clock
        } _: {
            let session = bench.session()
            try await session.download(bench.request(server, "/a"), to: bench.path("a")) {
                $0.timeLimit = .seconds(100)
            }
            await eventually { bench.size(".a.godwit-part") == 1000 }
            clock.advance(by: .seconds(101))
            guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
                Issue.record("no failure")
                return
            }
            #expect(failure.label == "timed_out.total")
        }
    }

    @Test("B8 the program is relaunched when its jobs have ended, without a shell")
    func relaunch() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("x")) }
        let name = "a b;$(id)'\"*"
        try await bench.serving { _ in
        } _: {
            let session = bench.session { $0.relaunch = ["/usr/bin/touch", bench.path(name).path] }
            try await session.download(bench.request(server, "/a"), to: bench.path("a"))
            let event = try #require(try await session.nextEvent())
            // As long as it is there, it is not started.
            #expect(try bench.names == ["a"])
            session.leave()
            try await eventually { try bench.names == ["a", name].sorted() }
            try FileManager.default.removeItem(at: bench.path(name))
            // Not again for the same.
            #expect(try await session.missedEvents() == [event])
            session.leave()
            try await session.acknowledge(event)
            try await session.finish()
            #expect(try bench.names == ["a"])
        }
    }

    @Test("B8 a relaunched program gets the session's identifier, and no open files")
    func surroundings() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("x")) }
        let script =
            "for f in /proc/$$/fd/*; do readlink $f; done >$0.new; echo $GODWIT_BACKGROUND_SESSION >>$0.new; mv $0.new $0"
        try await bench.serving { _ in
        } _: {
            let session = bench.session { $0.relaunch = ["/bin/sh", "-c", script, bench.path("said").path] }
            try await session.download(bench.request(server, "/a"), to: bench.path("a"))
            _ = try await session.nextEvent()
            session.leave()
            await eventually { bench.data("said") != nil }
            let said = String(decoding: bench.data("said") ?? Data(), as: UTF8.self)
            #expect(said.hasSuffix("\ntest\n"))
            #expect(!said.contains("socket:") && !said.contains("sqlite") && !said.contains("transferd"), "\(said)")
        }
    }

    @Test("B8 the process ends when it is idle, and not before")
    func idle() async throws {
        let server = try await MockServer { [content] route in route.get("/a").reply(content.beginning(1000)) }
        var settings = TransferServiceSettings(places: bench.places, transport: try SocketTransport { _ in })
        let clock = TestClock()
        settings.clock = clock
        settings.idleTime = .seconds(60)
        let service = try TransferService(settings)
        let over = Mutex(false)
        let running = Task {
            await service.run()
            over.withLock { $0 = true }
        }
        let session = bench.session()
        let id = try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        await eventually { bench.size(".a.godwit-part") == 1000 }
        clock.advance(by: .seconds(3600))
        #expect(try await session.state(of: id) == .running)
        try await session.cancel(id)
        try await eventually { try await session.state(of: id) == .ended }
        clock.advance(by: .seconds(3600))
        // A program that is there keeps it.
        #expect(try await session.missedEvents().count == 1)
        let isOver = over.withLock { $0 }
        #expect(!isOver)
        session.leave()
        await eventually {
            clock.advance(by: .seconds(61))
            return over.withLock(\.self)
        }
        await running.value
    }

    @Test("B8 an idle process ends, and the next call starts another")
    func restart() async throws {
        let session = bench.session { $0.idleTime = .milliseconds(1) }
        #expect(try await session.jobs().isEmpty)
        let first = bench.daemon
        #expect(first != nil)
        session.leave()
        // A look at the socket would keep it.
        await eventually { DaemonLock(bench.places.lock) != nil }
        #expect(try await session.jobs().isEmpty)
    }
}

/// A clock on which no sleep takes time.
struct Hasty: Clock {
    private let clock = ContinuousClock()

    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        // Not so long as a job's time.
        guard clock.now.duration(to: deadline) > .seconds(3600) else { return }
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}
#endif
