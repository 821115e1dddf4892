import GodwitCore
import GodwitTesting
import Testing

@Suite("R4 a day of flapping connectivity", .timeLimit(.minutes(15)))
struct FlappingTests {
    private static let clients = 8
    private static let day = Duration.seconds(86_400)
    private static let backoff = Backoff(base: .seconds(1), cap: .seconds(30))

    private struct Client {
        let server: FlappingServer
        let events = Collected<ServerSentEvent>()
        let pauses = Collected<(pause: Duration, failure: NetworkError?)>()

        func run(_ clock: TestClock, seed: UInt64) async throws {
            let api = articles(server) { $0.clock = clock }
            let source = api.events(.live) { options in
                options.backoff = FlappingTests.backoff
                options.generator = SeededGenerator(seed: seed)
                options.onStateChange = { [pauses] in
                    if case .waiting(let pause, let failure) = $0 { pauses.append((pause, failure)) }
                }
            }
            for try await event in source { events.append(event) }
        }
    }

    @Test("R4 8 clients in 24 hours: no pause above the cap, no two equal, no event lost or repeated")
    func day() async throws {
        let clock = TestClock()
        let clients = (0..<Self.clients).map { Client(server: FlappingServer(clock: clock, seed: UInt64($0))) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, client) in clients.enumerated() {
                group.addTask { try? await client.run(clock, seed: UInt64(1000 + index)) }
            }
            while clock.now.offset < Self.day {
                // All of them always come to wait for something.
                try await clock.waitForSleepers(count: Self.clients)
                clock.advanceToNextSleeper()
            }
            group.cancelAll()
        }
        for client in clients { check(client) }
        checkSpread(of: clients.flatMap(\.server.attempts.values))
    }

    private func check(_ client: Client) {
        let events = client.events.values
        let numbers = events.compactMap { Int($0.lastEventID) }
        #expect(numbers == Array(1...max(1, numbers.count)))
        #expect(events.allSatisfy { $0.data == "event\nnumber \($0.lastEventID)" })
        // What fell due in the last hour may be on its way.
        #expect(numbers.count > 82_800 / 7)
        let pauses = client.pauses.values.map(\.pause)
        #expect(pauses.count > 200)
        let retry = Duration.milliseconds(500)
        #expect(pauses.allSatisfy { $0 <= retry + Self.backoff.cap })
        // Once the server has said so, no pause is shorter.
        #expect(client.pauses.values.drop { $0.failure != nil }.allSatisfy { $0.pause >= retry })
        #expect(pauses.contains { $0 > .seconds(25) } && pauses.contains { $0 < .milliseconds(1500) })
    }

    /// While all are cut off, and when the server is back, attempts come evenly: never two at once, and in no second as
    /// many as if most of the clients went together.
    private func checkSpread(of attempts: [Duration]) {
        // All connect at the very beginning.
        let later = attempts.filter { $0 > .zero }.sorted()
        #expect(Set(later).count == later.count)
        var perSecond: [Int64: Int] = [:]
        for attempt in later where FlappingServer.isDown(at: attempt - .seconds(120)) {
            perSecond[attempt.components.seconds, default: 0] += 1
        }
        #expect(perSecond.count > 23 * 150)
        #expect(perSecond.values.max() ?? .max < Self.clients * 3 / 4)
    }
}
