import Godwit
import GodwitTesting
import Testing

@Suite("X5 running clocks", .timeLimit(.minutes(15)))
struct ClockRunTests {
    private func failing(_ times: Int) -> MockTransport {
        let failures = Array(repeating: MockResponse.status(.serviceUnavailable).field(.retryAfter, "2"), count: times)
        return MockTransport { $0.get("/a").replies(failures + [.text("at last")]) }
    }

    private func client(_ mock: MockTransport, _ clock: any Clock<Duration>) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: mock) { $0.clock = clock }
    }

    @Test("X5 an immediate clock ends each sleep immediately, advances by it, and records it")
    func immediate() async throws {
        let clock = ImmediateClock()
        let text = try await client(failing(2), clock).send(Endpoint<String>.get("a"))
        #expect(text == "at last")
        #expect(clock.sleeps == [.seconds(2), .seconds(2)])
        #expect(clock.now.offset == .seconds(4))
        try await clock.sleep(until: .init(offset: .seconds(1)))
        #expect(clock.now.offset == .seconds(4))
        #expect(clock.sleeps.count == 2)
    }

    @Test("X5 a loop on an immediate clock can be canceled, and the recorded sleeps are bounded")
    func immediateLoop() async throws {
        let clock = ImmediateClock()
        let loop = Task { while true { try await clock.sleep(for: .seconds(1)) } }
        while clock.now.offset < .seconds(10_100) { await Task.yield() }
        loop.cancel()
        await #expect(throws: CancellationError.self) { try await loop.value }
        #expect(clock.sleeps.count == 10_000)
    }

    @Test("X5 nextSleep waits for a sleeper and advances to its deadline")
    func nextSleep() async throws {
        let clock = TestClock()
        let task = Task { try await client(failing(2), clock).send(Endpoint<String>.get("a")) }
        #expect(try await clock.nextSleep() == .seconds(2))
        #expect(try await clock.nextSleep() == .seconds(2))
        #expect(try await task.value == "at last")
    }

    @Test("X5 run advances through all pauses of an operation, and returns its result or error")
    func run() async throws {
        let clock = TestClock()
        let api = client(failing(2), clock)
        let text = try await clock.run { try await api.send(Endpoint<String>.get("a")) }
        #expect(text == "at last")
        #expect(clock.now.offset == .seconds(4))
        await #expect(throws: NetworkError.self) {
            try await clock.run { try await api.send(Endpoint<String>.get("b")) }
        }
        // The clock stands still again.
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        try await clock.waitForSleepers()
        #expect(clock.now.offset == .seconds(4))
        clock.advance(by: .seconds(1))
        try await sleeper.value
    }

    @Test("X5 runUntilIdle wakes tasks until none sleeps, in the order of their deadlines")
    func idle() async throws {
        let clock = TestClock()
        let order = Order()
        let tasks = [3, 1, 2].map { step in
            Task {
                for round in 1...3 {
                    try await clock.sleep(for: .seconds(step))
                    order.add("\(step).\(round)")
                }
            }
        }
        try await clock.waitForSleepers(count: 3)
        #expect(try await clock.runUntilIdle(quiet: .milliseconds(200)) == .seconds(9))
        for task in tasks { try await task.value }
        #expect(order.values.first == "1.1")
        #expect(order.values.last == "3.3")
        #expect(clock.sleeperCount == 0)
        #expect(try await clock.runUntilIdle(quiet: .milliseconds(1)) == .zero)
    }

    @Test("X5 an instant has a date, for what expires by the wall clock")
    func date() {
        let clock = TestClock()
        clock.advance(by: .milliseconds(86_400_500))
        #expect(clock.now.date == Date(timeIntervalSinceReferenceDate: 86_400.5))
    }

    @Test("X5 runUntilIdle gives up on an endless loop and names the sleepers")
    func neverIdle() async throws {
        let clock = TestClock()
        let loop = Task { while true { try await clock.sleep(for: .seconds(1)) } }
        try await clock.waitForSleepers()
        let failure = await #expect(throws: WaitFailure.self) {
            try await clock.runUntilIdle(quiet: .seconds(20), limit: 5)
        }
        #expect(failure?.description.hasPrefix("not idle after 5 deadlines; ") == true)
        loop.cancel()
    }
}

private final class Order: Sendable {
    private let state = Watched<[String]>([])
    var values: [String] { state.value }
    func add(_ value: String) { state.update { $0.append(value) } }
}
