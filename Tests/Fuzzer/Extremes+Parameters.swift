import Godwit
import GodwitSigning
import GodwitSockets
import GodwitTesting
import GodwitUI

/// Numbers that are parameters and associated values, not properties.
extension Extreme {
    private static func client(_ configure: (inout ClientConfiguration) -> Void = { _ in }) async throws -> APIClient {
        APIClient(baseURL: try await server.get().url, preset: .ephemeral, configure: configure)
    }

    private static func send(_ configure: (inout ClientConfiguration) -> Void) async throws {
        let client = try await client(configure)
        for path in ["json", "busy", "json"] as [EndpointPath] {
            _ = try? await client.send(Endpoint<JSONValue>.post(path, body: .text("tide")))
            _ = try? await client.send(Endpoint<JSONValue>.get(path))
        }
        await client.shutdown(.cancelling)
    }

    private static func serve(_ routes: (MockRoutes) -> Void) async throws {
        let server = try await MockServer(routes: routes)
        let client = APIClient(baseURL: server.url, preset: .ephemeral) { $0.retry.maximumAttempts = 1 }
        _ = try? await client.send(Endpoint<String>.post("", body: .text("tide")))
        await client.shutdown(.cancelling)
        await server.stop()
    }

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    static let parameters: [Extreme] = requests + texts + tests + models

    private static let requests: [Extreme] = [
        .durations("MessageSigning.Options.lifetime") { duration in
            let url = try await server.get().url
            let signing = MessageSigning(SigningKey(sharedSecret: [1]), for: url) { $0.lifetime = duration }
            try await send { $0.attemptMiddleware.append(signing) }
        },
        .durations("AWSSigner.presignedURL(_:method:expiresIn:)") { duration in
            let signer = AWSSigner(service: "s3", region: "r") {
                AWSCredentials(accessKeyID: "a", secretAccessKey: "b")
            }
            _ = try await signer.presignedURL("https://a.example/", expiresIn: duration)
        },
        .integers("CacheSetting.memory(limit:)") { n in try await send { $0.cache = .memory(limit: n) } },
        .integers("CacheSetting.disk(_:limit:diagnostics:)") { n in
            let folder = URL(filePath: "\(FuzzTarget.folder)/c\(UInt(bitPattern: n))")
            let cache = try CacheSetting.disk(folder, limit: n)
            try await send { $0.cache = cache }
        },
        .integers("DiskModelStore.init(directory:limit:entryLimit:diagnostics:)") { n in
            let folder = URL(filePath: "\(FuzzTarget.folder)/m\(UInt(bitPattern: n))")
            let store = try DiskModelStore(directory: folder, limit: n, entryLimit: n)
            await store.store(StoredModel(data: Data([1]), date: .now, revision: .max), for: "a")
            await store.store(StoredModel(data: Data([1]), date: date(.nan)), for: "a")
            _ = await store.model(for: "a")
        },
        .bytes("ContentCompression.gzip(minimumSize:level:)") { n in
            try await send { $0.compression = .gzip(minimumSize: n, level: 6) }
        },
        .integers("ContentCompression.gzip(minimumSize:level:) level") { n in
            try await send { $0.compression = .gzip(minimumSize: 0, level: n) }
        },
        .integers("RetryOverride.attempts(_:)") { n in try await send { $0.options.retry = .attempts(n) } },
        .durations("ConnectivityPolicy.wait(upTo:)") { d in try await send { $0.options.connectivity = .wait(upTo: d) }
        },
        .numbers("Endpoint.ifModifiedSince(_:)") { x in
            _ = try await client().send(Endpoint<Data>.get("json").ifModifiedSince(date(x)))
        },
        .numbers("Endpoint.ifUnmodifiedSince(_:)") { x in
            _ = try await client().send(Endpoint<Data>.get("json").ifUnmodifiedSince(date(x)))
        },
        .integers("SocketTransport.warmUp(_:connections:)") { n in
            let transport = try SocketTransport {
                $0.maximumConnectionsPerHost = .max
                $0.maximumIdleConnections = n
            }
            try? await transport.warmUp(try await server.get().url, connections: .max)
            try? await transport.warmUp(try await server.get().url, connections: n)
            await transport.shutdown(.cancelling)
        },
    ]

