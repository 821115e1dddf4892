import GodwitCore
import GodwitTesting
import Synchronization
import Testing

@Suite("C1 a store in memory, which needs no waiting, and any other store", .timeLimit(.minutes(15)))
struct CacheWaysTests {
    /// Answers of a server, one after the other, and requests with the seconds before each.
    struct Story: Sendable, CustomTestStringConvertible {
        typealias Request = (seconds: Double, method: HTTPMethod, fields: HTTPFields, policy: CachePolicy)

        let testDescription: String
        let answers: [MockResponse]
        var requests: [Request] = Array(repeating: (1, .get, [:], .useProtocol), count: 3)
    }

    private static let fresh = MockResponse.cached("one", "max-age=60", etag: "\"1\"")
    private static let stale = MockResponse.cached("one", "max-age=0, stale-if-error=60", etag: "\"1\"")

    static let stories = [
        Story(testDescription: "fresh", answers: [fresh, .text("two")]),
        Story(testDescription: "not to store", answers: [.cached("one", "no-store"), .text("two"), fresh]),
        Story(testDescription: "stale", answers: [stale, .status(.notModified), .cached("two", "max-age=9")]),
        Story(
            testDescription: "failing",
            answers: [stale, .status(.serviceUnavailable), .failure(.transport(.cannotConnect("refused")))]),
        Story(testDescription: "gone", answers: [stale, .status(.notFound), .text("three")]),
        Story(testDescription: "unknown", answers: [.status(.internalServerError), .status(.notFound), fresh]),
        Story(
            testDescription: "any variant",
            answers: [fresh.field(.vary, "*"), fresh.field(.vary, "Accept"), .text("3")]),
        Story(testDescription: "with a cookie", answers: [fresh.field(.setCookie, "a=1")]),
        Story(
            testDescription: "too large",
            answers: [.cached(String(repeating: "x", count: 1 << 18), "max-age=9"), .text("2")]),
        Story(
            testDescription: "variants", answers: [fresh.field(.vary, "Accept"), fresh, .text("three")],
            requests: ["a", "b", "a"].map { (1, .get, [.accept: $0], .useProtocol) }),
        Story(
            testDescription: "other methods", answers: [.text(""), fresh, .text("changed"), .text("again")],
            requests: [.head, .get, .head, .post, .get].map { (1, $0, [:], .useProtocol) }),
        Story(
            testDescription: "policies", answers: [fresh, .text("two"), .text("three")],
            requests: [
                .cacheElseLoad, .reloadIgnoringCache, .useProtocol, .reloadRevalidating, .cacheElseLoad, .cacheOnly,
            ]
            .map { (1, .get, [:], $0) }),
        Story(
            testDescription: "directives", answers: [fresh, .text("two"), .text("three")],
            requests: ["only-if-cached", "no-store", "max-age=9", "no-cache", "only-if-cached"]
                .map { (1, .get, [.cacheControl: $0], .useProtocol) }),
        Story(
            testDescription: "conditions", answers: [.status(.notModified), fresh, .text("three")],
            requests: ["\"1\"", "\"2\"", "\"1\"", "\"2\""].map { (1, .get, [.ifNoneMatch: $0], .useProtocol) }),
        Story(
            testDescription: "later", answers: [fresh, .status(.notModified), .text("three")],
            requests: [0, 59, 2, 59, 60].map { ($0, .get, [:], .useProtocol) }),
    ]

    @Test("C1 give the same answers, ask the server the same, and keep the same", arguments: stories)
    func same(_ story: Story) async throws {
        let memory = try await tell(story, MemoryCacheStore(limit: 1 << 20))
        #expect(try await memory == tell(story, SlowCacheStore(.open, limit: 1 << 20)))
        #expect(memory.count == story.requests.count + 2)
    }

    /// What the requests get, what the server is asked, and what is stored in the end.
    private func tell(_ story: Story, _ store: some CacheStore) async throws -> [String] {
        let time = Mutex(Date(timeIntervalSince1970: 784_111_777))
        let mock = MockTransport { $0.any("*").replies(story.answers) }
        let chain = Chain([Caching(store) { time.withLock { $0 } }], over: mock)
        let url = try HTTPURL("https://example.com/a")
        var texts: [String] = []
        for (seconds, method, fields, policy) in story.requests {
            time.withLock { $0 += seconds }
            var request = HTTPRequest(method: method, url: url, fields: fields)
            request.options.cachePolicy = policy
            do {
                let response = try await chain.send(request)
                let status = response.metrics.cacheStatus.map { "\($0)" } ?? "none"
                texts.append("\(response.head) \(try await response.body.text()) \(status)")
            } catch {
                texts.append("\(error.kind)")
            }
        }
        texts.append(mock.requests.map { "\($0.method) \($0.fields)" }.joined(separator: "\n"))
        let stored = await store.responses(for: url).map { "\($0.variant) \($0.body.count) \($0.fields)" }.sorted()
        return texts + [stored.joined(separator: "\n")]
    }
}
