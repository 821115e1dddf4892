import Godwit
import GodwitBackground
import GodwitTesting
import TestSupport
import Testing

@Suite("BackgroundSession on the system's transfers: from one run of the program to the next", .timeLimit(.minutes(15)))
struct SystemRelaunchTests {
    private let bench = SystemBench()

    @Test("B8 events are kept for the next run of the program, and their numbers grow")
    func relaunch() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let id = try await session.upload(
            bench.request("https://example.com/a", .put), fromFile: bench.write("1", to: "b"))
        let other = try await session.upload(
            bench.request("https://example.com/b", .put), fromFile: bench.path("b"))
        let labels = system.orders.map(\.label)
        system.listener?.answered(labels[0], .status(200), Data())
        let first = try #require(try await session.nextEvent())

        let later = FakeSystem([labels[1]])
        let again = bench.session(try bench.run(later))
        #expect(try await again.missedEvents() == [first])
        #expect(try await again.jobs().map(\.id) == [id, other])
        try await again.acknowledge(first)
        later.listener?.answered(labels[1], .status(200), Data())
        let second = try #require(try await again.nextEvent())
        #expect(second.job == other)
        #expect(second.id > first.id)
        try await again.acknowledge(second)

        let last = FakeSystem()
        let third = bench.session(try bench.run(last))
        #expect(try await third.jobs().isEmpty)
        try await third.upload(bench.request("https://example.com/c", .put), fromFile: bench.path("b"))
        last.listener?.answered(try #require(last.orders.first?.label), .status(200), Data())
        let newest = try #require(try await third.nextEvent())
        #expect(newest.id > second.id)
    }

    @Test("B8 a lost task starts again, except an upload that may have arrived")
    func lost() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let download = try await session.download(bench.request(), to: bench.path("a"))
        let upload = try await session.upload(
            bench.request("https://example.com/b", .post), fromFile: bench.write("1", to: "b"))
        let stays = try await session.download(bench.request("https://example.com/c"), to: bench.path("c"))
        let labels = system.orders.map(\.label)

