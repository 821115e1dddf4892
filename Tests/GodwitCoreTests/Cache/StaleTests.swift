import GodwitCore
import GodwitTesting
import Testing

@Suite("C1 stale responses", .timeLimit(.minutes(15)))
struct StaleTests {
    private static let windows = "max-age=60, stale-while-revalidate=30, stale-if-error=30"

    @Test("C1 RFC 5861 3 a stale response is used immediately, and validated once in the background")
    func staleWhileRevalidate() async throws {
        let scene = CacheScene(
            .cached("one", Self.windows, etag: "\"1\""), .cached("two", Self.windows, etag: "\"2\""), .text("three"))
        let chain = scene.chain
        let request = HTTPRequest(url: try HTTPURL("https://example.com/a"))
        _ = try await chain.send(request)
        scene.wait(61)
        #expect(try await chain.send(request).body.text() == "one")
        try await scene.mock.waitForRequests(count: 2)
        while try await chain.send(request).body.text() == "one" { await Task.yield() }
        let response = try await chain.send(request)
        #expect(try await response.body.text() == "two")
        #expect(response.head.fields[.age] == "0")
        #expect(scene.mock.requestCount == 2)
        #expect(scene.mock.requests.last?.fields[.ifNoneMatch] == "\"1\"")
    }

    @Test("C1 RFC 5861 4 if the server fails, the stale response is used", arguments: [500, 502, 503, 504])
    func staleIfError(status: Int) async throws {
        let scene = CacheScene(
            .cached("one", "max-age=60, stale-if-error=30", etag: "\"1\""),
            .cached("down", "no-store", status: HTTPStatus(status) ?? .ok))
        _ = try await scene.send()
        scene.wait(90)
        let response = try await scene.send()
        #expect(try await response.body.text() == "one")
        #expect(response.head.fields[.age] == "90")
        scene.wait(1)
        #expect(try await scene.send().head.status.code == status)
    }

    @Test(
        "C1 RFC 5861 4 if the server can't be reached, the stale response is used",
        arguments: [
            NetworkError.Kind.offline(.noPath), .timedOut(.connect), .transport(.cannotConnect("refused")),
        ])
    func unreachable(kind: NetworkError.Kind) async throws {
        let scene = CacheScene(.cached("one", "max-age=60, stale-if-error=30"), .failure(kind))
        _ = try await scene.send()
        scene.wait(61)
        #expect(try await scene.text() == "one")
    }

    @Test(
        "C1 RFC 9111 4.2.4 other failures, and those of a response that must be validated, are returned",
        arguments: [
            ("max-age=60, stale-if-error=30", NetworkError.Kind.insecure(.pinMismatch)),
            ("max-age=60, stale-if-error=30", .cancelled), ("max-age=60", .offline(.noPath)),
            ("max-age=60, stale-if-error=30, must-revalidate", .offline(.noPath)),
        ])
    func notBridged(control: String, kind: NetworkError.Kind) async throws {
        let scene = CacheScene(.cached("one", control, etag: "\"1\""), .failure(kind))
        _ = try await scene.send()
        scene.wait(61)
        let chain = scene.chain
        let request = HTTPRequest(url: try HTTPURL("https://example.com/a"))
        #expect(await failure { () throws(NetworkError) in try await chain.send(request) }?.kind == kind)
    }

    @Test("C1 RFC 9111 4.3.3 after a failure, the stored response is kept for the next request")
    func kept() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=60", etag: "\"1\""), .status(503), .status(.notModified))
        _ = try await scene.send()
        scene.wait(61)
        #expect(try await scene.send().head.status == .serviceUnavailable)
        #expect(try await scene.text() == "one")
    }
}
