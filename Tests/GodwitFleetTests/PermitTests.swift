import Godwit
@testable import GodwitFleet
import GodwitTesting
import Synchronization
import Testing

@Suite("Shared permits", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(15)))
struct PermitTests {
    @Test("G5 No more permits are held in all processes than the limit, and all tasks get one")
    func limit() async throws {
        let redis = try await RedisPeer()
        var fleets: [Fleet] = []
        for _ in 0..<2 { fleets.append(try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }) }
        let permits = fleets.map { $0.permits("export", limit: 3) }
        let log = HeldLog()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<30 {
                group.addTask {
                    try await permits[index % 2].withPermit { permit in
                        log.begin(permit)
                        for _ in 0..<20 { await Task.yield() }
                        log.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        let (most, numbers) = log.result
        #expect(most <= 3)
        #expect(numbers.count == 30 && Set(numbers).count == 30 && numbers.allSatisfy { $0 > 0 })
    }

    /// How many permits were held at once, and their numbers.
    private final class HeldLog: Sendable {
        private let state = Mutex((held: 0, most: 0, numbers: [Int64]()))

        var result: (most: Int, numbers: [Int64]) { state.withLock { ($0.most, $0.numbers) } }

        func begin(_ permit: FleetPermit) {
            state.withLock { state in
                state.held += 1
                state.most = max(state.most, state.held)
                state.numbers.append(permit.fencingToken ?? -1)
            }
        }

        func end() { state.withLock { $0.held -= 1 } }
    }

    @Test("G5 The permit of a process that died is free after its lease")
    func deadHolder() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        let permits = fleet.permits("export", limit: 1, lease: .milliseconds(300))
        // A holder that never renews.
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        try redis.run("ZADD", "{godwit}:permits:export", "\(now + 400)", "dead")
        let start = ContinuousClock.now
        try await permits.withPermit { #expect($0.fencingToken != nil) }
        #expect(ContinuousClock.now - start >= .milliseconds(200))
    }

    @Test("G5 A held permit is renewed for longer than its lease")
    func renewal() async throws {
        let redis = try await RedisPeer()
        var fleets: [Fleet] = []
        for _ in 0..<2 { fleets.append(try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }) }
        let first = fleets[0].permits("export", limit: 1, lease: .seconds(2))
        let second = fleets[1].permits("export", limit: 1, lease: .seconds(2))
        let held = try await first.acquire()
        let other = Task { try await second.acquire() }
        // Two leases and a half pass on the server's clock.
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(5) { try await Task.sleep(for: .milliseconds(50)) }
        #expect(try redis.run("ZCARD", "{godwit}:permits:export") == ":1\r\n")
        first.release(held)
        let permit = try await other.value
        #expect(try #require(permit.fencingToken) > (try #require(held.fencingToken)))
        second.release(permit)
    }

    @Test("G5 A canceled task leaves the queue of permits")
    func cancellation() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        let permits = fleet.permits("export", limit: 1)
        let held = try await permits.acquire()
        let waiting = Task { () async throws(NetworkError) in try await permits.acquire() }
        waiting.cancel()
        let error = await #expect(throws: NetworkError.self) { try await waiting.value }
        #expect(error?.kind == .cancelled)
        permits.release(held)
        permits.release(try await permits.acquire())
    }

    @Test("G5 One command takes permits for all tasks that wait, in their order")
    func batch() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        let keys = [fleet.key("permits", "a"), fleet.key("fence", "permits", "a")]
        let reply = try await fleet.run(.takePermits, keys, ["3", "10000", "a", "b", "c", "d"]).get()
        let numbers = reply.array?.compactMap(\.integer) ?? []
        try #require(numbers.count == 4)
        #expect(numbers[2] == numbers[1] + 1 && numbers[3] == numbers[1] + 2)
        #expect(try await fleet.run(.takePermits, keys, ["3", "10000", "d"]).get().array?.count == 1)

        var queue = FleetPermitQueue()
        let waiting = (0..<3).map { _ in queue.add() }
        #expect(waiting.map(\.mustAsk) == [true, false, false])
        #expect(queue.begin(maximum: 64) == 3)
        let permits = (1...4).map { FleetPermit(id: "\($0)", fencingToken: Int64($0)) }
        let handed = queue.hand(permits)
        #expect(handed.resumptions.map(\.permit) == Array(permits.prefix(3)))
        #expect(handed.unused == [permits[3]])
        #expect(queue.begin(maximum: 64) == 0)
        #expect(queue.takeLocally(["a", "b"], share: 5).map(\.id) == ["a"])
    }

    @Test("G5 Names of permits can't collide with what Redis keeps for other permits")
    func names() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        for name in ["a", "a:fence", "fence", "fence:permits:a"] {
            let permits = fleet.permits(name, limit: 1)
            let permit = try await permits.acquire()
            #expect(permit.fencingToken != nil, "\(name)")
            permits.release(permit)
        }
    }

    @Test("G5 A server's clock that is set back by half an hour doesn't keep permits for as long")
    func clockSetBack() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        let permits = fleet.permits("export", limit: 1, lease: .milliseconds(300))
        let later = Int64((Date().timeIntervalSince1970 + 1800) * 1000)
        try redis.run("ZADD", "{godwit}:permits:export", "\(later)", "dead")
        permits.release(try await permits.acquire())
    }
}
