import Foundation
import Godwit
import GodwitTesting
import TestSupport
import Testing

/// Each setting of a client, by each way to send something with it.
@Suite("M1 the client's options reach every request")
struct ClientOptionTests {
    /// What a test reads of the options that a request was sent with.
    struct Seen: Equatable, Sendable {
        var connect: Duration = .seconds(3)
        var inactivity: Duration = .seconds(4)
        /// Applies to responses that are collected.
        var total: Duration? = .seconds(9)
        var encodedLimit: Int64? = 1 << 20
        var decodedLimit: Int64? = 2 << 20
        var buffer: Int? = 2 << 20
        var blocksRedirects = true
        var compression: ContentCompression = .gzip
        var priority = RequestPriority.high
        var expectsContinue = true
        var cachePolicy = CachePolicy.cacheElseLoad
        var observes = true

        func with(_ change: (inout Seen) -> Void) -> Seen {
            var seen = self
            change(&seen)
            return seen
        }
    }

    private struct Recorder: Middleware {
        let seen = Watched<[Seen]>([])

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            let (request, options) = (call.request, call.request.options)
            let blocks = if case .block = options.redirects { true } else { false }
            let buffer: Int? = if case .buffered(let limit) = request.delivery { limit } else { nil }
            let found = Seen(
                connect: options.timeouts.connect, inactivity: options.timeouts.inactivity,
                total: options.timeouts.total, encodedLimit: options.responseLimit.encoded,
                decodedLimit: options.responseLimit.decoded, buffer: buffer, blocksRedirects: blocks,
                compression: options.compression, priority: options.priority, expectsContinue: options.expectContinue,
                cachePolicy: options.cachePolicy, observes: options.onEvent != nil)
            seen.update { $0.append(found) }
            throw NetworkError(.transport(.other("recorded")), phase: .sending)
        }
    }

    private func makeClient(_ recorder: Recorder) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: MockTransport { _ in .text("") }) {
            $0.timeouts.connect = .seconds(3)
            $0.timeouts.inactivity = .seconds(4)
            $0.timeouts.total = .seconds(9)
            $0.responseLimit = ResponseLimit(encoded: 1 << 20, decoded: 2 << 20)
            $0.redirects = .block
            $0.compression = .gzip
            $0.options.priority = .high
            $0.options.expectContinue = true
            $0.options.cachePolicy = .cacheElseLoad
            $0.options.onEvent = { _ in }
            $0.retry.maximumAttempts = 1
            $0.attemptMiddleware.append(recorder)
        }
    }

    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let expected: Seen
        let send: @Sendable (APIClient, URL) async throws -> Void

        init(_ name: String, _ expected: Seen, _ send: @escaping @Sendable (APIClient, URL) async throws -> Void) {
            (testDescription, self.expected, self.send) = (name, expected, send)
        }
    }

    private static let endpoint = Endpoint<String>.get("tides")
    private static let transferred = Seen().with { $0.total = nil }
    private static let streamed = transferred.with { $0.buffer = nil }

    private static func raw(_ delivery: Delivery) throws -> HTTPRequest {
        HTTPRequest(url: try HTTPURL("https://api.example.com/tides"), delivery: delivery)
    }

    static let ways = [
        Way("send", Seen()) { api, _ in _ = try await api.send(endpoint) },
        Way("response", Seen()) { api, _ in _ = try await api.response(for: endpoint) },
        Way("result", Seen()) { api, _ in _ = await api.result(of: endpoint) },
        Way("a request", Seen()) { api, _ in _ = try await api.send(try raw(.buffered)) },
        Way("a streamed request", streamed) { api, _ in _ = try await api.send(try raw(.streamed)) },
        Way("a request for a file", streamed) { _ = try await $0.send(try raw(.file($1))) },
        Way("stream", streamed) { api, _ in for try await _ in api.stream(endpoint) {} },
        Way("download", streamed.with { $0.cachePolicy = .reloadIgnoringCache }) {
            _ = try await $0.download(endpoint, to: $1).file
        },
        Way("upload", transferred) { api, _ in _ = try await api.upload(endpoint) },
        Way(
            "events",
            streamed.with { ($0.encodedLimit, $0.decodedLimit, $0.cachePolicy) = (nil, nil, .reloadIgnoringCache) }
        ) { api, _ in
            for try await _ in api.events(endpoint, configure: { $0.reconnection = .never }) {}
        },
    ]

    @Test("M1 a client's options apply, by whatever way a request is sent", arguments: ways)
    func table(_ way: Way) async throws {
        let folder = TemporaryFolder()
        let recorder = Recorder()
        try? await way.send(makeClient(recorder), folder.url.appending(path: "file"))
        #expect(recorder.seen.value == [way.expected])
    }

    @Test("M1 a request's own options take precedence, each by itself, also over those of a cache scope")
    func own() async throws {
        let recorder = Recorder()
        let api = makeClient(recorder)
        var request = try Self.raw(.buffered(limit: 5))
        request.options.timeouts.connect = .seconds(30)
        request.options.timeouts.total = nil
        request.options.responseLimit.decoded = 7
        request.options.redirects = .follow
        request.options.priority = .normal
        request.options.expectContinue = false
        let expected = Seen().with {
            ($0.connect, $0.total, $0.decodedLimit, $0.buffer) = (.seconds(30), nil, 7, 5)
            ($0.blocksRedirects, $0.priority, $0.expectsContinue) = (false, .normal, false)
            $0.cachePolicy = .reloadRevalidating
        }
        await withCachePolicy(.reloadRevalidating) { _ = try? await api.send(request) }
        #expect(recorder.seen.value == [expected])
    }

    @Test("M1 limits that are equal are equal, whether they were set or not")
    func equality() {
        var set = Timeouts()
        (set.connect, set.inactivity, set.total) = (.seconds(30), .seconds(60), nil)
        #expect(set == Timeouts())
        #expect(set.hashValue == Timeouts().hashValue)
        set.total = .seconds(1)
        #expect(set != Timeouts())
    }

    @Test("M1 over sockets, a request gets the client's redirects, limits and compression")
    func behavior() async throws {
        let server = try await MockServer {
            $0.get("/moved").reply(.redirect(to: "/large"))
            $0.get("/large").reply(.text(String(repeating: "a", count: 3000)))
            $0.post("/echo").reply(.text("ok"))
        }
        let api = APIClient(baseURL: server.url) {
            $0.redirects = .block
            $0.responseLimit.decoded = 2000
            $0.compression = .gzip
        }
        #expect(try await api.send(HTTPRequest(url: "\(server.url)/moved")).head.status == .found)
        let error = await #expect(throws: NetworkError.self) {
            try await api.send(HTTPRequest(url: "\(server.url)/large"))
        }
        #expect(error?.kind == .tooLarge(limit: 2000))
        let body = HTTPBody.bytes(Data(repeating: 97, count: 5000))
        _ = try await api.send(HTTPRequest(method: .post, url: "\(server.url)/echo", body: body))
        #expect(server.requests.last?.fields[.contentEncoding] == "gzip")
    }
}
