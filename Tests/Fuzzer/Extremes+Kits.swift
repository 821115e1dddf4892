import Godwit
import GodwitBackground
import GodwitTelemetry
import GodwitTesting
import GodwitUI
import TestSupport

extension Extreme {
    static let values: [Extreme] = [
        .integers("HTTPStatus.init(_:)") { n in _ = HTTPStatus(n).map { "\($0)" } },
        .integers("HTTPFields.reserveCapacity(_:)") { n in
            var fields = HTTPFields()
            fields.reserveCapacity(n)
        },
        .integers("JSONDates.iso8601(fractionDigits:)") { n in
            _ = try? JSONCoding(dates: .iso8601(fractionDigits: n)).encode(Date(timeIntervalSince1970: 1e9))
        },
        .integers("JSONDocument.init(parsing:maximumDepth:)") { n in
            _ = try JSONDocument(parsing: Data("[[1]]".utf8), maximumDepth: n)
        },
        .integers("JSONModelDecoder.maximumDepth") { n in
            var decoder = JSONModelDecoder()
            decoder.maximumDepth = n
            _ = try decoder.decode([[Int]].self, from: Data("[[1]]".utf8))
        },
        .integers("JSONElementSplitter.init(at:elementLimit:maximumDepth:)") { n in
            for (limit, depth) in [(n, 10), (100, n)] {
                var splitter = try JSONElementSplitter(at: "", elementLimit: limit, maximumDepth: depth)
                splitter.append(Data("[[1],[2]]".utf8))
                while try splitter.next() != nil {}
            }
        },
        .numbers("JSONValue.init(floatLiteral:)") { x in
            _ = try? JSONModelEncoder().encode(JSONValue(floatLiteral: x))
            _ = try? JSONModelEncoder().encode([x])
            _ = try? JSONCoding(dates: .epochMilliseconds).encode(Date(timeIntervalSince1970: x))
            _ = try? JSONCoding().encode(Date(timeIntervalSince1970: x))
        },
        .numbers("Backoff.init(base:factor:cap:)") { x in
            var generator = SplitMix(seed: 1)
            for count in [Int.min, -1, 0, 1, .max] {
                _ = Backoff(factor: x).delay(afterFailure: count, using: &generator)
            }
        },
        .integers("Backoff.delay(afterFailure:using:)") { n in
            var generator = SplitMix(seed: 1)
            _ = Backoff().delay(afterFailure: n, using: &generator)
        },
        .numbers("AccessToken.expiry") { x in
            let token = AccessToken(access: "a", refresh: "b", expiry: Date(timeIntervalSince1970: x))
            _ = try? JSONEncoder().encode(token)
            _ = try await TokenRefresher(store: MemoryTokenStore(token)) { $0 }.token()
        },
        .numbers("Cookie.expires") { x in
            var cookie = Cookie(name: "a", value: "b", domain: "example.com")
            cookie.expires = Date(timeIntervalSince1970: x)
            let jar = CookieJar()
            try jar.add(cookie)
            _ = jar.cookies(for: try HTTPURL("http://example.com/"))
        },
    ]

