import Godwit
@testable import GodwitFleet
import TestSupport
import Testing

@Suite("Shared cookies", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(15)))
struct FleetCookieTests {
    private func fleet(_ url: String, keys: [UInt8] = [3], timeout: Duration = .seconds(10)) async throws -> Fleet {
        let keys = try keys.map { try FleetKey([UInt8](repeating: $0, count: 32)) }
        return try await Fleet(redis: url) {
            ($0.keys, $0.commandTimeout, $0.diagnostics) = (keys, timeout, Diagnostics())
        }
    }

    @Test("G5 A cookie that one process adds or deletes changes in the others, and is encrypted in Redis")
    func cookies() async throws {
        let redis = try await RedisPeer()
        let fleets = [try await fleet(redis.url), try await fleet(redis.url)]
        let jars = [try await fleets[0].cookieJar("api"), try await fleets[1].cookieJar("api")]
        let cookie = Cookie(name: "session", value: "secret", domain: "example.com")
        try jars[0].add(cookie)
        await eventually { jars[1].cookies.map(\.value) == ["secret"] }
        #expect(try !redis.run("HVALS", "{godwit}:cookies:api").contains("secret"))
        jars[1].delete(cookie)
        await eventually { jars[0].cookies.isEmpty }
    }

    @Test("G5 A cookie that Redis has no memory for stays in its process, and is shared when there is room")
    func full() async throws {
        let redis = try await RedisPeer()
        let jars = [
            try await fleet(redis.url).cookieJar("api"), try await fleet(redis.url).cookieJar("api"),
        ]
        try jars[0].add(Cookie(name: "session", value: "1", domain: "example.com"))
        await eventually { jars[1].cookies.map(\.value) == ["1"] }
        try redis.run("CONFIG", "SET", "maxmemory", "1")
        try jars[0].add(Cookie(name: "session", value: "2", domain: "example.com"))
        // The refused write is over when Redis has seen it; a later exchange must not bring the old value back.
        try await eventually { try redis.run("INFO", "errorstats").contains("errorstat_OOM") }
        try redis.run("CONFIG", "SET", "maxmemory", "0")
        await eventually { jars[1].cookies.map(\.value) == ["2"] }
        #expect(jars[0].cookies.map(\.value) == ["2"])
    }

    @Test("G5 A process without the new key keeps a cookie that it can't decrypt")
    func unknownKey() async throws {
        let redis = try await RedisPeer()
        let jars = [
            try await fleet(redis.url, keys: [4, 3]).cookieJar("api"),
            try await fleet(redis.url, keys: [3]).cookieJar("api"),
        ]
        try jars[1].add(Cookie(name: "a", value: "1", domain: "example.com"))
        await eventually { jars[0].cookies.map(\.value) == ["1"] }
        try jars[0].add(Cookie(name: "a", value: "2", domain: "example.com"))
        try jars[1].add(Cookie(name: "b", value: "3", domain: "example.com"))
        await eventually { jars[0].cookies.map(\.value) == ["2", "3"] }
        try jars[1].add(Cookie(name: "c", value: "4", domain: "example.com"))
        await eventually { jars[0].cookies.map(\.value) == ["2", "3", "4"] }
        #expect(jars[1].cookies.map(\.value) == ["1", "3", "4"])
    }

    @Test("G5 A cookie that has expired long ago is removed from Redis")
    func expired() async throws {
        let redis = try await RedisPeer()
        let fleet = try await fleet(redis.url)
        var cookie = Cookie(name: "a", value: "1", domain: "example.com")
        cookie.expires = Date(timeIntervalSinceNow: -7200)
        let record = CookieRecord(cookie)
        let key = fleet.key("cookies", "api")
        let data = try JSONEncoder().encode(record)
        let sealed = try #require(fleet.options.keys.seal(Array(data), authenticating: "\(key) \(record.id)"))
        _ = await fleet.run(
            .writeCookies, [key], ["mark", "0", "0", RedisArgument(record.id), RedisArgument(sealed)])
        #expect(try redis.run("HLEN", key) == ":2\r\n")
        let jar = try await fleet.cookieJar("api")
        #expect(try redis.run("HLEN", key) == ":1\r\n")
        #expect(jar.cookies.isEmpty)
    }
}

@Suite("The merge of cookies")
struct CookieMergeTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)

    private func record(_ value: String, expires: Date? = nil) -> CookieRecord {
        var cookie = Cookie(name: "a", value: value, domain: "example.com")
        cookie.expires = expires
        return CookieRecord(cookie)
    }

    private func merge(
        _ known: CookieRecord?, _ ours: CookieRecord?, _ theirs: CookieRecord?, mark: String? = "m",
        unreadable: Set<String> = []
    ) -> CookieMerge {
        let known = CookieMerge.Known(cookies: known.map { ["a": $0] } ?? [:], mark: "m")
        let stored = CookieMerge.Stored(
            cookies: theirs.map { ["a": $0] } ?? [:], unreadable: unreadable, mark: mark)
        return CookieMerge(known, ours.map { ["a": $0] } ?? [:], stored, at: Self.now)
    }

    @Test("G5 The change of this process is written, and known only after it was written")
    func local() {
        let (one, two) = (record("1"), record("2"))
        let changed = merge(one, two, one)
        #expect(changed.written == ["a": two] && changed.changes.isEmpty)
        #expect(changed.failed.cookies == ["a": one])
        #expect(changed.succeeded(refusing: [], mark: "m").cookies == ["a": two])
        #expect(changed.succeeded(refusing: ["a"], mark: "m").cookies == [:])
        let deleted = merge(one, nil, one)
        #expect(deleted.removed == ["a"])
        #expect(deleted.failed.cookies == ["a": one])
        #expect(deleted.succeeded(refusing: [], mark: "m").cookies == [:])
    }

    @Test("G5 The change of another process is taken over")
    func remote() {
        let (one, two) = (record("1"), record("2"))
        let changed = merge(one, one, two)
        #expect(changed.changes.map(\.new) == [two] && changed.changes.map(\.old) == [one])
        #expect(changed.failed.cookies == ["a": two])
        #expect(merge(one, one, nil).changes.map(\.new) == [nil])
        #expect(merge(nil, one, one).written.isEmpty)
    }

    @Test("G5 After Redis has lost its data, cookies are written again, and newer ones of other processes stay")
    func lost() {
        let (one, two) = (record("1"), record("2"))
        for mark in [nil, "other"] {
            let lost = merge(one, one, nil, mark: mark)
            #expect(lost.written == ["a": one] && lost.failed.mark == "m")
            #expect(lost.succeeded(refusing: [], mark: "other").mark == "other")
        }
        #expect(merge(one, one, two, mark: "other").changes.map(\.new) == [two])
    }

    @Test("G5 An expired cookie isn't a deletion, and one that can't be decrypted is neither used nor removed")
    func unknown() {
        let (one, two) = (record("1"), record("2"))
        let expired = record("0", expires: Self.now.addingTimeInterval(-1))
        #expect(merge(expired, nil, two).changes.map(\.new) == [two])
        let unreadable = merge(one, one, nil, unreadable: ["a"])
        #expect(unreadable.changes.isEmpty && unreadable.written.isEmpty && unreadable.removed.isEmpty)
        #expect(merge(one, two, nil, unreadable: ["a"]).written == ["a": two])
    }
}
