import Godwit
import GodwitBackground
import GodwitTesting
import Testing

@Suite("BackgroundSession on the system's transfers: background wakes", .timeLimit(.minutes(15)))
struct SystemWakeTests {
    private let bench = SystemBench()

    @Test("B8 a second wake of a process ends when its own events are delivered")
    func secondWake() async throws {
        let (clock, system) = (TestClock(), FakeSystem())
        let transfers = try bench.run(system) { $0.clock = clock }
        await transfers.begin()
        let told = Watched<[Int]>([])
        for wake in 1...3 {
            transfers.whenDelivered(.standard) { told.update { $0.append(wake) } }
            #expect(told.value == Array(1..<wake))
            system.listener?.delivered(.standard)
            #expect(told.value == Array(1...wake))
        }
        #expect(clock.sleeperCount == 0)
    }

    @Test("B8 an early delivery ends the wake after a grace period, and only that wake")
    func deliveredEarly() async throws {
        let (clock, system) = (TestClock(), FakeSystem())
        let transfers = try bench.run(system) { $0.clock = clock }
        await transfers.begin()
        let told = Watched<[String]>([])
        system.listener?.delivered(.standard)
        transfers.whenDelivered(.standard) { told.update { $0.append("first") } }
        try await clock.waitForSleepers(count: 1)
        #expect(told.value == [])
        clock.advance(by: .seconds(3))
        try await told.wait { $0 == ["first"] }
        transfers.whenDelivered(.standard) { told.update { $0.append("second") } }
        #expect(told.value == ["first"])
        system.listener?.delivered(.standard)
        #expect(told.value == ["first", "second"])
    }

    @Test("B8 the grace period of one wake does not end the next")
    func graceOfAnEarlierWake() throws {
        var wakes = SystemWakes()
        wakes.deliver(.standard)
        let first = try #require(wakes.wait(.standard) {})
        wakes.deliver(.standard)
        var counts = [wakes.takeDelivered().count]
        let second = wakes.wait(.standard) {}
        #expect(second == nil)
        wakes.expire(first)
        counts.append(wakes.takeDelivered().count)
        wakes.deliver(.standard)
        counts += [wakes.takeDelivered().count, wakes.takeDelivered().count]
        #expect(counts == [1, 0, 1, 0])
    }

    @Test("B8 every completion of a lane is called, and no other")
    func completions() async throws {
        let system = FakeSystem()
        let transfers = try bench.run(system)
        await transfers.begin()
        let told = Watched<[String]>([])
        transfers.whenDelivered(.standard) { told.update { $0.append("a") } }
        transfers.whenDelivered(.standard) { told.update { $0.append("b") } }
        transfers.whenDelivered(.discretionary) { told.update { $0.append("c") } }
        system.listener?.delivered(.standard)
        #expect(told.value == ["a", "b"])
        system.listener?.delivered(.discretionary)
        #expect(told.value == ["a", "b", "c"])
    }

    @Test("B8 an upload whose file is gone fails, and is not handed to the system")
    func unreadableUpload() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        let file = try bench.write("sent", to: "b")
        let id = try await session.upload(bench.request("https://example.com/a", .put), fromFile: file)
        let label = try #require(system.orders.first?.label)
        try FileManager.default.removeItem(at: file)
        // The network failed it: it would be started again, with a file that URLSession refuses by an exception.
        system.listener?.failed(label, .transport(.connectionLost("")), resumeData: nil)
        let event = try #require(try await session.nextEvent())
        #expect(event.job == id)
        guard case .failed(let failure) = event.outcome else { return #expect(Bool(false), "\(event)") }
        #expect(failure.label == "file")
        #expect(system.orders.count == 1)
    }

    @Test("B8 unreadable resume data is discarded, and the download starts again")
    func unreadableResumeData() async throws {
        let system = FakeSystem()
        let session = bench.session(try bench.run(system))
        try await session.download(bench.request(), to: bench.path("a"))
        system.listener?.failed(
            try #require(system.orders.last?.label), .transport(.connectionLost("")), resumeData: Data("x".utf8))
        system.listener?.failed(
            try #require(system.orders.last?.label), .invalidURL(reason: "unsupported URL"), resumeData: nil)
        #expect(system.orders.count == 3)
        #expect(system.orders.last?.resumeData == nil)
        system.listener?.failed(
            try #require(system.orders.last?.label), .invalidURL(reason: "unsupported URL"), resumeData: nil)
        guard case .failed = try await session.nextEvent()?.outcome else { return #expect(Bool(false), "no failure") }
    }

    @Test("B8 an identifier with the reserved suffix is rejected")
    func reservedIdentifier() async throws {
        let transfers = try bench.run(FakeSystem())
        let name = "com.example.sync.discretionary"
        let session = BackgroundSession(identifier: name, link: SystemLink(name) { transfers })
        let error = await #expect(throws: NetworkError.self) { try await session.jobs() }
        guard case .invalidRequest = error?.kind else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test("B8 the app is woken for ended jobs by default, as with URLSession")
    func launchEvents() {
        #expect(BackgroundConfiguration().sessionSendsLaunchEvents)
        #expect(BackgroundConfiguration().relaunch.isEmpty)
    }
}
