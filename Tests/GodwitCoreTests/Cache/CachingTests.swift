import GodwitCore
import GodwitTesting
import Testing

@Suite("C1 the cache between a client and its server", .timeLimit(.minutes(15)))
struct CachingTests {
    @Test("C1 RFC 9111 4 a fresh response is reused without the server, with its age (5.1)")
    func reuse() async throws {
        let scene = CacheScene(.cached("one", "max-age=60"), .text("two"))
        let first = try await scene.send()
        #expect(first.head.fields[.age] == nil)
        scene.wait(59)
        let second = try await scene.send()
        #expect(try await second.body.text() == "one")
        #expect(second.head.fields[.age] == "59" && second.head.fields[.contentType] != nil)
        #expect(second.request.url.path == "/a" && scene.mock.requestCount == 1)
        scene.wait(1)
        #expect(try await scene.text() == "two")
    }

    @Test("C1 RFC 9111 4.3.3 after a 304, the stored response is returned, and fresh again")
    func revalidation() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=60", etag: "\"1\""), .status(.notModified).field("X-Seen", "1"), .text("two"))
        _ = try await scene.send()
        scene.wait(61)
        let response = try await scene.send()
        #expect(response.head.status == .ok && response.head.fields["X-Seen"] == "1")
        #expect(response.head.fields[.age] == nil)
        #expect(try await response.body.text() == "one")
        #expect(scene.mock.requests.last?.fields[.ifNoneMatch] == "\"1\"")
        #expect(response.request.fields[.ifNoneMatch] == nil)
        scene.wait(59)
        #expect(try await scene.text() == "one")
        #expect(scene.mock.requestCount == 2)
    }

    @Test("C1 RFC 9111 4.3.3 a full response to a validation replaces the stored one")
    func replaced() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=1", etag: "\"1\""), .cached("two", "max-age=60", etag: "\"2\""), .text("three"))
        _ = try await scene.send()
        scene.wait(2)
        #expect(try await scene.text() == "two")
        #expect(try await scene.text() == "two")
        #expect(scene.mock.requestCount == 2)
    }

    @Test(
        "C1 RFC 9111 4.3.4 after a 304 about another response, the request is sent again without conditions")
    func foreignConfirmation() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=1", etag: "\"1\""), .status(.notModified).field(.etag, "\"9\""), .text("nine"))
        _ = try await scene.send()
        scene.wait(2)
        #expect(try await scene.text() == "nine")
        #expect(scene.mock.requests.map { $0.fields.contains(.ifNoneMatch) } == [false, true, false])
    }

    @Test("C1 RFC 9111 5.2.2.5 after a 304 with no-store, the stored response is returned and removed")
    func confirmedNoStore() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=1", etag: "\"1\""), .status(.notModified).field(.cacheControl, "no-store"),
            .text("two"))
        _ = try await scene.send()
        scene.wait(2)
        #expect(try await scene.text() == "one")
        #expect(await scene.store.urls().isEmpty)
    }

    @Test("C1 RFC 9111 5.2.1.5 a validation by a request with no-store doesn't change the stored response")
    func validationWithoutStoring() async throws {
        let scene = CacheScene(.cached("one", "max-age=60", etag: "\"1\""), .status(.notModified))
        _ = try await scene.send()
        scene.wait(61)
        #expect(try await scene.text(.get, "/a", [.cacheControl: "no-store"]) == "one")
        #expect(try await scene.text() == "one")
        #expect(scene.mock.requestCount == 3)
    }

    @Test("C1 RFC 9111 4.3.5 a HEAD response that differs from the stored GET removes it")
    func headOfAnother() async throws {
        for (first, second) in [(HTTPStatus.notFound, HTTPStatus.ok), (.ok, .notFound), (.ok, .gone)] {
            let scene = CacheScene(.cached("one", "max-age=60", status: first), .status(second))
            _ = try await scene.send()
            _ = try await scene.send(.head, "/a", [.ifMatch: "*"])
            #expect(await scene.store.urls().isEmpty)
        }
    }

    @Test("C1 RFC 9111 4.1 variants are stored separately")
    func vary() async throws {
        let scene = CacheScene { routes in
            routes.get("/a").reply { request in
                .cached(request.fields[.acceptLanguage] ?? "none", "max-age=60").field(.vary, "Accept-Language")
            }
        }
        for _ in 0..<2 {
            #expect(try await scene.text(.get, "/a", [.acceptLanguage: "de"]) == "de")
            #expect(try await scene.text(.get, "/a", [.acceptLanguage: "en"]) == "en")
            #expect(try await scene.text() == "none")
        }
        #expect(scene.mock.requestCount == 3)
    }

    @Test("C1 RFC 9111 5.2.2.5 a response with no-store is not stored, and removes the stored one")
    func noStore() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=1", etag: "\"1\""), .cached("two", "no-store"), .cached("three", "no-store"))
        _ = try await scene.send()
        scene.wait(2)
        #expect(try await scene.text() == "two")
        #expect(await scene.store.urls().isEmpty)
        #expect(try await scene.text() == "three")
    }

    @Test("C1 RFC 9111 5.2.1.5 the response to a request with no-store is not stored")
    func noStoreRequest() async throws {
        let scene = CacheScene(.cached("one", "max-age=60"))
        _ = try await scene.send(.get, "/a", [.cacheControl: "no-store"])
        #expect(await scene.store.urls().isEmpty)
    }

    @Test("C1 RFC 9111 4 HEAD is answered from a stored GET, without a body")
    func head() async throws {
        let scene = CacheScene(.cached("one", "max-age=60"))
        _ = try await scene.send()
        let response = try await scene.send(.head)
        #expect(response.head.fields[.age] == "0")
        #expect(try await response.body.text().isEmpty && scene.mock.requestCount == 1)
    }

    @Test(
        "C1 RFC 9111 4.3.5 a HEAD response about another body removes the stored response; a matching one refreshes it")
    func headUpdates() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=60", etag: "\"1\""), .cached("one", "max-age=60", etag: "\"1\""),
            .cached("", "max-age=60", etag: "\"2\""), .text("two"))
        _ = try await scene.send()
        scene.wait(50)
        _ = try await scene.send(.head, "/a", [.ifMatch: "*"])
        scene.wait(50)
        #expect(try await scene.text() == "one")
        _ = try await scene.send(.head, "/a", [.ifMatch: "*"])
        #expect(try await scene.text() == "two")
    }

    @Test(
        "C1 RFC 9111 4.4 a successful change removes the responses of its URL and of those that it names",
        arguments: [HTTPMethod.post, .put, .patch, .delete])
    func invalidation(method: HTTPMethod) async throws {
        let scene = CacheScene { routes in
            routes.get("*").reply { .cached($0.path, "max-age=60") }
            routes.any("*").reply(
                .status(.created).field(.location, "/b").field(.contentLocation, "https://other.com/c"))
        }
        for path in ["/a", "/b", "/c"] { _ = try await scene.send(.get, path) }
        _ = try await scene.send(method)
        #expect(await scene.store.urls().map(\.path) == ["/c"])
    }

    @Test("C1 RFC 9111 4.4 a failed change removes nothing")
    func refusedChange() async throws {
        let scene = CacheScene(.cached("one", "max-age=60"), .status(409))
        _ = try await scene.send()
        _ = try await scene.send(.put)
        #expect(try await scene.text() == "one")
    }

    @Test("C1 RFC 9111 4.4 the response to a request before a change is not stored after it")
    func overtaken() async throws {
        let gate = Collected<CheckedContinuation<Void, Never>>()
        let scene = CacheScene { routes in
            routes.get("/a").reply { _ in
                await withCheckedContinuation { gate.append($0) }
                return .cached("old", "max-age=60")
            }
            routes.put("/a").reply(.status(204))
        }
        let chain = scene.chain
        let url = try HTTPURL("https://example.com/a")
        async let old = chain.send(HTTPRequest(url: url))
        while gate.values.isEmpty { await Task.yield() }
        _ = try await chain.send(HTTPRequest(method: .put, url: url))
        gate.values.first?.resume()
        #expect(try await old.body.text() == "old")
        #expect(await scene.store.urls().isEmpty)
    }

    @Test("C1 RFC 9111 5.2.1.7 only-if-cached never reaches the server", arguments: [HTTPMethod.get, .head, .post])
    func onlyIfCached(method: HTTPMethod) async throws {
        let scene = CacheScene(.text("one"))
        #expect(try await scene.send(method, "/a", [.cacheControl: "only-if-cached"]).head.status == .gatewayTimeout)
        #expect(scene.mock.requestCount == 0)
    }

    @Test("C1 a stored Set-Cookie is not set again, that of a 304 is")
    func cookies() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=60", etag: "\"1\"").field(.setCookie, "a=1"),
            .status(.notModified).field(.setCookie, "b=2"))
        #expect(try await scene.send().head.fields[.setCookie] == "a=1")
        #expect(try await scene.send().head.fields[.setCookie] == nil)
        scene.wait(61)
        #expect(try await scene.send().head.fields[.setCookie] == "b=2")
    }
}
