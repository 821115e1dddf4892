import GodwitCore
import GodwitTesting
import Testing

@Suite("X1 Routes: the response to each request", .timeLimit(.minutes(15)))
struct MockRoutesTests {
    private func answer(
        _ target: String, method: HTTPMethod = .get, fields: HTTPFields = [:], body: HTTPBody? = nil,
        routes: (MockRoutes) -> Void
    ) async throws -> (status: Int, text: String) {
        let url = try HTTPURL("http://h" + target)
        let mock = MockTransport(routes: routes)
        let response = try await mock.send(HTTPRequest(method: method, url: url, fields: fields, body: body))
        let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
        return (response.head.status.code, text)
    }

    @Test(
        "X1 paths match exactly, with parameters, and with a rest",
        arguments: [
            ("/a", "exact"), ("/a%2Fb", "name a/b"), ("/x/1/y/2", "two 1 2"), ("/files/b/c", "rest b/c"),
            ("/files/", "rest "), ("/sp%20ace", "space"), ("/sp%20ac%65", "space"),
        ])
    func patterns(target: String, text: String) async throws {
        let answer = try await answer(target) {
            $0.get("/a").reply(.text("exact"))
            $0.get("/sp ace").reply(.text("space"))
            $0.get("/:name").reply { .text("name \($0.parameters["name"] ?? "")") }
            $0.get("/x/:a/y/:b").reply { .text("two \($0.parameters["a"] ?? "") \($0.parameters["b"] ?? "")") }
            $0.get("/files/*").reply { .text("rest \($0.parameters["*"] ?? "")") }
        }
        #expect(answer.text == text)
    }

    @Test(
        "X1 a request without a route throws an error that lists the routes",
        arguments: [
            "/", "/a/", "/a/b", "/b/1", "/A",
        ])
    func unmatched(target: String) async throws {
        let error = await #expect(throws: NetworkError.self) {
            _ = try await answer(target) {
                $0.get("/a").reply(.text("a"))
                $0.when(.post, "/b/:id", query: ["x": "1"]).reply(.text("b"))
                $0.any("/c").reply(.text("c"))
            }
        }
        guard case .invalidRequest(let reason) = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("no route for GET \(target); "))
        #expect(reason.hasSuffix(" routes: GET /a, POST /b/:id?x=1, any /c"))
    }

    @Test("X1 method, query and predicate select a route; the first match answers")
    func choice() async throws {
        let routes: (MockRoutes) -> Void = {
            $0.get("/a").where { $0.fields["X"] == "1" }.reply(.text("where"))
            $0.when(.get, "/a", query: ["q": "a b"]).reply(.text("query"))
            $0.post("/a").reply(.text("post"))
            $0.put("/a").reply(.text("put"))
            $0.patch("/a").reply(.text("patch"))
            $0.delete("/a").reply(.text("delete"))
            $0.any("/a").reply(.text("any"))
            $0.get("/a").reply(.text("never"))
        }
        #expect(try await answer("/a", fields: ["X": "1"], routes: routes).text == "where")
        #expect(try await answer("/a?p=1&q=a+b", routes: routes).text == "query")
        #expect(try await answer("/a?q=b", routes: routes).text == "any")
        for method in [HTTPMethod.post, .put, .patch, .delete] {
            #expect(try await answer("/a", method: method, routes: routes).text == method.rawValue.lowercased())
        }
        #expect(try await answer("/a", method: .options, routes: routes).text == "any")
    }

    @Test("X1 replies are used in order, and the last one repeats")
    func sequence() async throws {
        let mock = MockTransport { $0.get("/").replies([.status(503), .failure(.timedOut(.total)), .text("at last")]) }
        let request = HTTPRequest(url: try HTTPURL("http://h/"))
        #expect(try await mock.send(request).head.status == .serviceUnavailable)
        let error = await #expect(throws: NetworkError.self) { try await mock.send(request) }
        #expect(error?.kind == .timedOut(.total))
        for _ in 1...3 { #expect(try await mock.send(request).head.status == .ok) }
    }

    @Test("X1 a route without a reply is reported")
    func noReply() async throws {
        let error = await #expect(throws: NetworkError.self) {
            _ = try await answer("/a") { _ = $0.get("/a") }
        }
        #expect(error?.kind == .invalidRequest(reason: "the mock GET /a has no reply"))
        let server = try await MockServer { _ = $0.get("/a") }
        let text = try await RawClient(server.url).exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n", until: "reply\n")
        #expect(text.hasPrefix("HTTP/1.1 500 "))
    }

    @Test("X3 a request without a route gets a 404 that lists the routes, and a throwing handler a 500")
    func serverSide() async throws {
        struct Broken: Error {}
        let server = try await MockServer { $0.get("/a").reply { _ in throw Broken() } }
        let client = try RawClient(server.url)
        let unknown = await client.exchange("GET /b HTTP/1.1\r\nHost: h\r\n\r\n", until: "/a\n")
        #expect(unknown.hasPrefix("HTTP/1.1 404 "))
        #expect(unknown.contains("\r\n\r\nno route for GET /b; "))
        #expect(unknown.hasSuffix(" routes: GET /a\n"))
        let thrown = await client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n", until: "Broken()\n")
        #expect(thrown.hasPrefix("HTTP/1.1 500 "))
    }

    @Test("X3 one closure can answer everything")
    func handler() async throws {
        let server = try await MockServer(handler: { request in .text("<\(request.path)>") })
        let text = try await RawClient(server.url).exchange("GET /a/b HTTP/1.1\r\nHost: h\r\n\r\n", until: ">")
        #expect(text.hasSuffix("</a/b>"))
    }

    @Test("X1 JSON that cannot be encoded becomes a 500 with the reason")
    func badJSON() async throws {
        let answer = try await answer("/") { $0.get("/").reply(json: [Double.nan]) }
        #expect(answer.status == 500)
        #expect(answer.text.contains("cannot be encoded"))
    }
}
