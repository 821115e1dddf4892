import Godwit
import GodwitTesting
import GodwitUI
import Synchronization
import Testing

@Suite("V2 live feed of events", .timeLimit(.minutes(15)))
@MainActor
struct LiveFeedTests {
    struct Price: Codable, Sendable, Equatable {
        let value: Int
    }

    private static let live = Endpoint<Void>.get("live")
    private let clock = TestClock()

    /// Sends the events with these numbers behind the last one, then waits for ever.
    private func api(_ count: Int, data: @escaping @Sendable (Int) -> String = { "\($0)" }) -> (
        APIClient, MockTransport
    ) {
        let mock = MockTransport { routes in
            routes.get("/live").reply { request in
                let last = request.lastEventID.flatMap { Int($0) } ?? 0
                return .events { number in
                    if number >= count { try await Task.sleep(for: .seconds(600)) }
                    return ServerSentEvent(data: data(last + number + 1), id: "\(last + number + 1)")
                }
            }
        }
        return (APIClient(baseURL: "https://api.example.com", transport: mock) { [clock] in $0.clock = clock }, mock)
    }

    @Test("V2 a feed keeps the latest events, up to its limit")
    func bounded() async throws {
        let (api, _) = api(10)
        let feed = LiveFeed(api, Self.live, limit: 3)
        #expect("\(feed.state)" == "idle")
        let task = Task { await feed.run() }
        await until { feed.elements.last?.data == "10" }
        #expect(feed.elements.map(\.data) == ["8", "9", "10"])
        await until { feed.isOpen }
        task.cancel()
        await task.value
        #expect("\(feed.state)" == "idle")
        #expect(feed.elements.count == 3)
        feed.clear()
        #expect(feed.elements.isEmpty)
    }

    @Test("V2 a screen that goes closes the connection; one that comes back resumes after the last event")
    func comesBack() async throws {
        let (api, mock) = api(2)
        let feed = LiveFeed(api, Self.live)
        for round in 1...2 {
            let task = Task { await feed.run() }
            await until { feed.elements.count == round * 2 }
            task.cancel()
            await task.value
            try await mock.waitUntilExchangesEnd()
        }
        #expect(feed.elements.map(\.data) == ["1", "2", "3", "4"])
        #expect(mock.requests.map(\.lastEventID) == [nil, "2"])
    }

    /// A value that reports when it is decoded, before the feed takes it.
    private struct Reported: Decodable, Sendable {
        static let decoded = Mutex<@Sendable (Int) -> Void>({ _ in })
        let value: Int

        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Int.self)
            Self.decoded.withLock { $0 }(value)
        }
    }

    @Test("V2 an event that was read but not taken when the screen left is sent again")
    func notTaken() async throws {
        let (api, mock) = api(3)
        let feed = LiveFeed(api, Self.live, as: Reported.self)
        // Stops the feed while the second event is on its way to the main actor.
        Reported.decoded.withLock {
            $0 = { value in
                if value == 2 { Task { @MainActor in feed.stop() } }
            }
        }
        await feed.run()
        #expect(feed.elements.map(\.value) == [1])
        Reported.decoded.withLock { $0 = { _ in } }
        let task = Task { await feed.run() }
        await until { feed.elements.count == 4 }
        task.cancel()
        await task.value
        #expect(feed.elements.map(\.value) == [1, 2, 3, 4] && mock.requests.map(\.lastEventID) == [nil, "1"])
    }

    @Test("V2 two tasks that run a feed share one connection; the last one closes it")
    func shared() async throws {
        let (api, mock) = api(1)
        let feed = LiveFeed(api, Self.live)
        let tasks = (0..<2).map { _ in Task { await feed.run() } }
        await until { feed.elements.count == 1 }
        tasks[0].cancel()
        await tasks[0].value
        #expect(mock.openExchangeCount == 1)
        tasks[1].cancel()
        await tasks[1].value
        try await mock.waitUntilExchangesEnd()
        #expect(mock.requestCount == 1)
    }

    @Test("V2 a connection that breaks shows in the state, and is made again")
    func reconnects() async throws {
        let mock = MockTransport {
            $0.get("/live").replies([
                MockResponse.events(["1"]).dropped(after: .events(1)), .events(["2"]), .status(.noContent),
            ])
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { [clock] in $0.clock = clock }
        let feed = LiveFeed(api, Self.live)
        let task = Task { await feed.run() }
        for _ in 0..<2 {
            try await clock.waitForSleepers()
            await until {
                if case .waiting = feed.state { true } else { false }
            }
            clock.advanceToNextSleeper()
        }
        await task.value
        #expect(feed.elements.map(\.data) == ["1", "2"])
        guard case .ended(nil) = feed.state else {
            Issue.record("it is \(feed.state)")
            return
        }
    }

    @Test("V2 values are decoded, up to the marker; stop closes the connection")
    func decoded() async throws {
        let (api, mock) = api(3) { $0 == 3 ? "[DONE]" : "{\"value\":\($0)}" }
        let feed = LiveFeed(api, Self.live, as: Price.self, until: "[DONE]")
        await feed.run()
        #expect(feed.elements == [Price(value: 1), Price(value: 2)])
        guard case .ended(nil) = feed.state else {
            Issue.record("it is \(feed.state)")
            return
        }
        let again = Task { await feed.run() }
        try await mock.waitForRequests(count: 2)
        feed.stop()
        await again.value
        #expect("\(feed.state)" == "idle")
        try await mock.waitUntilExchangesEnd()
    }

    @Test("V2 an invalid value, and a status that is refused, end the feed with the reason")
    func fails() async throws {
        let (api, _) = api(1) { _ in "nonsense" }
        let feed = LiveFeed(api, Self.live, as: Price.self)
        await feed.run()
        guard case .ended(let error?) = feed.state, case .decoding = error.kind else {
            Issue.record("it is \(feed.state)")
            return
        }
        let refusing = MockTransport { $0.get("/live").reply(.status(403)) }
        let refused = LiveFeed(APIClient(baseURL: "https://api.example.com", transport: refusing), Self.live)
        await refused.run()
        guard case .ended(let error?) = refused.state else {
            Issue.record("it is \(refused.state)")
            return
        }
        #expect(error.kind == .forbidden)
    }
}