        let (clock, later) = (TestClock(), FakeSystem([labels[2]]))
        let again = bench.session(try bench.run(later) { $0.clock = clock })
        #expect(try await again.jobs().map(\.state) == [.queued, .queued, .queued])
        #expect(later.orders.isEmpty)
        // The limit of the job that the system has, and the time in which it may tell of the others.
        try await clock.waitForSleepers(count: 3)
        clock.advance(by: .seconds(10))
        await eventually { !later.orders.isEmpty }
        #expect(later.orders.map(\.label.job) == [download])
        #expect(try await again.nextEvent()?.job == upload)
        #expect(try await again.missedEvents().map(\.outcome) == [.failed(.interrupted)])
        #expect(try await again.state(of: stays) == .queued)
    }

    @Test("B8 late reports of the system still count")
    func toldLate() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        try await session.download(bench.request(), to: bench.path("a"))
        let label = try #require(system.orders.first?.label)
        let (clock, later) = (TestClock(), FakeSystem())
        let again = bench.session(try bench.run(later) { $0.clock = clock })
        _ = try await again.jobs()
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        await eventually { !later.orders.isEmpty }
        later.listener?.received(try bench.write("x", to: "tmp"), label, .status(200))
        #expect(try await again.nextEvent()?.outcome == .downloaded(bench.path("a")))
        await eventually { later.cancelled == later.orders.map(\.label) }
    }

    @Test("B8 received content is moved by the next run of the program")
    func arrived() async throws {
        let session = bench.session(try bench.run(FakeSystem()))
        let id = try await session.download(bench.request(), to: bench.path("a"))
        let file = bench.store.appending(path: "\(id.uuidString).job")
        let text = try #require(bench.written.first).replacing(
            #""phase":"pending""#, with: #""phase":"arrived","arrival":{}"#)
        try Data(text.utf8).write(to: file)
        _ = try bench.write("content", to: ".a.godwit-part")
        let again = bench.session(try bench.run(FakeSystem()))
        #expect(try await again.nextEvent()?.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == Data("content".utf8))
    }

    @Test("B8 tasks of ended jobs are canceled, and foreign tasks ignored")
    func strays() async throws {
        let stray = SystemTaskLabel(job: BackgroundJob.ID(), attempt: 1)
        let system = FakeSystem([stray])
        _ = try await bench.session(try bench.run(system)).jobs()
        #expect(system.cancelled == [stray])
        #expect(SystemTaskLabel(stray.text) == stray)
        let later = stray.text.replacing(#""version":1"#, with: #""version":2"#)
        for text in [nil, "", "mine", "{}", later] { #expect(SystemTaskLabel(text) == nil) }
    }

    @Test("B8 files are found after the system moved the user's folder")
    func movedHome() async throws {
        let homes = ["old", "new"].map(bench.path)
        for home in homes {
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
        }
        let system = FakeSystem()
        let session = bench.session(try bench.run(system) { $0.home = homes[0].path })
        try await session.download(bench.request("https://example.com/1"), to: homes[0].appending(path: "1"))
        try await session.download(bench.request("https://example.com/2"), to: homes[0].appending(path: "2"))
        try await session.download(bench.request("https://example.com/3"), to: bench.path("3"))
        let labels = system.orders.map(\.label)
        system.listener?.received(try bench.write("x", to: "tmp"), labels[0], .status(200))
        _ = try await session.nextEvent()

        let later = FakeSystem(Array(labels.dropFirst()))
        let again = bench.session(try bench.run(later) { $0.home = homes[1].path })
        let jobs = try await again.jobs()
        for label in labels.dropFirst() {
            later.listener?.received(try bench.write("x", to: "tmp"), label, .status(200))
        }
        await eventually { (try? await again.missedEvents().count) == 3 }
        #expect(jobs.map(\.path) == [homes[1].path + "/1", homes[1].path + "/2", bench.path("3").path])
        let files = Set(
            try await again.missedEvents().compactMap { event in
                if case .downloaded(let file) = event.outcome { file.path } else { nil }
            })
        #expect(files == Set(jobs.map(\.path)))
        #expect(bench.data("new/2") == Data("x".utf8))
    }

    @Test("B8 jobs are in files for this user only, and files of later versions are left unchanged")
    func files() async throws {
        let session = bench.session(try bench.run(FakeSystem()))
        let id = try await session.download(bench.request(), to: bench.path("a"))
        let file = bench.store.appending(path: "\(id.uuidString).job")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let later = try #require(bench.written.first).replacing(#""version":1"#, with: #""version":2"#)
        try Data(later.utf8).write(to: file)
        #expect(try await bench.session(try bench.run(FakeSystem())).jobs().isEmpty)
        #expect(bench.written == [later])
    }

    @Test("B8 two runs of the program that overlap never use a number twice")
    func overlapping() async throws {
        struct Kept: Decodable {
            struct Job: Decodable { let number: Int64 }
            let job: Job
        }
        let sessions = try (0..<2).map { _ in bench.session(try bench.run(FakeSystem())) }
        for session in sessions + sessions { _ = try await session.download(bench.request(), to: bench.path("a")) }
        let numbers = try bench.written.map { try JSONDecoder().decode(Kept.self, from: Data($0.utf8)).job.number }
        #expect(numbers.count == 4 && Set(numbers).count == 4)
    }

    @Test(
        "B8 with random events of jobs, tasks and the program, each job ends once",
        arguments: 1...25 as ClosedRange<UInt64>)
    func lives(seed: UInt64) async throws {
        let system = LivelySystem(seed: seed, folder: bench.folder)
        var run = try Run(on: system, bench)
        var jobs: [BackgroundJob.ID] = []
        for number in 0..<6 {
            let request = try bench.request("https://example.com/\(number)", number == 5 ? .post : .put)
            let file = try bench.write("sent", to: "sent")
            jobs.append(
                number < 4
                    ? try await run.session.download(
                        bench.request("https://example.com/\(number)"), to: bench.path("\(number)"))
                    : try await run.session.upload(request, fromFile: file))
        }
        for _ in 0..<40 {
            let job = jobs[system.roll(jobs.count)]
            switch system.roll(8) {
            case 0: try await run.session.pause(job)
            case 1, 2: try await run.session.resume(job)
            case 3 where system.roll(6) == 0: try await run.session.cancel(job)
            case 4: if let task = system.takeTask() { system.fail(task) }
            case 5 where system.roll(3) == 0: if let task = system.takeTask() { try system.succeed(task) }
            case 6:
                // One task ends while the program is away, and another is never told of.
                let (told, _) = (system.takeTask(), system.roll(2) == 0 ? system.takeTask() : nil)
                await run.rest(system)
                run = try Run(on: system, bench)
                _ = try await run.session.jobs()
                if let told { try system.succeed(told) }
            default: break
            }
        }
        try await end(jobs, on: system, run)
    }

    /// One run of the program.
    private struct Run {
        let clock = TestClock()
        let transfers: SystemTransfers
        let session: BackgroundSession

        init(on system: LivelySystem, _ bench: SystemBench) throws {
            var rules = SystemRules()
            rules.backoff = Backoff(base: .zero)
            rules.clock = clock
            transfers = try SystemTransfers(folder: bench.store, tasks: system, rules: rules)
            session = bench.session(transfers)
        }

        /// Waits for the files on their way: in this process the next run would not be alone with them.
        func rest(_ system: LivelySystem) async {
            await withCheckedContinuation { waiter in
                transfers.whenDelivered(.standard) { waiter.resume() }
                system.tellDelivered()
            }
        }
    }

    /// Has every task succeed, and looks at what became of the jobs.
    private func end(_ jobs: [BackgroundJob.ID], on system: LivelySystem, _ run: Run) async throws {
        let session = run.session
        for job in jobs { try await session.resume(job) }
        try await eventually {
            run.clock.advance(by: .seconds(10))
            if let task = system.takeTask() { try system.succeed(task) }
            return try await session.jobs().allSatisfy { $0.state == .ended }
        }
        let events = try await session.missedEvents()
        #expect(Set(events.map(\.job)) == Set(jobs) && events.count == jobs.count)
        #expect(events.map(\.id) == Set(events.map(\.id)).sorted())
        for event in events {
            switch event.outcome {
            case .downloaded(let file): #expect(try Data(contentsOf: file) == Data(event.job.uuidString.utf8))
            case .uploaded(let status, _): #expect(status == 200)
            case .failed(let failure):
                #expect(["cancelled", "not_found", "server", "interrupted"].contains(failure.label))
            }
            try await session.acknowledge(event)
        }
        #expect(bench.written.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
        #expect(names.allSatisfy { $0 == "sent" || $0 == "store" || Int($0) != nil })
    }
}