    static let kits: [Extreme] =
        [
            .integers("Cassette.Options.bodyLimit") { n in try cassette { $0.bodyLimit = n } },
            .integers("Cassette.Options.fileLimit") { n in try cassette { $0.fileLimit = n } },
            .integers("MockServer.Options.bodyLimit") { n in try await mock { $0.bodyLimit = n } },
            .integers("MockServer.Options.headLimit") { n in try await mock { $0.headLimit = n } },
            .integers("MockServer.Options.receiveBuffer") { n in try await mock { $0.receiveBuffer = n } },
            .integers("MockServer.Options.recordLimit") { n in try await mock { $0.recordLimit = n } },
            .integers("MockServer.Options.sendBuffer") { n in try await mock { $0.sendBuffer = n } },
            .integers("MockTransport.init(clock:bodyLimit:fileID:filePath:line:column:handler:)") { n in
                let transport = MockTransport(bodyLimit: n) { (_: MockRequest) in .text("ok") }
                _ = try await APIClient(baseURL: "http://localhost/", transport: transport).send(
                    Endpoint<String>.post("a", body: .text("b")))
            },
            .integers("MockResponse.status(_:)") { n in try await reply(.status(n)) },
            .integers("MockResponse.throttled(bytesPerSecond:)") { n in
                try await reply(MockResponse.text("ok").throttled(bytesPerSecond: n))
            },
            .integers("MockResponse.chunks(of:count:every:)") { n in
                try await reply(.chunks(of: n, count: 2))
            },
            .integers("MockResponse.chunks(of:count:every:) count") { n in try await reply(.chunks(of: 2, count: n)) },
            .integers("MockResponse.endlessChunks(of:every:)") { n in
                try await reply(.endlessChunks(of: n, every: .milliseconds(5)))
            },
            .durations("MockResponse.chunks(_:every:contentType:)") { d in
                try await reply(.chunks([Data([1]), Data([2])], every: d))
            },
            .durations("MockResponse.delayed(by:)") { d in try await reply(MockResponse.text("ok").delayed(by: d)) },
            .durations("MockResponse.events(_:every:)") { d in
                try await reply(.events([ServerSentEvent(data: "a")], every: d))
            },
            .bytes("MockResponse.stream(once:length:contentType:)") { n in try await reply(.chunks([Data([1])])) },
            .durations("MockServer.waitForRequests(count:within:)") { d in
                let server = try await MockServer { (_: MockRequest) in .text("ok") }
                _ = try await server.waitForRequests(count: 1, within: d)
            },
            .integers("MockServer.waitForRequests(count:within:) count") { n in
                let server = try await MockServer { (_: MockRequest) in .text("ok") }
                _ = try await server.waitForRequests(count: n, within: .milliseconds(20))
            },
            .durations("TestClock.advance(by:)") { d in
                let clock = TestClock()
                clock.advance(by: d)
                clock.advance(by: d)
                try await clock.sleep(until: clock.now.advanced(by: d), tolerance: nil)
            },
            .durations("TestClock.runUntilIdle(quiet:limit:)") { d in _ = try await TestClock().runUntilIdle(quiet: d)
            },
            .integers("TestClock.runUntilIdle(quiet:limit:) limit") { n in
                _ = try await TestClock().runUntilIdle(quiet: .milliseconds(1), limit: n)
            },
            .durations("BackgroundConfiguration.idleTime") { d in
                _ = try? await BackgroundSession(identifier: "x") {
                    $0.idleTime = d; $0.program = URL(filePath: "/missing");
                    $0.directory = URL(filePath: "\(FuzzTarget.folder)/q")
                }.jobs()
            },
            .integers("BackgroundConfiguration.parallelJobs") { n in
                _ = try? await BackgroundSession(identifier: "x") {
                    $0.parallelJobs = n; $0.program = URL(filePath: "/missing");
                    $0.directory = URL(filePath: "\(FuzzTarget.folder)/q")
                }.jobs()
            },
            .integers("BackgroundJobOptions.parallelRanges") { n in try await job { $0.parallelRanges = n } },
            .durations("BackgroundJobOptions.timeLimit") { d in try await job { $0.timeLimit = d } },
            .integers("MockUploads.Options.bytesPerSecond") { n in
                let uploads = MockUploads { $0.bytesPerSecond = n }
                let server = try await MockServer { $0.resumableUploads("/files", into: uploads) }
                let client = APIClient(baseURL: server.url, preset: .ephemeral)
                _ = try? await client.upload(URL(filePath: #filePath), to: .resumable(Endpoint<Void>.post("files")))
                    .value
                await client.shutdown(.cancelling)
                await server.stop()
            },
        ] + telemetry

    private static func job(_ configure: (inout BackgroundJobOptions) -> Void) async throws {
        let session = BackgroundSession(identifier: "x") {
            $0.program = URL(filePath: "/missing")
            $0.directory = URL(filePath: "\(FuzzTarget.folder)/q")
        }
        let request = HTTPRequest(url: try await server.get().url)
        _ = try? await session.download(request, to: URL(filePath: "\(FuzzTarget.folder)/input"), configure: configure)
    }

    private static func cassette(_ configure: (inout Cassette.Options) -> Void) throws {
        var options = Cassette.Options()
        configure(&options)
        _ = try? Cassette(at: URL(filePath: "\(FuzzTarget.folder)/missing"), mode: .recordOnce, options: options)
    }

    private static func mock(_ configure: (inout MockServer.Options) -> Void) async throws {
        var options = MockServer.Options()
        configure(&options)
        let server = try await MockServer(options) { (_: MockRequest) in .text("ok") }
        let client = APIClient(baseURL: server.url, preset: .ephemeral) { $0.retry.maximumAttempts = 1 }
        _ = try? await client.send(Endpoint<String>.post("a", body: .text("tide")))
        await client.shutdown(.cancelling)
        await server.stop()
    }

    private static func reply(_ response: MockResponse) async throws {
        let server = try await MockServer { (_: MockRequest) in response }
        let client = APIClient(baseURL: server.url, preset: .ephemeral) { $0.retry.maximumAttempts = 1 }
        _ = try? await client.send(Endpoint<String>.get("a"))
        await client.shutdown(.cancelling)
        await server.stop()
    }

    private static let telemetry: [Extreme] = [
        .integers("TelemetryOptions.cardinalityLimit") { n in try await export { $0.cardinalityLimit = n } },
        .durations("TelemetryOptions.exportTimeout") { d in try await export { $0.exportTimeout = d } },
        .durations("TelemetryOptions.longestRetryAfter") { d in try await export { $0.longestRetryAfter = d } },
        .integers("TelemetryOptions.maxExportBatchBytes") { n in try await export { $0.maxExportBatchBytes = n } },
        .integers("TelemetryOptions.maxExportBatchSize") { n in try await export { $0.maxExportBatchSize = n } },
        .integers("TelemetryOptions.maxQueueBytes") { n in try await export { $0.maxQueueBytes = n } },
        .integers("TelemetryOptions.maxQueueSize") { n in try await export { $0.maxQueueSize = n } },
        .durations("TelemetryOptions.maxRetryTime") { d in try await export { $0.maxRetryTime = d } },
        .durations("TelemetryOptions.metricExportInterval") { d in try await export { $0.metricExportInterval = d } },
        .durations("TelemetryOptions.scheduledDelay") { d in try await export { $0.scheduledDelay = d } },
        .numbers("TelemetryOptions.Sampling.traceIDRatio(_:)") { x in
            try await export { $0.sampling = .traceIDRatio(x) }
        },
        .durations("Telemetry.flush(within:)") { d in
            let telemetry = try Telemetry(otlp: "http://127.0.0.1:1", service: "s")
            _ = await telemetry.flush(within: d)
            _ = await telemetry.shutdown(within: d)
        },
    ]

    private static func export(_ configure: @Sendable (inout TelemetryOptions) -> Void) async throws {
        let url = try await server.get().url
        let telemetry = try Telemetry(otlp: url, service: "s", configure)
        let client = APIClient(baseURL: url, preset: .ephemeral) { $0.telemetry = telemetry }
        for _ in 0..<3 { _ = try? await client.send(Endpoint<JSONValue>.get("json")) }
        _ = await telemetry.flush(within: .milliseconds(100))
        _ = await telemetry.shutdown(within: .milliseconds(100))
        await client.shutdown(.cancelling)
    }

    static let screens: [Extreme] = [
        .integers("ImageOptions.concurrentDecodes") { n in try await image { $0.concurrentDecodes = n } },
        .integers("ImageOptions.concurrentPrefetches") { n in try await image { $0.concurrentPrefetches = n } },
        .integers("ImageOptions.memoryLimit") { n in try await image { $0.memoryLimit = n } },
        .integers("ImageOptions.pixelLimit") { n in try await image { $0.pixelLimit = n } },
        .durations("ImageOptions.previewInterval") { d in try await image { $0.previewInterval = d } },
        .integers("ImageOptions.previewLimit") { n in try await image { $0.previewLimit = n } },
        .integers("PixelSize.init(width:height:contentMode:)") { n in
            _ = PixelSize(width: n, height: n).fitting(width: 10, height: 10)
        },
        .numbers("PixelSize.init(points:_:scale:contentMode:)") { x in
            _ = PixelSize(points: x, x, scale: x).fitting(width: x, height: x)
        },
        .durations("QueryOptions.refetchInterval") { d in try await queries { $0.refetchInterval = d } },
        .durations("QueryOptions.staleAfter") { d in try await queries { $0.staleAfter = d } },
        .durations("QueryOptions.unusedLifetime") { d in try await queries { $0.unusedLifetime = d } },
        .integers("PageLoader.init(_:prefetchDistance:retryingWith:)") { n in
            let client = APIClient(baseURL: try await server.get().url, preset: .ephemeral)
            let loader = await PageLoader(
                client.pages(Paging<[Row]>.offsets(limit: 2) { .get("lines", query: ["o": $0]) }), prefetchDistance: n)
            await loader.load()
        },
        .integers("LiveFeed.init(_:_:limit:configure:)") { n in
            let client = APIClient(baseURL: try await server.get().url, preset: .ephemeral)
            let feed = await LiveFeed(client, Endpoint<Void>.get("events"), limit: n)
            await feed.run()
        },
        .durations("SearchModel.init(debounce:minimumLength:clock:_:)") { d in
            let model = await SearchModel(debounce: d) { (text: String) in [text] }
            await MainActor.run { model.text = "tide" }
        },
        .integers("SearchModel.init(debounce:minimumLength:clock:_:) minimumLength") { n in
            let model = await SearchModel(minimumLength: n) { (text: String) in [text] }
            await MainActor.run { model.text = "tide" }
        },
    ]

    private struct Row: Codable, Identifiable, Sendable {
        var id: Int
    }

    private static func image(_ configure: @escaping @Sendable (inout ImageOptions) -> Void) async throws {
        var options = ImageOptions()
        configure(&options)
        let client = APIClient(baseURL: try await server.get().url, preset: .ephemeral)
        let loader = ImageLoader<Int>(client, options: options) { data, _ in DecodedImage(1, byteCount: data.count) }
        _ = try? await loader.image(at: "\(try await server.get().url)file")
    }

    @MainActor
    private static func queries(_ configure: @Sendable (inout QueryOptions) -> Void) async throws {
        let client = APIClient(baseURL: try await server.get().url, preset: .ephemeral)
        var options = QueryOptions()
        configure(&options)
        let store = QueryStore(client, options: options)
        let loader = Loader(store, Endpoint<JSONValue>.get("json"))
        await loader.load()
        await loader.load()
    }
}
