@testable import GodwitGenerator
import Testing

@Suite("G2 Operations of samples")
struct SampleOperationTests {
    private func read(_ samples: [Sample]) throws -> APIDescription {
        try SampleReader.read(samples, title: nil, guessesEnums: false)
    }

    private func names(_ lines: [String]) throws -> [String] {
        try read(lines.map { Sample.of($0) }).operations.map { "\($0.id ?? "") \($0.path)" }
    }

    @Test("G2 segments that are values become parameters, named by what they identify")
    func templates() throws {
        #expect(
            try names([
                "GET /articles/42", "GET /articles/43", "GET /users/6f9619ff-8b86-d011-b42d-00c04fc964ff",
                "GET /articles/42/comments", "GET /articles/42/comments/7", "POST /articles/42/publish",
                "GET /files/507f1f77bcf86cd799439011", "GET /days/2026-05-01", "GET /articles/{slug}/related",
            ]) == [
                "article /articles/{id}", "user /users/{id}", "comments /articles/{articleId}/comments",
                "comment /articles/{articleId}/comments/{id}", "publishArticle /articles/{id}/publish",
                "file /files/{id}", "day /days/{id}", "related /articles/{slug}/related",
            ])
        let result = try read([.of("GET /articles/42"), .of("GET /users/6f9619ff-8b86-d011-b42d-00c04fc964ff")])
        #expect(result.operations.flatMap(\.parameters).map { SampleOutline.text($0.schema) } == ["integer", "uuid"])
        #expect(result.operations.flatMap(\.parameters).allSatisfy { $0.location == .path && $0.isRequired })
        #expect(
            result.notes.contains { $0.text == "`id` is a parameter of `/articles/{id}`: the segment is a number" })
    }

    @Test("G2 names of one collection with the same answers become a parameter; other names stay")
    func slugs() throws {
        let article = #"{"id": 1, "title": "a"}"#
        let result = try read([
            .of("GET /articles/first-day", article), .of("GET /articles/rain", article),
            .of("DELETE /articles/rain", status: 204), .of("GET /articles/popular", #"[{"id": 1}]"#),
            .of("GET /auth/status", article), .of("GET /auth/session", article),
        ])
        #expect(
            result.operations.map { "\($0.method) \($0.path)" } == [
                "GET /articles/{id}", "DELETE /articles/{id}", "GET /articles/popular", "GET /auth/status",
                "GET /auth/session",
            ])
    }

    @Test("G2 operations are named as a person would")
    func operationNames() throws {
        #expect(
            try names([
                "GET /v1/articles", "POST /v1/articles", "PUT /v1/articles/1", "DELETE /v1/articles/1",
                "POST /v1/auth/login", "POST /v1/auth/logout", "POST /v1/token/refresh", "GET /v1/me", "PATCH /v1/me",
                "GET /v1/users/me", "GET /v1/articles/popular", "GET /v1/articles/search", "GET /v1/articles/stats",
                "GET /v1/news", "GET /v1/news/1", "GET /v1/people/1", "POST /v1/password/reset", "GET /",
            ]).map { $0.split(separator: " ")[0] } == [
                "articles", "createArticle", "updateArticle", "deleteArticle", "login", "logout", "refreshToken",
                "me", "updateMe", "me2", "popularArticles", "searchArticles", "articleStats", "news", "newsItem",
                "person", "resetPassword", "root",
            ])
    }

    @Test("G2 PUT replaces where PATCH updates, and equal names take their parent's")
    func distinctNames() throws {
        #expect(
            try names([
                "PUT /articles/1", "PATCH /articles/1", "GET /comments", "GET /articles/1/comments",
                "GET /users/1/avatar", "PUT /users/1/avatar",
            ]).map { $0.split(separator: " ")[0] } == [
                "replaceArticle", "updateArticle", "comments", "articleComments", "avatar", "updateAvatar",
            ])
    }

    @Test("G2 calls of functions keep their names")
    func calls() throws {
        #expect(
            try names([
                "POST /rpc/getUser", "GET /listArticles", "POST /graphql", "GET /list-items", "POST /users/login",
                "POST /articles/1/like", "DELETE /articles/1/like", "GET /articles/export", "GET /check-ins",
                "GET /orders/1/report",
                "POST /orders/1/send-invoice", "POST /check-ins",
            ]).map { $0.split(separator: " ")[0] } == [
                "getUser", "listArticles", "graphql", "listItems", "login", "likeArticle", "deleteLike",
                "exportArticles", "checkIns", "report", "sendInvoice", "createCheckIn",
            ])
    }

    @Test(
        "G2 the title is the name in the host",
        arguments: [
            ("https://api.open-meteo.com", "OpenMeteo"), ("https://www.example.co.uk", "Example"),
            ("https://museum.example", "Museum"), ("http://localhost:80", "Birds"), ("http://10.0.0.1", "Birds"),
        ])
    func title(origin: String, title: String) throws {
        #expect(try read([.of("GET \(origin)/birds")]).title == title)
        #expect(try SampleReader.read([.of("GET \(origin)/birds")], title: "X", guessesEnums: false).title == "X")
    }

    @Test("G2 query parameters are optional and have the types of their values")
    func query() throws {
        let result = try read([
            .of("GET /articles?page=1&q=a%20b&open=true&ratio=1.5&tag=a&tag=b&zip=01234", "[]"),
            .of("GET /articles?page=2&since=2026-05-01", "[]"),
        ])
        let parameters = try #require(result.operations.first).parameters
        #expect(
            parameters.map { "\($0.name): \(SampleOutline.text($0.schema))" } == [
                "page: integer", "q: string", "open: boolean", "ratio: number", "tag: [string]", "zip: string",
                "since: date",
            ])
        #expect(parameters.allSatisfy { !$0.isRequired && $0.style == .form && $0.explodes && $0.location == .query })
        #expect(result.operations.count == 1)
    }

    @Test("G2 the base URL is the host of most samples with its version; others keep their own")
    func base() throws {
        let result = try read([
            .of("GET https://api.birds.example/api/v1/sightings"), .of("GET https://api.birds.example/api/v1/users"),
            .of("GET https://files.example/v1/photos"), .of("GET /sightings/1"), .of("GET /api/v1/sightings/2"),
        ])
        #expect(result.servers.map(\.url) == ["https://api.birds.example/api/v1"])
        #expect(result.title == "Birds")
        #expect(result.operations.map(\.path) == ["/sightings", "/users", "/v1/photos", "/sightings/{id}"])
        #expect(result.operations.map { $0.servers.map(\.url) } == [[], [], ["https://files.example"], []])
        #expect(result.operations.map(\.tags) == [["sightings"], ["users"], ["photos"], ["sightings"]])
    }

    @Test("G2 without a host there is no server, and the title is that of the first path")
    func noHost() throws {
        let result = try read([.of("GET /v2/order-items")])
        #expect(result.servers.isEmpty && result.title == "OrderItems")
        #expect(result.operations.map(\.tags) == [["order-items"]])
        #expect(try read([.of("GET http://127.0.0.1:8080/birds")]).title == "Birds")
    }

    @Test("G2 a file alone is a GET of its name, as a guess")
    func file() throws {
        let sample = Sample(answer: SourceFile(name: "data/sightings.json", data: Data(#"[{"id": 1}]"#.utf8)))
        let result = try read([sample])
        #expect(SampleOutline.operations(result) == ["sightings GET /sightings -> 200 [Sighting]"])
        #expect(result.notes.contains { $0.kind == .guess && $0.text.contains("`/sightings` is the name of the file") })
    }

    @Test("G2 fields that a program sets become parameters, and those of pages and versions are kept")
    func fields() throws {
        var sample = Sample.of(
            "GET /articles", "[]",
            fields: [.init("X-Tenant", "sea"), .init("User-Agent", "x"), .init("Idempotency-Key", "1")])
        sample.responseFields = [
            .init("Content-Type", "application/json"), .init("Link", "<https://a.example>; rel=next"),
            .init("X-Total-Count", "12"), .init("Server", "x"),
        ]
        let operation = try #require(try read([sample]).operations.first)
        #expect(operation.parameters.map(\.name) == ["X-Tenant", "Idempotency-Key"])
        #expect(operation.parameters.allSatisfy { $0.location == .header && !$0.isRequired })
        #expect(operation.responses.first?.headers.map(\.name) == ["Link", "X-Total-Count"])
        #expect(operation.responses.first?.headers.last.map { SampleOutline.text($0.schema) } == "integer")
    }

    @Test("G2 an answer that isn't known is a guess, and no sample at all is an error")
    func unknown() throws {
        let result = try read([.of("GET /articles")])
        #expect(result.operations.first?.responses == [])
        #expect(result.notes.map(\.text) == ["the answer of `GET /articles` is unknown: its sample has none"])
        let error = #expect(throws: GenerationError.self) { try read([]) }
        #expect(error?.reason.contains("GET /articles => articles.json") == true)
        let long = "GET /" + String(repeating: "a/", count: 65)
        #expect(throws: GenerationError.self) { try read([.of(long)]) }
    }
}
