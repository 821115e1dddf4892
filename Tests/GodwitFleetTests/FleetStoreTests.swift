import Godwit
@testable import GodwitFleet
import GodwitTesting
import TestSupport
import Testing

@Suite("Shared stores", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(15)))
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

    @Test("G5 With keys, a piece of work has the same idempotency key without Redis")
    func derivedKey() async throws {
        let redis = try await RedisPeer()
        let keys = [try FleetKey([UInt8](repeating: 3, count: 32))]
        let fleet = try await Fleet(redis: redis.url) { ($0.keys, $0.commandTimeout) = (keys, .seconds(10)) }
        let key = try await fleet.idempotencyKey(for: "invoice-17")
        #expect(UUID(uuidString: key) != nil)
        #expect(try await fleet.idempotencyKey(for: "invoice-18") != key)
        let alone = try await Fleet(redis: "redis://127.0.0.1:1") { ($0.keys, $0.diagnostics) = (keys, Diagnostics()) }
        #expect(try await alone.idempotencyKey(for: "invoice-17") == key)
        // While the keys are changed, the key in Redis counts.
        let changed = [try FleetKey([UInt8](repeating: 4, count: 32))] + keys
        let later = try await Fleet(redis: redis.url) { ($0.keys, $0.commandTimeout) = (changed, .seconds(10)) }
        #expect(try await later.idempotencyKey(for: "invoice-17") == key)
    }

    @Test("G5 What is removed while Redis doesn't answer isn't used, and is removed for all when it is back")
    func pendingRemoval() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) {
            ($0.commandTimeout, $0.diagnostics) = (.milliseconds(300), Diagnostics())
        }
        let other = FleetCacheStore(try await Fleet(redis: redis.url) { $0.diagnostics = Diagnostics() })
        let store = FleetCacheStore(fleet)
        let (first, second) = (try response("a", 10), try response("b", 10))
        await store.store(first)
        await store.store(second)
        #expect(await other.responses(for: first.url).count == 1)
        redis.pause(true)
        await store.removeAll(for: first.url)
        redis.pause(false)
        await eventually { await other.urls() == [second.url] }
        redis.pause(true)
        await store.removeAll()
        redis.pause(false)
        try await eventually { try redis.run("KEYS", "*cache*") == "*0\r\n" }
        // A later response is stored again.
        await eventually {
            await store.store(second)
            return await other.responses(for: second.url).count == 1
        }
    }

    @Test("G5 Removals are remembered up to a limit, and one that is repeated during its execution stays")
    func rememberedRemovals() {
        var pending = PendingRemovals()
        pending.add("a")
        let step = pending.next
        pending.add("a")
        step.map { pending.finish($0) }
        #expect(pending.contains("a") && !pending.contains("b"))
        for index in 0..<1001 { pending.add("\(index)") }
        #expect(pending.contains("b"))
        pending.next.map { pending.finish($0) }
        #expect(pending.isEmpty)
    }

    @Test("G5 The variants of a URL fit into one reply: the least recently used ones are evicted")
    func variants() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) {
            ($0.commandTimeout, $0.replyLimit) = (.seconds(10), 64 << 10)
        }
        let store = FleetCacheStore(fleet, entryLimit: 1 << 20)
        #expect(store.entryLimit == 16 << 10)
        for index in 0..<20 { await store.store(try response("a", 10_000, vary: "\(index)")) }
        let kept = await store.responses(for: try response("a", 0).url)
        #expect(Set(kept.map(\.variant)) == ["17", "18", "19"])
        #expect(await store.byteCount() == kept.map(\.byteCount).reduce(0, +))
        guard case .shared = fleet.state else { return #expect(Bool(false), "\(fleet.state)") }
    }

    @Test("G5 More URLs than a reply may have elements are listed")
    func manyURLs() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(10) }
        let script = """
            for i = 1, 70000 do
                redis.call('ZADD', '{godwit}:cache:responses:used', i, 'https://api.example.com/' .. i .. '\\n')
            end
            """
        try redis.run("EVAL", script, "0")
        #expect(await FleetCacheStore(fleet).urls().count == 70_000)
    }
}
