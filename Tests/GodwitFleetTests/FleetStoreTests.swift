import Godwit
@testable import GodwitFleet
import GodwitTesting
import Testing

@Suite("Shared stores", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(1)))
struct FleetStoreTests {
    private func response(_ path: String, _ size: Int, vary: String = "") throws -> CachedResponse {
        CachedResponse(
            url: try HTTPURL("https://api.example.com/\(path)"), variant: vary, status: .ok,
            fields: ["Cache-Control": "max-age=60", "ETag": "\"1\""], body: Data(repeating: 7, count: size),
            requestTime: Date(timeIntervalSinceReferenceDate: 800_000_000.25),
            responseTime: Date(timeIntervalSinceReferenceDate: 800_000_001))
    }

    @Test("G5 A response that one process stored answers the requests of another")
    func cache() async throws {
        let redis = try await RedisPeer()
        let server = try await MockServer {
            $0.get("/a").reply { _ in .text("tern").field("Cache-Control", "max-age=60") }
        }
        for key in [[], [try FleetKey([UInt8](repeating: 3, count: 32))]] {
            for _ in 0..<2 {
                let fleet = try await Fleet(redis: redis.url, name: "cache\(key.count)") { $0.keys = key }
                let api = APIClient(baseURL: server.url) { $0.cache = .store(FleetCacheStore(fleet)) }
                #expect(try await api.send(Endpoint<String>.get("a")) == "tern")
            }
        }
        #expect(server.requests.count == 2)
    }

    @Test("G5 A cache keeps to its limits, and evicts the least recently used response")
    func limits() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        let store = FleetCacheStore(fleet, limit: 10_000, entryLimit: 4000)
        let all = try ["a", "b", "c"].map { try response($0, 2500) }
        await store.store(all[0])
        await store.store(all[1])
        #expect(await store.responses(for: all[0].url) == [all[0]])
        await store.store(try response("big", 5000))
        await store.store(all[2])
        await store.store(try response("d", 2500))
        #expect(await store.byteCount() <= 10_000)
        #expect(Set(await store.urls().map(\.path)) == ["/a", "/c", "/d"])
        await store.remove(all[0])
        await store.removeAll(for: all[2].url)
        #expect(await store.urls().map(\.path) == ["/d"])
        await store.store(try response("d", 10, vary: "accept-language: de"))
        #expect(await store.responses(for: try response("d", 0).url).count == 2)
        await store.removeAll()
        #expect(await store.byteCount() == 0)
        #expect(try redis.run("KEYS", "*cache*") == "*0\r\n")
    }

    @Test("G5 A circuit that opens in one process is open in the others, and one of them probes")
    func circuits() async throws {
        let redis = try await RedisPeer()
        let server = try await MockServer { $0.get("/a").reply(.status(.serviceUnavailable)) }
        var clients: [APIClient] = []
        for _ in 0..<2 {
            let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
            clients.append(
                APIClient(baseURL: server.url) {
                    $0.retry.maximumAttempts = 1
                    $0.circuitBreaker = CircuitBreaker.Options()
                    $0.circuitBreaker?.failures = 2
                    $0.circuitBreaker?.pause = .seconds(60)
                    $0.sharedCircuits = fleet.circuits()
                })
        }
        for _ in 0..<2 { try? await clients[0].send(Endpoint<Void>.get("a")) }
        var open: CircuitOpen?
        for _ in 0..<200 where open == nil {
            do throws(NetworkError) {
                try await clients[1].send(Endpoint<Void>.get("a"))
            } catch {
                open = error.underlying as? CircuitOpen
            }
        }
        #expect(open != nil)
        var fleets: [Fleet] = []
        for _ in 0..<2 { fleets.append(try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }) }
        let origin = server.url.origin
        #expect(await fleets[0].circuits("x").mayProbe(origin, for: .seconds(10)))
        #expect(await !fleets[1].circuits("x").mayProbe(origin, for: .seconds(10)))
    }

    @Test("G5 A piece of work has one idempotency key in all processes; without Redis there is none")
    func idempotency() async throws {
        let redis = try await RedisPeer()
        var keys: Set<String> = []
        for _ in 0..<3 {
            let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
            keys.insert(try await fleet.idempotencyKey(for: "invoice-17"))
        }
        #expect(keys.count == 1)
        let fleet = try await Fleet(redis: "redis://127.0.0.1:1") { $0.diagnostics = Diagnostics() }
        let error = await #expect(throws: NetworkError.self) { try await fleet.idempotencyKey(for: "invoice-17") }
        #expect(error?.underlying is FleetUnavailable)
    }

    @Test("G5 A cookie that one process adds or deletes changes in the others, and is encrypted in Redis")
    func cookies() async throws {
        let redis = try await RedisPeer()
        let key = try FleetKey([UInt8](repeating: 3, count: 32))
        let fleets = [
            try await Fleet(redis: redis.url) { $0.keys = [key] },
            try await Fleet(redis: redis.url) { $0.keys = [key] },
        ]
        let jars = [try await fleets[0].cookieJar("api"), try await fleets[1].cookieJar("api")]
        let cookie = Cookie(name: "session", value: "secret", domain: "example.com")
        try jars[0].add(cookie)
        try await waitUntil { jars[1].cookies.map(\.value) == ["secret"] }
        #expect(try !redis.run("HVALS", "{godwit}:cookies:api").contains("secret"))
        jars[1].delete(cookie)
        try await waitUntil { jars[0].cookies.isEmpty }
    }

    private func waitUntil(_ condition: () -> Bool) async throws {
        for _ in 0..<500 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(condition())
    }
}
