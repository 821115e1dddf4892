import Godwit
import GodwitBackground
import GodwitSockets
import GodwitTesting
import GodwitUI

extension Extreme {
    static var all: [Extreme] {
        clients + limits + transfers + streams + sockets + engine + values + kits + screens + parameters
    }

    /// A server with an answer for everything that follows.
    static let server = Once {
        try await MockServer { route in
            route.any("/json").optional().reply(json: ["items": [1, 2], "text": "tide"])
            route.any("/file").optional().reply(.bytes(Data(repeating: 7, count: 10_000)))
            route.any("/lines").optional().reply(.chunks([Data("1\n2\n".utf8), Data("3\n".utf8)]))
            route.any("/events").optional().reply(.events([ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]))
            route.any("/busy").optional().reply(.status(503))
            route.webSocket("/socket") { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
            route.any("*").optional().reply(.text("ok"))
        }
    }

    /// Makes a value once.
    actor Once<Value: Sendable> {
        private let make: @Sendable () async throws -> Value
        private var made: Value?

        init(_ make: @escaping @Sendable () async throws -> Value) { self.make = make }

        func get() async throws -> Value {
            if let made { return made }
            let value = try await make()
            made = value
            return value
        }
    }

    /// Sends two calls with a configuration, the second to a busy server.
    private static func calls(_ configure: @Sendable (inout ClientConfiguration) -> Void) async throws {
        let server = try await server.get()
        let client = APIClient(baseURL: server.url, preset: .ephemeral, configure: configure)
        for path in ["json", "busy", "json"] as [EndpointPath] {
            _ = try? await client.send(Endpoint<JSONValue>.get(path))
        }
        await client.shutdown(.cancelling)
    }

    private static func call(_ adjust: @Sendable (Endpoint<JSONValue>) -> Endpoint<JSONValue>) async throws {
        let client = APIClient(baseURL: try await server.get().url, preset: .ephemeral)
        _ = try? await client.send(adjust(.get("json")))
        _ = try? await client.send(adjust(.get("busy")))
        await client.shutdown(.cancelling)
    }

    private static let clients: [Extreme] = [
        .integers("CircuitBreaker.Options.failures") { n in
            try await calls {
                $0.circuitBreaker = .init(); $0.circuitBreaker?.failures = n
            }
        },
        .durations("CircuitBreaker.Options.pause") { d in
            try await calls {
                $0.circuitBreaker = .init(); $0.circuitBreaker?.pause = d; $0.circuitBreaker?.failures = 1
            }
        },
        .integers("CircuitBreaker.Options.probes") { n in
            try await calls {
                $0.circuitBreaker = .init(); $0.circuitBreaker?.probes = n; $0.circuitBreaker?.failures = 1
            }
        },
        .integers("ClientConfiguration.bufferLimit") { n in try await calls { $0.bufferLimit = n } },
        .integers("ConcurrencyOptions.perHost") { n in try await calls { $0.concurrency.perHost = n } },
        .integers("ConcurrencyOptions.total") { n in try await calls { $0.concurrency.total = n } },
        .durations("ConnectionPolicy.KeepAlive.idle") { d in
            try await calls { $0.connections.keepAlive = .init(idle: d) }
        },
        .durations("ConnectionPolicy.KeepAlive.interval") { d in
            try await calls { $0.connections.keepAlive = .init(interval: d) }
        },
        .integers("ConnectionPolicy.KeepAlive.probes") { n in
            try await calls { $0.connections.keepAlive = .init(probes: n) }
        },
        .durations("ConnectionPolicy.idleTimeout") { d in try await calls { $0.connections.idleTimeout = d } },
        .durations("ConnectionPolicy.maximumLifetime") { d in try await calls { $0.connections.maximumLifetime = d } },
        .integers("ConnectionPolicy.maximumPerHost") { n in try await calls { $0.connections.maximumPerHost = n } },
        .durations("ConnectionPolicy.unacknowledgedTimeout") { d in
            try await calls { $0.connections.unacknowledgedTimeout = d }
        },
        .integers("LogOptions.bodyLimit") { n in
            try await calls {
                $0.logging.level = .bodies; $0.logging.bodyLimit = n; $0.logging.destination = { _ in }
            }
        },
        .integers("Inspector.bodyLimit") { n in
            try await calls {
                $0.inspector = .events { _ in }; $0.inspector?.bodyLimit = n
            }
        },
        .integers("HAROptions.bodyLimit") { n in try await calls { $0.recorder = recorder { $0.bodyLimit = n } } },
        .integers("HAROptions.entryLimit") { n in try await calls { $0.recorder = recorder { $0.entryLimit = n } } },
        .bytes("HAROptions.fileLimit") { n in try await calls { $0.recorder = recorder { $0.fileLimit = n } } },
        .durations("RetryOptions.longestRetryAfter") { d in try await calls { $0.retry.longestRetryAfter = d } },
        .integers("RetryOptions.maximumAttempts") { n in try await calls { $0.retry.maximumAttempts = n } },
        .integers("RetryOptions.statuses") { n in try await calls { $0.retry.statuses = [n] } },
        .integers("RequestOptions.acceptedStatuses") { n in try await calls { $0.options.acceptedStatuses = [n] } },
        .durations("Backoff.base") { d in try await calls { $0.retry.backoff.base = d } },
        .durations("Backoff.cap") { d in try await calls { $0.retry.backoff.cap = d } },
        .numbers("Backoff.factor") { x in try await calls { $0.retry.backoff.factor = x } },
        .durations("Timeouts.call") { d in try await calls { $0.timeouts.call = d } },
        .durations("Timeouts.connect") { d in try await calls { $0.timeouts.connect = d } },
        .durations("Timeouts.inactivity") { d in try await calls { $0.timeouts.inactivity = d } },
        .durations("Timeouts.total") { d in try await calls { $0.timeouts.total = d } },
        .bytes("ResponseLimit.decoded") { n in try await calls { $0.responseLimit.decoded = n } },
        .bytes("ResponseLimit.encoded") { n in try await calls { $0.responseLimit.encoded = n } },
        .bytes("ResponseLimit.init(encoded:decoded:)") { n in
            try await calls { $0.responseLimit = ResponseLimit(encoded: n, decoded: n) }
        },
        .bytes("Endpoint.responseLimit(_:)") { n in try await call { $0.responseLimit(n) } },
        .durations("Endpoint.timeout(_:)") { d in try await call { $0.timeout(d) } },
        .durations("Endpoint.waitsForConnectivity(upTo:)") { d in try await call { $0.waitsForConnectivity(upTo: d) } },
        .integers("Call.upgradeCount") { n in
            let store = HSTSStore()
            store.add(.init("a.example"))
            let transport = MockTransport { _ in .text("ok") }
            let api = APIClient(baseURL: "http://a.example", transport: transport) {
                $0.hsts = .store(store)
                $0.middleware.append(Adjusting { $0.upgradeCount = n })
            }
            _ = try await api.send(Endpoint<String>.get("a"))
        },
        .integers("Call.redirectCount") { n in
            try await calls { $0.middleware.append(Adjusting { $0.redirectCount = n }) }
        },
        .integers("APIClient.warmUp(connections:)") { n in
            let client = APIClient(baseURL: try await server.get().url)
            try? await client.warmUp(connections: n)
            await client.shutdown(.cancelling)
        },
    ]

    private static func recorder(_ configure: (inout HAROptions) -> Void) -> HARRecorder {
        var options = HAROptions()
        configure(&options)
        return HARRecorder(options: options)
    }

    private struct Adjusting: RequestMiddleware {
        let change: @Sendable (inout Call) -> Void

        init(_ change: @escaping @Sendable (inout Call) -> Void) { self.change = change }

        func prepare(_ call: inout Call) { change(&call) }
    }

    // Limits that a client or a chain of one's own has.
    private static let limits: [Extreme] = [
        .numbers("RateRule.tokenBucket(perSecond:burst:)") { x in
            try await calls { $0.rateLimit = .tokenBucket(perSecond: x, burst: 1) }
        },
        .integers("RateRule.tokenBucket(perSecond:burst:) burst") { n in
            try await calls { $0.rateLimit = .tokenBucket(perSecond: 10, burst: n) }
        },
        .integers("RateRule.slidingWindow(count:per:)") { n in
            try await calls { $0.rateLimit = .slidingWindow(count: n, per: .seconds(1)) }
        },
        .durations("RateRule.slidingWindow(count:per:) per") { d in
            try await calls { $0.rateLimit = .slidingWindow(count: 1, per: d) }
        },
        .durations("RateLimit.init(_:longestWait:clock:)") { d in
            try await calls { $0.middleware.append(RateLimit(.tokenBucket(perSecond: 0.1, burst: 1), longestWait: d)) }
        },
        .integers("ConcurrencyLimit.init(total:perHost:)") { n in
            try await calls { $0.middleware.append(ConcurrencyLimit(total: n, perHost: n)) }
        },
        .numbers("RetryBudget.init(capacity:perSecond:perSuccess:clock:)") { x in
            try await calls { c in
                for budget in [RetryBudget(capacity: x), RetryBudget(perSecond: x), RetryBudget(perSuccess: x)] {
                    c.middleware.append(Retry(budget: budget))
                }
            }
        },
        .integers("MemoryCacheStore.init(limit:entryLimit:)") { n in
            try await calls { $0.cache = .store(MemoryCacheStore(limit: n, entryLimit: n)) }
        },
        .integers("MemoryModelStore.init(limit:entryLimit:)") { n in
            let store = MemoryModelStore(limit: n, entryLimit: n)
            let client = APIClient(baseURL: try await server.get().url, preset: .ephemeral)
            for try await _ in client.reading(Endpoint<JSONValue>.get("json"), from: store) {}
        },
        .durations("APIClient.reading(_:from:maxAge:key:now:)") { d in
            let client = APIClient(baseURL: try await server.get().url, preset: .ephemeral)
            for try await _ in client.reading(Endpoint<JSONValue>.get("json"), from: MemoryModelStore(), maxAge: d) {}
        },
        .integers("withRetry(attempts:backoff:clock:using:isolation:when:_:)") { n in
            struct Failure: Error {}
            try? await withRetry(attempts: n, backoff: Backoff(base: .zero)) { throw Failure() }
        },
        .integers("Sequence.concurrentMap(limit:ordering:_:)") { n in
            _ = await [1, 2, 3].concurrentMap(limit: n) { $0 }
        },
        .integers("Sequence.concurrentResults(limit:ordering:_:)") { n in
            _ = await [1, 2, 3].concurrentResults(limit: n) { $0 }
        },
        .durations("Debounced.init(for:clock:_:)") { d in
            let debounced = Debounced(for: d) { (n: Int) in n }
            _ = try await debounced(1)
        },
        .durations("Throttled.init(to:clock:_:)") { d in
            let throttled = Throttled(to: d) { (n: Int) in n }
            _ = try await throttled(1)
            _ = try await throttled(2)
        },
        .durations("TokenRefresher.init(store:leeway:now:onStoreFailure:refresh:)") { d in
            let store = MemoryTokenStore(AccessToken(access: "a", refresh: "b", expiry: Date(timeIntervalSinceNow: 60)))
            _ = try await TokenRefresher(store: store, leeway: d) { $0 }.token()
        },
        .integers("HTTPBody.collect(upTo:)") { n in _ = try await HTTPBody.bytes(Data([1, 2])).collect(upTo: n) },
        .bytes("HTTPBody.stream(length:_:)") { n in try await upload(.stream(length: n) { Once3() }) },
        .bytes("HTTPBody.stream(once:length:)") { n in try await upload(.stream(once: Once3(), length: n)) },
        .bytes("HTTPBody.file(at:range:)") { n in
            let file = URL(filePath: #filePath)
            if n > .min, n < .max { try await upload(.file(at: file, range: n..<(n + 1))) }
            try await upload(.file(at: file, range: .min..<n))
            try await upload(.file(at: file, range: n..<(.max)))
        },
    ]

    /// Three chunks.
    private struct Once3: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var rest = 3

        mutating func next() async throws -> Data? {
            defer { rest -= 1 }
            return rest > 0 ? Data([1]) : nil
        }

        func makeAsyncIterator() -> Once3 { self }
    }

    private static func upload(_ body: HTTPBody) async throws {
        let client = APIClient(baseURL: try await server.get().url, preset: .ephemeral)
        var request = HTTPRequest(method: .post, url: try await server.get().url)
        request.body = body
        _ = try? await client.send(request)
        await client.shutdown(.cancelling)
    }
}
