import Godwit
@testable import GodwitCore
@testable import GodwitFleet
import Synchronization
import TestSupport
import Testing

/// Sign-ins, sign-outs, rejections and outages, with several processes that are alive.
@Suite("Shared accounts", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(15)))
struct FleetAccountTests {
    private static let old = token("old", refresh: "r1", expiry: Date(timeIntervalSince1970: 1))
    private static let new = token("new", refresh: "r2")
    private static let other = token("other", refresh: "o1")

    private static func token(_ access: String, refresh: String, expiry: Date? = nil) -> AccessToken {
        AccessToken(access: access, refresh: refresh, expiry: expiry ?? Date(timeIntervalSince1970: 9_000_000_000))
    }

    private func fleet(
        _ url: String, keys: [UInt8] = [1], timeout: Duration = .seconds(10)
    ) async throws -> Fleet {
        let keys = try keys.map { try FleetKey([UInt8](repeating: $0, count: 32)) }
        return try await Fleet(redis: url) {
            ($0.keys, $0.commandTimeout, $0.diagnostics) = (keys, timeout, Diagnostics())
        }
    }

    /// The error of asking for a token; `nil` if there is one.
    private func failure(of tokens: TokenRefresher) async -> NetworkError? {
        await TestSupport.failure { () throws(NetworkError) in try await tokens.token() }
    }

    /// What a process that starts now has.
    private func stored(_ url: String) async throws -> AccessToken? {
        try await FleetTokenStore("api", try await fleet(url), lease: .seconds(30)).load()
    }

    @Test("G5 A sign-out during the refresh of another process counts")
    func signOutDuringRefresh() async throws {
        let redis = try await RedisPeer()
        let (one, two) = (try await fleet(redis.url), try await fleet(redis.url))
        let first = try one.tokens("api") { _ in Self.new }
        try await first.signIn(Self.old)
        // The sign-out happens while the second process refreshes; it has no message of it yet.
        let second = try two.tokens("api") { _ in
            try await first.signOut()
            return Self.new
        }
        #expect(await failure(of: second) != nil)
        #expect(await failure(of: second)?.kind == .unauthorized)
        #expect(try await stored(redis.url) == nil)
    }

    @Test("G5 A sign-out in one process ends the session of another that is running")
    func signOut() async throws {
        let redis = try await RedisPeer()
        let (one, two) = (try await fleet(redis.url), try await fleet(redis.url))
        let first = try one.tokens("api") { _ in Self.new }
        let second = try two.tokens("api") { _ in Self.new }
        try await first.signIn(Self.new)
        #expect(try await second.token() == Self.new)
        try await first.signOut()
        for await state in second.session {
            if case .ended = state { break }
        }
        #expect(await failure(of: second)?.kind == .unauthorized)
        #expect(try await stored(redis.url) == nil)
    }

    @Test("G5 A sign-in in one process is a new account in another that is running")
    func signIn() async throws {
        let redis = try await RedisPeer()
        let (one, two) = (try await fleet(redis.url), try await fleet(redis.url))
        let first = try one.tokens("api") { _ in Self.new }
        let second = try two.tokens("api") { _ in Self.new }
        try await first.signIn(Self.new)
        #expect(try await second.token() == Self.new)
        let stamp = second.session.stamp
        try await first.signIn(Self.other)
        try await eventually { try await second.token() == Self.other }
        #expect(!second.session.isCurrent(stamp))
        // A process that had no token gets one.
        try await second.signOut()
        for await state in first.session {
            if case .ended = state { break }
        }
        try await second.signIn(Self.new)
        await eventually { await failure(of: first) == nil }
        #expect(try await first.token() == Self.new)
    }

    @Test("G5 A rejected refresh of a stalled process doesn't clear the newer token of another")
    func stalled() async throws {
        let redis = try await RedisPeer()
        let (one, two) = (try await fleet(redis.url), try await fleet(redis.url))
        let second = try two.tokens("api") { _ in Self.new }
        let first = try one.tokens("api") { _ in
            // The lease ends, and the other process uses the refresh token.
            try redis.run("DEL", "{godwit}:tokens:api:lease")
            _ = try await second.token()
            throw NetworkError(.unauthorized, phase: .validating)
        }
        try await first.signIn(Self.old)
        #expect(try await first.token() == Self.new)
        #expect(try await second.token() == Self.new)
        #expect(try await stored(redis.url) == Self.new)
    }

