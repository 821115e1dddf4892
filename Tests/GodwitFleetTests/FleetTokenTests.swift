import Godwit
@testable import GodwitFleet
import GodwitTesting
import Synchronization
import Testing

@Suite("Shared tokens", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(15)))
struct FleetTokenTests {
    private static func key(_ byte: UInt8) throws -> FleetKey { try FleetKey([UInt8](repeating: byte, count: 32)) }

    private static let old = AccessToken(access: "old-secret", refresh: "r1", expiry: Date(timeIntervalSince1970: 1))
    private static let new = AccessToken(access: "new-secret", refresh: "r2", expiry: Date(timeIntervalSinceNow: 3600))

    @Test("G5 A token is refreshed once for all processes, and is encrypted in Redis")
    func once() async throws {
        let redis = try await RedisPeer()
        let keys = [try Self.key(1)]
        let count = Mutex(0)
        var refreshers: [TokenRefresher] = []
        for _ in 0..<4 {
            let fleet = try await Fleet(redis: redis.url) { ($0.keys, $0.commandTimeout) = (keys, .seconds(10)) }
            refreshers.append(
                try fleet.tokens("api") { _ in
                    count.withLock { $0 += 1 }
                    try await Task.sleep(for: .milliseconds(50))
                    return Self.new
                })
        }
        try await refreshers[0].signIn(Self.old)
        try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<40 {
                let tokens = refreshers[index % 4]
                group.addTask { try await tokens.token().access }
            }
            for try await access in group { #expect(access == "new-secret") }
        }
        #expect(count.withLock { $0 } == 1)
        let stored = try redis.run("HGETALL", "{godwit}:tokens:api")
        #expect(!stored.contains("secret") && stored.contains("token"))
    }

    @Test("G5 Another process takes over when the lease of a dead one ends")
    func takeover() async throws {
        let redis = try await RedisPeer()
        let keys = [try Self.key(1)]
        let fleet = try await Fleet(redis: redis.url) { ($0.keys, $0.commandTimeout) = (keys, .seconds(10)) }
        let tokens = try fleet.tokens("api") { _ in Self.new }
        try await tokens.signIn(Self.old)
        try redis.run("SET", "{godwit}:tokens:api:lease", "dead", "PX", "300")
        let start = ContinuousClock.now
        #expect(try await tokens.token() == Self.new)
        #expect(ContinuousClock.now - start >= .milliseconds(200))
    }

    @Test("G5 A lease is released only by its holder, although the process has a later one")
    func lease() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        let store = FleetTokenStore("api", fleet, lease: .seconds(30))
        let version = TokenVersion(token: nil, number: 0, account: 0)
        let (first, second) = (store.newLease(), store.newLease())
        #expect(try await store.lease(first, version).get() == 1)
        #expect(try await store.lease(second, version).get() == 0)
        await store.release(second)
        #expect(try await store.lease(second, version).get() == 0)
        await store.release(first)
        #expect(try await store.lease(second, version).get() == 1)
    }

    @Test("G5 A value is decrypted with an older key of the list, and with no other")
    func rotation() throws {
        let (old, new) = (try Self.key(1), try Self.key(2))
        let sealed = try #require([old].seal(Array("feather".utf8), authenticating: "a"))
        #expect([new, old].open(sealed, authenticating: "a") == Array("feather".utf8))
        #expect([new].open(sealed, authenticating: "a") == nil)
        #expect([old].open(sealed, authenticating: "b") == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect([old].open(changed, authenticating: "a") == nil)
        }
        #expect([old].open([1, 2, 3], authenticating: "a") == nil)
        #expect("\(old)" == "FleetKey(<redacted>)")
        let error = #expect(throws: NetworkError.self) { try FleetKey(base64: "AAAA") }
        #expect("\(error.map { "\($0)" } ?? "")".contains("got 3"))
    }

    @Test("G5 A fleet without a key stores no token")
    func noKey() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        #expect(throws: NetworkError.self) { try fleet.tokens("api") { $0 } }
    }
}
