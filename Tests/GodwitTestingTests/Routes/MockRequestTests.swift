import GodwitCore
import GodwitTesting
import Testing

@Suite("X1 recorded requests", .timeLimit(.minutes(15)))
struct MockRequestTests {
    @Test("X1 requests are selected by method and path, with the path's parameters")
    func matching() async throws {
        let mock = MockTransport { _ in .status(204) }
        for (method, path) in [(.get, "/articles/1?full=1"), (.get, "/articles/2"), (.delete, "/articles/2")]
            as [(HTTPMethod, String)]
        {
            _ = try await mock.send(HTTPRequest(method: method, url: try HTTPURL("https://a.com\(path)")))
        }
        #expect(mock.requests.matching(.get, "/articles/:id").map(\.parameters) == [["id": "1"], ["id": "2"]])
        #expect(mock.requests.matching(.delete, "/*").map(\.path) == ["/articles/2"])
        #expect(mock.requests.matching(.get, "/articles").isEmpty)
    }

    @Test("X1 a request's JSON is compared with a literal; other content throws")
    func json() async throws {
        let mock = MockTransport { _ in .status(204) }
        let body = #"{"title":"Tides","tags":["sea",null],"id":7,"depth":0.5,"draft":true}"#
        for content in [body, "no JSON"] {
            _ = try await mock.send(
                HTTPRequest(method: .post, url: try HTTPURL("https://a.com/"), body: .bytes(Data(content.utf8))))
        }
        #expect(
            try mock.requests[0].json()
                == ["title": "Tides", "tags": ["sea", nil], "id": 7, "depth": 0.5, "draft": true])
        #expect(throws: DecodingError.self) { try mock.requests[1].json() }
    }
}
