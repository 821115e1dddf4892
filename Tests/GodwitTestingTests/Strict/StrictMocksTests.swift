import Godwit
import GodwitTesting
import GodwitTestingTraits
import Testing

@Suite("X6 strict mocks", .timeLimit(.minutes(15)))
struct StrictMocksTests {
    private let url = "https://api.example.com"

    private func client(_ mock: MockTransport) -> APIClient {
        APIClient(baseURL: url, transport: mock) { $0.retry.maximumAttempts = 1 }
    }

    @Test("X6 verify succeeds if each route was used and each request matched")
    func satisfied() async throws {
        let mock = MockTransport {
            $0.get("/a").replies([.text("1"), .text("2")])
            $0.get("/health").optional().reply(.status(.noContent))
        }
        for _ in 0..<3 { _ = try await client(mock).send(Endpoint<String>.get("a")) }
        #expect(mock.issues.isEmpty)
        try mock.verify()
    }

    @Test("X6 an unused route is an issue at its line, an unmatched request one at the nearest route's")
    func issues() async throws {
        let line = UInt(#line)
        let mock = MockTransport {
            $0.get("/articles/:id").reply(.text("a"))
            $0.post("/articles").reply(.text("b"))
        }
        _ = await client(mock).result(of: Endpoint<String>.get("article/1"))
        _ = await client(mock).result(of: Endpoint<String>.get("nothing/like/any/of/these"))
        let issues = mock.issues
        #expect(issues.map(\.kind) == [.unmatchedRequest, .unmatchedRequest, .unusedRoute, .unusedRoute])
        #expect(issues.map(\.location.line) == [line + 2, line + 1, line + 2, line + 3])
        #expect(issues.allSatisfy { "\($0.location.fileID)" == #fileID && "\($0.location.filePath)" == #filePath })
        let failure = #expect(throws: MockFailure.self) { try mock.verify() }
        #expect(failure?.description.split(separator: "\n").count == 4)
        #expect(
            failure?.description.hasPrefix("StrictMocksTests.swift:\(line + 2): no route for GET /article/1") == true)
    }

