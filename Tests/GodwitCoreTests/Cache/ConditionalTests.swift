import GodwitCore
import GodwitTesting
import Testing

@Suite("C5 conditional requests", .timeLimit(.minutes(15)))
struct ConditionalTests {
    @Test("C5 a tag is sent; the result is a new value with its tag, or that nothing has changed")
    func ifNoneMatch() async throws {
        let mock = MockTransport {
            $0.get("/v1/a").reply { request in
                guard request.fields[.ifNoneMatch] != "\"2\"" else { return .status(.notModified) }
                return .text("content").field(.etag, "\"2\"")
            }
        }
        let api = articles(mock)
        let read = Endpoint<String>.get("a")
        let first = try await api.send(read.ifNoneMatch(nil))
        #expect(first == .modified("content", etag: "\"2\""))
        #expect(first.value == "content")
        #expect(mock.requests.first?.fields.contains(.ifNoneMatch) == false)
        #expect(try await api.send(read.ifNoneMatch("\"1\"")) == .modified("content", etag: "\"2\""))
        let last = try await api.send(read.ifNoneMatch("\"2\""))
        #expect(last == .notModified && last.value == nil)
    }

    @Test("C5 an endpoint keeps its own options and fields when it becomes conditional")
    func options() throws {
        let api = articles(MockTransport { _ in })
        let endpoint = Endpoint<String>.get("a", query: ["q": 1]).header("X", "1").cachePolicy(.cacheOnly)
        let request = try api.request(for: endpoint.ifModifiedSince(Date(timeIntervalSince1970: 784_111_777)))
        #expect(request.url.target == "/v1/a?q=1" && request.fields["X"] == "1")
        #expect(request.fields[.ifModifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(request.options.cachePolicy == .cacheOnly && request.options.acceptedStatuses == [304])
    }

    @Test("C5 a change names the version that it is based on, and fails if there is a newer one")
    func ifMatch() async throws {
        let mock = MockTransport {
            $0.put("/v1/a").reply { .status($0.fields[.ifMatch] == "\"1\"" ? 204 : 412) }
        }
        let api = articles(mock)
        let change = Endpoint<Void>.put("a", body: .json(1))
        try await api.send(change.ifMatch("\"1\""))
        #expect(await api.failure(of: change.ifMatch("\"0\""))?.kind == .client(status: 412))
    }

    @Test("C5 further conditions are written as RFC 9110 says")
    func others() throws {
        let api = articles(MockTransport { _ in })
        let put = Endpoint<Void>.put("a")
        #expect(try api.request(for: put.ifAbsent()).fields[.ifNoneMatch] == "*")
        let date = Date(timeIntervalSince1970: 784_111_777)
        let fields = try api.request(for: put.ifUnmodifiedSince(date)).fields
        #expect(fields[.ifUnmodifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("C5 RFC 9111 4.3.2 the server evaluates a condition although a fresh response is stored, which is refreshed")
    func withCache() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=60", etag: "\"1\""), .status(.notModified).field(.etag, "\"1\""))
        _ = try await scene.send()
        scene.wait(50)
        #expect(try await scene.send(.get, "/a", [.ifNoneMatch: "\"1\""]).head.status == .notModified)
        scene.wait(50)
        #expect(try await scene.text() == "one")
        #expect(scene.mock.requestCount == 2)
    }
}
