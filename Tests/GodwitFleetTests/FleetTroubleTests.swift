import Godwit
@testable import GodwitFleet
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Trouble with Redis", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(15)))
struct FleetTroubleTests {
    private let diagnostics = Diagnostics()

    private func fleet(_ url: String, members: Int = 1, timeout: Duration = .seconds(10)) async throws -> Fleet {
        try await Fleet(redis: url) {
            $0.diagnostics = diagnostics
            $0.commandTimeout = timeout
            $0.expectedMembers = members
        }
    }

    private func limiter(_ rate: Double, _ fleet: Fleet) throws -> any RateLimiter {
        guard case .custom(let limiter) = RateRule.shared(.perSecond(rate), in: fleet) else {
            throw CancellationError()
        }
        return limiter
    }

    /// Admits a call; returns how long that took.
    private func admit(_ limiter: any RateLimiter) async throws -> Duration {
        let origin = try HTTPURL("https://api.example.com").origin
        let start = ContinuousClock.now
        try await limiter.admit(origin, longestWait: .seconds(10))
        limiter.end(origin, nil)
        return ContinuousClock.now - start
    }

    private func isShared(_ fleet: Fleet) -> Bool { if case .shared = fleet.state { true } else { false } }

    @Test("G5 Without Redis from the start, a process uses its share, and says so")
    func gone() async throws {
        let fleet = try await fleet("redis://127.0.0.1:1", members: 4)
        guard case .local(4, let reason) = fleet.state else { return #expect(Bool(false), "\(fleet.state)") }
        #expect(reason.problem == .unavailable)
        #expect(diagnostics.recent.map(\.store) == [.fleet])
        let limiter = try limiter(100, fleet)
        // A quarter of 100 in a second. What passes between the calls counts too, so a busy machine only takes longer.
        let start = ContinuousClock.now
        for _ in 0..<6 { _ = try await admit(limiter) }
        #expect(ContinuousClock.now - start >= .milliseconds(190))
    }

    @Test("G5 A wait that is too long says that limits aren't shared")
    func refusal() async throws {
        let fleet = try await fleet("redis://127.0.0.1:1", members: 2)
        let limiter = try limiter(0.01, fleet)
        let origin = try HTTPURL("https://api.example.com").origin
        let error = await #expect(throws: NetworkError.self) {
            try await limiter.admit(origin, longestWait: .seconds(1))
        }
        guard case .rateLimited = error?.kind else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(error?.underlying is FleetUnavailable)
    }

    @Test("G5 A Redis that stops answering holds up one call, not those after it, and is used again later")
    func slow() async throws {
        let redis = try await RedisPeer()
        let fleet = try await fleet(redis.url, timeout: .milliseconds(150))
        let limiter = try limiter(1000, fleet)
        _ = try await admit(limiter)
        redis.pause(true)
        // It is admitted while Redis is paused, and so are the others.
        _ = try await admit(limiter)
        #expect(!isShared(fleet))
        for _ in 0..<20 { _ = try await admit(limiter) }
        #expect(diagnostics.recent.contains { $0.problem == .slow })
        redis.pause(false)
        await eventually { isShared(fleet) }
    }

    @Test("G5 A partition that drops packets doesn't stop the calls, and a new connection is made")
    func partition() async throws {
        let redis = try await RedisPeer()
        let relay = try Relay(to: redis.port)
        let fleet = try await fleet("redis://127.0.0.1:\(relay.listeningPort)", timeout: .milliseconds(150))
        let limiter = try limiter(1000, fleet)
        _ = try await admit(limiter)
        relay.silence()
        _ = try await admit(limiter)
        // New connections of the relay work.
        await eventually { isShared(fleet) }
        _ = try await admit(limiter)
    }

    @Test("G5 A Redis whose memory is full is reported, and used again when there is room")
    func full() async throws {
        let redis = try await RedisPeer()
        let fleet = try await fleet(redis.url)
        let limiter = try limiter(1000, fleet)
        try redis.run("CONFIG", "SET", "maxmemory-policy", "noeviction")
        try redis.run("CONFIG", "SET", "maxmemory", "1")
        _ = try await admit(limiter)
        #expect(diagnostics.recent.map(\.problem) == [.memoryFull])
        #expect(!isShared(fleet))
        try redis.run("CONFIG", "SET", "maxmemory", "0")
        await eventually { isShared(fleet) }
    }

    @Test("G5 A Redis that restarts without its data is noticed and used")
    func restart() async throws {
        let port = RedisPeer.freePort()
        var redis: RedisPeer? = try await RedisPeer(port: port)
        let fleet = try await fleet("redis://127.0.0.1:\(port)")
        let limiter = try limiter(1000, fleet)
        _ = try await admit(limiter)
        redis = nil
        _ = try await admit(limiter)
        #expect(!isShared(fleet))
        redis = try await RedisPeer(port: port)
        await eventually { isShared(fleet) }
        #expect(diagnostics.recent.contains { $0.problem == .emptied })
        _ = try await admit(limiter)
        #expect(redis != nil)
    }

    @Test("G5 A server's clock that is set back by less than an hour doesn't stop the calls for as long")
    func clock() async throws {
        let redis = try await RedisPeer()
        let fleet = try await fleet(redis.url)
        let limiter = try limiter(1000, fleet)
        // The last write was half an hour later than now, as were its times; the server's pause has ended by then.
        let at = Int64((Date().timeIntervalSince1970 + 1800) * 1e6)
        let key = "{godwit}:rate::https://api.example.com"
        try redis.run("HSET", key, "at", "\(at)", "due", "\(at + 1000)", "block", "\(at - 1000)", "stop", "\(at)")
        _ = try await admit(limiter)
        #expect(isShared(fleet))
    }