    private static let texts: [Extreme] = [
        .integers("EndpointPath.StringInterpolation.init(literalCapacity:interpolationCount:)") { n in
            _ = EndpointPath.StringInterpolation(literalCapacity: n, interpolationCount: n)
        },
        .durations("NetworkError.Kind.rateLimited(retryAfter:)") { d in
            let error = NetworkError(.rateLimited(retryAfter: d), phase: .receiving)
            _ = (error.description, error.userMessage, error.shortDescription)
            _ = "\(ServerLimit(pause: d, remaining: .min, reset: d))"
        },
        .integers("NetworkError.Kind.client(status:)") { n in
            for kind in [.client(status: n), .server(status: n), .unexpectedStatus(n), .tooLarge(limit: Int64(n))]
                as [NetworkError.Kind]
            {
                let error = NetworkError(kind, phase: .receiving)
                _ = (error.description, error.userMessage, error.shortDescription)
            }
        },
        .numbers("CachedResponse.age(at:)") { x in
            for other: Double in [x, 0] {
                let response = CachedResponse(
                    url: try HTTPURL("\(try await server.get().url)json"), variant: "", status: .ok,
                    fields: [
                        .date: "Thu, 01 Jan 1970 00:00:00 GMT", .age: "99999999999999999999",
                        .cacheControl: "max-age=99999999999999999999",
                    ], body: Data("1".utf8), requestTime: date(x), responseTime: date(other))
                _ = (response.age(at: date(other)), response.age(at: date(x)))
                let store = MemoryCacheStore()
                await store.store(response)
                try await send { $0.cache = .store(store) }
            }
        },
        .numbers("JSONDateValue.number(_:)") { x in
            for dates in [JSONDates.iso8601, .epochSeconds, .epochMilliseconds] {
                let coding = JSONCoding(dates: dates)
                _ = try? coding.encode([date(x)])
            }
            let custom = JSONDates.custom(name: "a") { _ in
                date(x)
            } write: { _ in
                .number(x)
            }
            _ = try? JSONCoding(dates: custom).encode([Date.now])
        },
        .bytes("JSONValue.integer(_:)") { n in _ = "\(JSONValue.integer(n))" },
        .durations("ServerSentEvent.init(data:type:id:retry:)") { d in
            _ = "\(ServerSentEvent(data: "a", retry: d))"
        },
    ]

    private static let tests: [Extreme] = [
        .integers("MockResponse.BodyOffset.bytes(_:)") { n in
            for offset in [MockResponse.BodyOffset.bytes(n), .events(n)] {
                let events = MockResponse.events([ServerSentEvent(data: "a"), ServerSentEvent(data: "b")])
                for body in [MockResponse.text("tide"), events] {
                    for response in [
                        body.dropped(after: offset), body.reset(after: offset), body.truncated(after: offset),
                    ] {
                        try await serve { $0.any("*").reply(response) }
                    }
                }
            }
        },
        .bytes("MockResponse.Framing.length(_:)") { n in
            try await serve { $0.any("*").reply(MockResponse.text("tide").framed(.length(n))) }
        },
        .integers("MockRoute.readBody(bytesPerSecond:)") { n in
            try await serve { $0.any("*").readBody(bytesPerSecond: n).reply(.text("a")) }
        },
        .durations("MockRoute.reply(_:after:dropAfter:)") { d in
            try await serve { $0.any("*").reply(.text("a"), after: d) }
        },
        .durations("MockResponse.jsonLines(_:every:)") { d in
            try await serve { $0.any("*").reply(.jsonLines([1, 2], every: d)) }
            try await serve { $0.any("*").reply(.events(json: [1, 2], every: d)) }
        },
        .durations("MockServer.waitUntilConnectionsClose(within:)") { d in
            let server = try await MockServer { (_: MockRequest) in .text("ok") }
            try await server.waitUntilConnectionsClose(within: d)
        },
        .durations("TestClock.Instant.init(offset:)") { d in
            for other in [d, .seconds(1), .seconds(-1)] {
                let clock = TestClock()
                let instant = TestClock.Instant(offset: d)
                _ = (instant.advanced(by: other), instant.duration(to: clock.now), clock.now.duration(to: instant))
                let immediate = ImmediateClock(now: instant)
                try? await immediate.sleep(until: instant.advanced(by: other), tolerance: d)
                clock.advance(by: .seconds(1))
                try? await clock.sleep(until: instant, tolerance: d)
            }
        },
        .durations("TestClock.nextSleep(within:)") { d in _ = try await TestClock().nextSleep(within: d) },
        .integers("TestClock.waitForSleepers(count:within:)") { n in
            try await TestClock().waitForSleepers(count: n, within: .milliseconds(10))
        },
        .durations("MockTransport.waitForRequests(count:within:)") { d in
            let transport = MockTransport { (_: MockRequest) in .text("ok") }
            try await transport.waitUntilExchangesEnd(within: d)
            _ = try await transport.waitForRequests(within: d)
        },
    ]

    private struct Row: Codable, Identifiable, Sendable {
        var id: Int
    }

    private static let models: [Extreme] = [
        .integers("ImageLoader.trimMemory(to:)") { n in
            let client = try await client()
            let loader = ImageLoader<Int>(client, memoryLimit: n) { _, _ in DecodedImage(1, byteCount: n) }
            for path in ["file", "json"] { _ = try? await loader.image(at: "\(try await server.get().url)\(path)") }
            loader.trimMemory(to: n)
        },
        .integers("PageSource.numbers(from:until:_:)") { n in
            for source in [PageSource<[Row]>.numbers(from: n) { [Row(id: $0)] }, .offsets(limit: n) { [Row(id: $0)] }] {
                let loader = await PageLoader(source)
                for _ in 0..<3 { await loader.loadMore() }
            }
        },
    ]
}
