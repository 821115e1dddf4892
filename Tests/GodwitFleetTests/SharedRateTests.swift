import Godwit
@testable import GodwitFleet
import GodwitTesting
import Synchronization
import Testing

@Suite("Shared rate limit", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(15)))
struct SharedRateTests {
    @Test("G5 Two clients of a fleet together send no more than the limit")
    func together() async throws {
        let redis = try await RedisPeer()
        let server = try await MockServer { $0.get("/count").reply(.status(.noContent)) }
        let first = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        let second = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        #expect(await first.sendHeartbeat())
        #expect(first.state == .shared(members: 2))
        let clients = [first, second].map { fleet in
            APIClient(baseURL: server.url) { $0.rateLimit = .shared(.perSecond(100), in: fleet) }
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<60 { group.addTask { try await clients[index % 2].send(Endpoint<Void>.get("count")) } }
            try await group.waitForAll()
        }
        let time = ContinuousClock.now - start
        // 60 calls need 59 intervals.
        #expect(time >= .milliseconds(580))
        #expect(server.requests.count == 60)
    }

    @Test("G5 What one process learns from the server stops the calls of the others")
    func learned() async throws {
        let redis = try await RedisPeer()
        let server = try await MockServer {
            $0.get("/count").reply { _ in .status(.tooManyRequests).field("Retry-After", "30") }
        }
        var clients: [APIClient] = []
        for _ in 0..<2 {
            let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
            clients.append(
                APIClient(baseURL: server.url) {
                    $0.rateLimit = .shared(.learned, in: fleet)
                    $0.retry.maximumAttempts = 1
                })
        }
        try? await clients[0].send(Endpoint<Void>.get("count"))
        // What was learned is written after the call: a time in µs.
        let key = "{godwit}:rate::\(server.url.origin)"
        while try !redis.run("HGET", key, "block").hasPrefix("$16\r\n") { try await Task.sleep(for: .milliseconds(10)) }
        let waiting = Task { try await clients[1].send(Endpoint<Void>.get("count")) }
        try await Task.sleep(for: .milliseconds(200))
        waiting.cancel()
        let error = await #expect(throws: NetworkError.self) { try await waiting.value }
        #expect(error?.kind == .cancelled)
        #expect(server.requests.count == 1)
    }

    @Test("G5 A canceled call leaves the queue, and its turn goes to the next; the others stay in their order")
    func cancellation() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        let limiter = SharedRateLimiter(.perSecond(5), fleet, name: "")
        let origin = try HTTPURL("https://api.example.com").origin
        let order = Order()
        var tasks: [Task<Void, any Error>] = []
        for index in 0..<5 {
            tasks.append(
                Task {
                    try await limiter.admit(origin, longestWait: .seconds(20))
                    limiter.end(origin, nil)
                    order.add(index)
                })
            // So that they wait in this order.
            try await Task.sleep(for: .milliseconds(10))
        }
        tasks[2].cancel()
        for index in [0, 1, 3, 4] { try await tasks[index].value }
        #expect(order.all == [0, 1, 3, 4])
        let error = await #expect(throws: NetworkError.self) { try await tasks[2].value }
        #expect(error?.kind == .cancelled)
    }

    private final class Order: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock(\.self) }

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }
}
