import Godwit
@testable import GodwitFleet
import GodwitTesting
import Testing

@Suite("Shared rate limit", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(2)))
struct SharedRateTests {
    @Test("G5: Two clients of a fleet together send no more than the limit")
    func together() async throws {
        let redis = try await RedisPeer()
        let server = try await MockServer { $0.get("/count").reply(.status(.noContent)) }
        let first = try await Fleet(redis: redis.url)
        let second = try await Fleet(redis: redis.url)
        #expect(await first.beat())
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
}