    @Test("G5 A rejected refresh is tried once, and ends the session of all processes")
    func rejected() async throws {
        let redis = try await RedisPeer()
        let count = Mutex(0)
        var refreshers: [TokenRefresher] = []
        for _ in 0..<3 {
            refreshers.append(
                try await fleet(redis.url).tokens("api") { _ in
                    count.withLock { $0 += 1 }
                    try await Task.sleep(for: .milliseconds(50))
                    throw NetworkError(.unauthorized, phase: .validating)
                })
        }
        try await refreshers[0].signIn(Self.old)
        await withTaskGroup { group in
            for tokens in refreshers {
                group.addTask { #expect(await failure(of: tokens) != nil) }
            }
        }
        for tokens in refreshers { #expect(await failure(of: tokens)?.kind == .unauthorized) }
        #expect(count.withLock { $0 } == 1)
        #expect(try await stored(redis.url) == nil)
    }

    @Test("G5 A token that was refreshed while Redis didn't answer replaces the older one when it is back")
    func outage() async throws {
        let redis = try await RedisPeer()
        let one = try await fleet(redis.url, timeout: .milliseconds(500))
        let first = try one.tokens("api") { old in old.refresh == "r1" ? Self.new : Self.other }
        try await first.signIn(Self.old)
        redis.pause(true)
        #expect(try await first.token() == Self.new)
        redis.pause(false)
        try await eventually { try await stored(redis.url) == Self.new }
        #expect(try await first.token() == Self.new)
    }

    @Test("G5 A token is written again after Redis has restarted without its data, and the newest one counts")
    func emptied() async throws {
        let port = RedisPeer.freePort()
        var redis: RedisPeer? = try await RedisPeer(port: port)
        let url = "redis://127.0.0.1:\(port)"
        let (one, two) = (try await fleet(url), try await fleet(url))
        let first = try one.tokens("api") { _ in Self.new }
        let second = try two.tokens("api") { _ in Self.other }
        try await first.signIn(Self.token("still valid", refresh: "r1"))
        #expect(try await second.token().access == "still valid")
        first.startReplacing(try await first.current())
        try await eventually { try await stored(url) == Self.new }
        redis = nil
        redis = try await RedisPeer(port: port)
        try await eventually { try await stored(url) == Self.new }
        // The second process has the older one, and takes the newer one instead of refreshing, which it would do alone without
        // Redis.
        await eventually { await two.sendHeartbeat() }
        second.startReplacing(try await second.current())
        try await eventually { try await second.token() == Self.new }
        #expect(redis != nil)
    }

    @Test("G5 A rejection while Redis can't be used doesn't end the session")
    func rejectedAlone() async throws {
        let port = RedisPeer.freePort()
        var redis: RedisPeer? = try await RedisPeer(port: port)
        let url = "redis://127.0.0.1:\(port)"
        let isRejected = Mutex(true)
        let tokens = try await fleet(url).tokens("api") { _ in
            if isRejected.withLock({ $0 }) { throw NetworkError(.unauthorized, phase: .validating) }
            return Self.new
        }
        try await tokens.signIn(Self.old)
        redis = nil
        let error = await failure(of: tokens)
        #expect(error != nil && error?.kind != .unauthorized)
        redis = try await RedisPeer(port: port)
        isRejected.withLock { $0 = false }
        #expect(try await tokens.token() == Self.new)
        #expect(redis != nil)
    }

    @Test("G5 A sign-out while Redis doesn't answer is done when it is back")
    func signOutAlone() async throws {
        let redis = try await RedisPeer()
        let one = try await fleet(redis.url, timeout: .milliseconds(500))
        let first = try one.tokens("api") { _ in Self.new }
        try await first.signIn(Self.new)
        redis.pause(true)
        await #expect(throws: NetworkError.self) { try await first.signOut() }
        redis.pause(false)
        try await eventually { try await stored(redis.url) == nil }
    }

    @Test("G5 A process without the new key doesn't refresh a token that it can't decrypt, and doesn't clear it")
    func unknownKey() async throws {
        let redis = try await RedisPeer()
        let one = try await fleet(redis.url, keys: [2, 1])
        let two = try await fleet(redis.url, keys: [1])
        let count = Mutex(0)
        let first = try one.tokens("api") { _ in Self.new }
        let second = try two.tokens("api") { old in
            count.withLock { $0 += 1 }
            return Self.other
        }
        // Signed in before the change of keys.
        let former = try await fleet(redis.url, keys: [1]).tokens("api") { _ in Self.new }
        try await former.signIn(Self.token("still valid", refresh: "r1"))
        #expect(try await second.token().access == "still valid")
        first.startReplacing(try await first.current())
        try await eventually { try await first.token() == Self.new }
        second.startReplacing(try await second.current())
        let error = await failure(of: second)
        guard case .file = error?.kind else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(count.withLock { $0 } == 0)
        // With both keys, it works.
        let third = try await fleet(redis.url, keys: [1, 2]).tokens("api") { _ in Self.other }
        #expect(try await third.token() == Self.new)
    }
}

@Suite("The held token")
struct HeldTokenTests {
    private let token = AccessToken(access: "a")

    private func version(_ number: Int64, _ account: Int64, isSignedOut: Bool = false) -> TokenVersion {
        TokenVersion(token: isSignedOut ? nil : token, number: number, account: account)
    }

    @Test("G5 Only a token with a greater number replaces that of this process")
    func numbers() {
        let held = HeldToken(version: version(5, 2))
        #expect(held.decision(.version(version(5, 2))) == .same)
        #expect(held.decision(.version(version(6, 2))) == .newer(version(6, 2)))
        #expect(held.decision(.version(version(4, 2))) == .restore)
        #expect(held.decision(.version(version(1, 1))) == .restore)
        #expect(held.decision(.missing) == .restore)
        #expect(held.decision(.version(version(6, 6))) == .otherAccount(version(6, 6)))
        #expect(held.decision(.unreadable(version(6, 2))) == .unreadable)
        #expect(held.decision(.unreadable(version(5, 2))) == .same)
        #expect(HeldToken(version: version(0, 0, isSignedOut: true)).decision(.missing) == .same)
    }

    @Test("G5 A refreshed token is saved, unless another process has refreshed or signed in meanwhile")
    func unsavedRefresh() {
        let held = HeldToken(version: version(5, 2), unsaved: .refresh)
        #expect(held.decision(.version(version(5, 2))) == .saveRefresh)
        #expect(held.decision(.version(version(4, 2))) == .saveRefresh)
        #expect(held.decision(.missing) == .saveRefresh)
        #expect(held.decision(.version(version(6, 2))) == .newer(version(6, 2)))
        #expect(held.decision(.version(version(6, 6))) == .otherAccount(version(6, 6)))
    }

    @Test("G5 A sign-out that Redis doesn't have is saved, unless another account has begun")
    func unsavedAccount() {
        let held = HeldToken(version: version(5, 2, isSignedOut: true), unsaved: .account(replacing: 2))
        #expect(held.decision(.version(version(9, 2))) == .saveAccount(replacing: 2))
        #expect(held.decision(.missing) == .saveAccount(replacing: nil))
        #expect(held.decision(.version(version(9, 9))) == .otherAccount(version(9, 9)))
        let unknown = HeldToken(version: version(0, 0, isSignedOut: true), unsaved: .account(replacing: nil))
        #expect(unknown.decision(.version(version(9, 9))) == .saveAccount(replacing: nil))
    }

    @Test("G5 A session that ended only in this process continues with a newer token, and clears nothing")
    func endedHere() {
        let held = HeldToken(version: version(5, 2, isSignedOut: true))
        #expect(held.decision(.version(version(6, 2))) == .otherAccount(version(6, 2)))
        #expect(held.decision(.version(version(5, 2))) == .same)
        #expect(held.decision(.missing) == .same)
        #expect(HeldToken(version: version(5, 5, isSignedOut: true)).decision(.missing) == .restore)
    }
}