    @Test("X6 unused replies are an issue, unless the route is optional")
    func unusedReplies() async throws {
        let line = UInt(#line)
        let mock = MockTransport {
            $0.get("/a").replies([.text("1"), .text("2"), .text("3")])
            $0.get("/b").optional().replies([.text("1"), .text("2")])
        }
        for path in ["a", "b"] { _ = try await client(mock).send(Endpoint<String>.get(.init(stringLiteral: path))) }
        #expect(mock.issues.map(\.text) == ["1 of 3 replies of the route GET /a used"])
        #expect(mock.issues.map(\.location.line) == [line + 2])
    }

    @Test("X6 a repeated request is one issue, and the number of issues is bounded")
    func bounded() async throws {
        let mock = MockTransport { _ in }
        for number in 0..<300 { _ = await client(mock).result(of: Endpoint<String>.get("\(number % 150)")) }
        #expect(mock.issues.count == 100)
    }

    @Test("X6 a server is as strict as a transport, over a socket")
    func server() async throws {
        let line = UInt(#line)
        let server = try await MockServer { route in
            route.get("/a").reply(.text("a"))
            route.webSocket("/live") { _ in }
        }
        let api = APIClient(baseURL: server.url) { $0.retry.maximumAttempts = 1 }
        _ = await api.result(of: Endpoint<String>.get("b"))
        #expect(server.issues.map(\.kind) == [.unmatchedRequest, .unusedRoute, .unusedRoute])
        #expect(server.issues.map(\.location.line) == [line + 2, line + 2, line + 3])
        #expect(throws: MockFailure.self) { try server.verify() }
        await server.stop()
    }

    @Test(
        "X6 the text of an unmatched request names the nearest route and what differs",
        arguments: [
            ("/article/1", "GET /articles/:id", "the path differs"),
            ("/v1/articles/1", "GET /articles/:id", "the path begins with /v1"),
            ("/drafts", "POST /drafts", "the method differs"),
            ("/search?q=winds", "GET /search?q=tides", "the query differs"),
            ("/closed", "GET /closed", "its condition does not hold"),
            ("/Articles/1", "GET /articles/:id", "the path differs"),
        ])
    func nearest(target: String, route: String, reason: String) async throws {
        let mock = MockTransport {
            $0.get("/articles/:id").reply(.text("a"))
            $0.post("/drafts").reply(.text("b"))
            $0.when(.get, "/search", query: ["q": "tides"]).reply(.text("c"))
            $0.get("/closed").where { _ in false }.reply(.text("d"))
        }
        let url = try HTTPURL("https://api.example.com\(target)")
        let error = await #expect(throws: NetworkError.self) {
            try await mock.send(HTTPRequest(method: .get, url: url))
        }
        guard case .invalidRequest(let text) = error?.kind else { throw Unexpected() }
        #expect(text.hasPrefix("no route for GET \(target); did you mean \(route) at StrictMocksTests.swift:"))
        #expect(text.contains("(\(reason))? routes: GET /articles/:id, POST /drafts, "))
    }

    @Test("X6 long paths are compared in bounded time, and a long list of routes is truncated")
    func longPath() async throws {
        let mock = MockTransport { route in
            for number in 0..<50 { route.get("/\(String(repeating: "a", count: 50))\(number)").reply(.text("")) }
        }
        let path = String(repeating: "a", count: 200_000)
        let request = HTTPRequest(method: .get, url: try HTTPURL("https://api.example.com/\(path)"))
        _ = await #expect(throws: NetworkError.self) { try await mock.send(request) }
        #expect(mock.issues.first?.text.hasSuffix(" and 30 more") == true)
    }

    @Test("X6 withStrictMocks reports the issues of all its mocks at the end")
    func scope() async throws {
        let outside = MockTransport { $0.get("/outside").reply(.text("")) }
        var texts: [String] = []
        let value = try await withStrictMocks {
            texts.append($0.text)
        } operation: {
            let mock = MockTransport { $0.get("/a").reply(.text("a")) }
            async let other = MockServer { $0.get("/b").reply(.text("b")) }.stop()
            _ = try await (client(mock).send(Endpoint<String>.get("a")), other)
            #expect(texts.isEmpty)
            return 7
        }
        #expect(value == 7)
        #expect(texts == ["no request for the route GET /b (add .optional() if a test may leave it unused)"])
        #expect(outside.issues.count == 1)
    }

    @Test("X6 if the operation throws, only unmatched requests are reported")
    func throwingScope() async throws {
        var kinds: [MockIssue.Kind] = []
        await #expect(throws: NetworkError.self) {
            try await withStrictMocks {
                kinds.append($0.kind)
            } operation: {
                let mock = MockTransport { $0.get("/a").reply(.text("a")) }
                _ = try await client(mock).send(Endpoint<String>.get("b"))
            }
        }
        #expect(kinds == [.unmatchedRequest])
    }

    @Test("X6 the trait records issues of Swift Testing at the lines of the routes")
    func recorded() async throws {
        let test = try #require(Test.current)
        let found = Found()
        let line = #line
        try await withKnownIssue {
            try await StrictMocksTrait.strictMocks.provideScope(for: test, testCase: nil) {
                let mock = MockTransport {
                    $0.get("/a").reply(.text("a"))
                    $0.get("/used").reply(.text("b"))
                }
                _ = try await mock.send(HTTPRequest(method: .get, url: HTTPURL("https://api.example.com/used")))
            }
        } matching: { issue in
            found.add("\(issue.sourceLocation?.line ?? 0) \(issue.comments.first?.rawValue.prefix(31) ?? "")")
            return true
        }
        #expect(found.texts == ["\(line + 4) no request for the route GET /a"])
    }

    @Test("X6 a test with the trait passes if its mocks are used as written", .strictMocks)
    func underTheTrait() async throws {
        let mock = MockTransport { $0.get("/a").reply(.text("a")) }
        #expect(try await client(mock).send(Endpoint<String>.get("a")) == "a")
    }

    @Test("X6 GodwitTesting does not link Swift Testing")
    func programs() throws {
        let traits = try Set(imports(in: "Sources/GodwitTestingTraits"))
        #expect(traits == ["GodwitTesting", "Testing"])
        #expect(try !imports(in: "Sources/GodwitTesting").contains("Testing"))
    }

    private func imports(in folder: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(folder)")
            .standardized
        let files = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        return try files.flatMap { file in
            let text = String(decoding: try Data(contentsOf: root.appending(path: file)), as: UTF8.self)
            return text.split(separator: "\n").filter { $0.hasPrefix("import ") || $0.hasPrefix("public import ") }
                .map { String($0.split(separator: " ").last ?? "") }
        }
    }
}

private struct Unexpected: Error {}

private final class Found: Sendable {
    private let state = Watched<[String]>([])
    var texts: [String] { state.value }
    func add(_ text: String) { state.update { $0.append(text) } }
}