    @Test("G5 An error of one part leaves the others shared, and names the part and the error")
    func onePart() async throws {
        let redis = try await RedisPeer()
        let fleet = try await fleet(redis.url)
        try redis.run("SET", "{godwit}:permits:broken", "text")
        for _ in 0..<2 {
            let permits = fleet.permits("broken", limit: 2)
            let permit = try await permits.acquire()
            #expect(permit.fencingToken == nil)
            permits.release(permit)
        }
        #expect(isShared(fleet))
        #expect(diagnostics.recent.count == 1)
        let detail = try #require(diagnostics.recent.first?.detail)
        #expect(detail.hasPrefix("permits: Redis answers with an error (WRONGTYPE"), "\(detail)")
        let others = fleet.permits("whole", limit: 2)
        let permit = try await others.acquire()
        #expect(permit.fencingToken != nil)
        others.release(permit)
    }

    @Test("G5 A process that stopped without a goodbye keeps its share, until another one replaces it")
    func lost() async throws {
        let redis = try await RedisPeer()
        let fleet = try await fleet(redis.url)
        let other = try await self.fleet(redis.url)
        #expect(await fleet.sendHeartbeat())
        #expect(fleet.state == .shared(members: 2) && fleet.absentMembers == 0)
        await other.close()
        #expect(!isShared(other))
        #expect(await fleet.sendHeartbeat())
        #expect(fleet.state == .shared(members: 1) && fleet.absentMembers == 0)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        // These have joined before it was lost.
        try redis.run("DEL", "{godwit}:joined")
        try redis.run("ZADD", "{godwit}:members", "\(now - 1000)", "lost")
        #expect(await fleet.sendHeartbeat())
        #expect(fleet.state == .shared(members: 1) && fleet.absentMembers == 1)
        // Its share is left to it: 20 in a second become 10.
        let limiter = try limiter(20, fleet)
        let key = "{godwit}:rate::https://api.example.com"
        // A process that misses its time by 30 ms, as on a busy machine, reserves another.
        for _ in 0..<50 {
            try redis.run("DEL", key)
            if try await admit(limiter) < .milliseconds(30) { break }
        }
        func number(_ field: String) throws -> Double? {
            try redis.run("HGET", key, field).split(separator: "\r\n").last.flatMap { Double($0) }
        }
        let (due, at) = (try #require(try number("due")), try #require(try number("at")))
        #expect(due - at == 100_000)
        let replacement = try await self.fleet(redis.url)
        #expect(await fleet.sendHeartbeat())
        #expect(fleet.state == .shared(members: 2) && fleet.absentMembers == 0)
        #expect(isShared(replacement))
    }

    @Test("G5 A permit that Redis gave in a late reply is released, and doesn't stay taken for its lease")
    func latePermit() async throws {
        let redis = try await RedisPeer()
        let fleet = try await fleet(redis.url, timeout: .seconds(3))
        let permits = fleet.permits("export", limit: 2, lease: .seconds(600))
        permits.release(try await permits.acquire())
        await eventually { (try? redis.run("ZCARD", "{godwit}:permits:export")) == ":0\r\n" }
        redis.pause(true)
        let permit = try await permits.acquire()
        #expect(permit.fencingToken == nil)
        permits.release(permit)
        redis.pause(false)
        await eventually { isShared(fleet) }
        #expect(try redis.run("ZCARD", "{godwit}:permits:export") == ":1\r\n")
        permits.release(try await permits.acquire())
        await eventually { (try? redis.run("ZCARD", "{godwit}:permits:export")) == ":0\r\n" }
    }

    @Test("G5 A Redis that is slow for a moment keeps its connection, and a late reply isn't taken for another's")
    func late() async throws {
        let redis = try await RedisPeer()
        let relay = try Relay(to: redis.port)
        let fleet = try await fleet("redis://127.0.0.1:\(relay.listeningPort)", timeout: .seconds(3))
        let echo = RedisScript("return ARGV[1]")
        #expect(try await fleet.run(echo, [fleet.key("a")], ["first"]).get().string == "first")
        // One for commands, one for messages.
        try await relay.wait(untilOpen: 2)
        let connections = relay.connections
        redis.pause(true)
        guard case .failure(let reason) = await fleet.run(echo, [fleet.key("a")], ["late"]) else {
            return #expect(Bool(false))
        }
        #expect(reason.problem == .slow)
        redis.pause(false)
        await eventually { isShared(fleet) }
        #expect(try await fleet.run(echo, [fleet.key("a")], ["second"]).get().string == "second")
        #expect(relay.connections == connections)
    }

    @Test("G5 A wrong password is reported without showing it")
    func password() async throws {
        let redis = try await RedisPeer("--requirepass", "feather")
        let refused = try await fleet("redis://:wrong-secret@127.0.0.1:\(redis.port)")
        #expect(diagnostics.recent.map(\.problem) == [.noPermission])
        #expect(!"\(diagnostics.recent) \(refused.state)".contains("secret"))
        #expect(isShared(try await fleet("redis://:feather@127.0.0.1:\(redis.port)")))
    }

    @Test("G5 A server that isn't Redis, and answers without end, is left")
    func noRedis() async throws {
        let (server, left) = (try Listener(), Watched(false))
        server.serve { connection in
            // Until it is left: the connection can't take more.
            for _ in 0..<1000 where !connection.write(String(repeating: "*", count: 64 << 10)) {
                return left.update { $0 = true }
            }
        }
        let fleet = try await fleet("redis://127.0.0.1:\(server.url.port)")
        #expect(!isShared(fleet))
        try await left.wait { $0 }
    }
}
