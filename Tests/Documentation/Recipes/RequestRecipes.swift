import Godwit
import GodwitTesting
import Testing

@Suite("Recipes: requests")
struct RequestRecipes {
    private let mock: MockTransport
    private let api: APIClient

    init() {
        mock = MockTransport { _ in .status(.noContent) }
        api = APIClient(baseURL: "https://api.example.com/v1", transport: mock)
    }

    private func target(_ endpoint: Endpoint<Void>) throws -> String {
        String(try api.request(for: endpoint).url.target)
    }

    @Test("A value stays in its segment of the path")
    func url() throws {
        let slug = "a/b"
        // snippet: recipe-U1
        let comments = Endpoint<Void>.get("articles/\(slug)/comments", query: ["page": 2])
        let url = try api.request(for: comments).url  // slug "a/b": …/v1/articles/a%2Fb/comments?page=2
        let path = "files/" + "tide table.pdf"
        let file = Endpoint<Data>.get(path)  // text in a variable: …/v1/files/tide%20table.pdf
        // end
        #expect(url.absoluteString == "https://api.example.com/v1/articles/a%2Fb/comments?page=2")
        #expect(try api.request(for: file).url.path == "/v1/files/tide%20table.pdf")
    }

    @Test("Query items keep their order, or are sorted")
    func query() throws {
        // snippet: recipe-U2
        let query: QueryItems = ["tag": "sea", "page": 2, "draft": QueryValue.flag, "author": ""]
        let written = Endpoint<Void>.get("articles", query: query)  // ?tag=sea&page=2&draft&author=
        let sorted = Endpoint<Void>.get("articles", query: query.sorted())  // ?author=&draft&page=2&tag=sea
        // end
        #expect(try target(written) == "/v1/articles?tag=sea&page=2&draft&author=")
        #expect(try target(sorted) == "/v1/articles?author=&draft&page=2&tag=sea")
    }

    @Test("A plus sign arrives as a plus sign")
    func plus() async throws {
        // snippet: recipe-U3
        let search = Endpoint<Void>.get("search", query: ["q": "c++ tips"])  // ?q=c%2B%2B%20tips
        let form = Endpoint<Void>.post("search", body: .form(["q": "c++ tips"]))  // q=c%2B%2B+tips
        // end
        #expect(try target(search) == "/v1/search?q=c%2B%2B%20tips")
        try await api.send(form)
        #expect(mock.requests.map(\.text) == ["q=c%2B%2B+tips"])
    }

    @Test("Lists in three formats, and nil is omitted")
    func lists() throws {
        let author: Int? = nil
        // snippet: recipe-U4
        let query: QueryItems = ["tag": ["sea", "sky"], "author": author]  // author is nil: omitted
        let repeated = Endpoint<Void>.get("articles", query: query)  // ?tag=sea&tag=sky
        let brackets = Endpoint<Void>.get("articles", query: query.arrays(.brackets))  // ?tag%5B%5D=sea&tag%5B%5D=sky
        let comma = Endpoint<Void>.get("articles", query: query.arrays(.comma))  // ?tag=sea,sky
        // end
        #expect(try target(repeated) == "/v1/articles?tag=sea&tag=sky")
        #expect(try target(brackets) == "/v1/articles?tag%5B%5D=sea&tag%5B%5D=sky")
        #expect(try target(comma) == "/v1/articles?tag=sea,sky")
    }

    @Test("An invalid URL is an error")
    func invalid() async throws {
        let name = ".."
        let text = "https://api.example.com/a b"
        // snippet: recipe-U5
        // hidden
        let error = await thrownError {
            // shown
            try await api.send(Endpoint<Void>.get("users/\(name)"))  // throws .invalidURL if name is ".."
            // hidden
        }
        let invalid = #expect(throws: InvalidURL.self) {
            // shown
            let url = try HTTPURL(text)  // to check a URL before you use it; throws InvalidURL
            // hidden
            _ = url
        }
        // end
        guard case .invalidURL(let reason) = error?.kind else { throw RecipeFailure("not refused") }
        #expect(reason.contains(#""..""#) && invalid != nil)
        #expect(mock.requests.isEmpty)
    }

    @Test("A custom method")
    func method() async throws {
        // snippet: recipe-U6
        if let purge = HTTPMethod("PURGE") {  // nil if the text is not a valid method
            try await api.send(Endpoint<Void>.custom(purge, "articles/42"))
        }
        // end
        #expect(mock.requests.map(\.method.rawValue) == ["PURGE"])
    }

    @Test("Header fields keep order and duplicates; a line break is an error")
    func fields() async throws {
        let text = "a\r\nX-Admin: 1"
        // snippet: recipe-U7
        var fields: HTTPFields = [.acceptLanguage: "de", "X-Tag": "sea"]
        fields["accept-language"] = "fr"  // replaces "de": names are case-insensitive
        fields.append("sky", for: "X-Tag")
        print(fields.values(of: "x-tag"))  // ["sea", "sky"]

        // hidden
        let error = await thrownError {
            // shown
            try await api.send(.export.header("X-Note", text))  // throws .invalidRequest if text has a line break
            // hidden
        }
        // end
        #expect(fields.map(\.value) == ["fr", "sea", "sky"])
        guard case .invalidRequest = error?.kind else { throw RecipeFailure("not refused") }
        #expect(mock.requests.isEmpty)
    }

    @Test("Header fields that the transport sets")
    func reserved() async throws {
        // snippet: recipe-U8
        // hidden
        let error = await thrownError {
            // shown
            try await api.send(.export.header(.contentLength, "5"))  // throws .invalidRequest
            // hidden
        }
        // end
        guard case .invalidRequest(let reason) = error?.kind else { throw RecipeFailure("not refused") }
        #expect(reason.contains("Content-Length"))
    }

    @Test("Options for one call")
    func options() async throws {
        // snippet: recipe-U9
        let export = Endpoint<Void>.export
            .timeout(.seconds(300))  // total; .timeouts(…) sets all three limits
            .cachePolicy(.reloadIgnoringCache).cookies(.off).unauthenticated()
            .retry(.attempts(5)).redirects(.block).idempotencyKey("export-17")
            .allowedNetworks([.expensive]).priority(.low)  // no cellular network, no low-data mode
            .responseLimit(1 << 20)  // bytes
        try await api.send(export)
        // end
        #expect(mock.requests.map { $0.fields[.idempotencyKey] } == ["export-17"])
    }

    @Test("A modified copy of an endpoint")
    func fluent() throws {
        // snippet: recipe-U10
        let article = Endpoint<Article>.article(id: 42)
        let german = article.header(.acceptLanguage, "de").query("fields", "title").timeout(.seconds(5))
        // end
        #expect(article.fields[.acceptLanguage] == nil)
        #expect(try api.request(for: german).url.query == "fields=title")
    }

    @Test("The variable chooses the environment")
    func environments() throws {
        let variables = ["API_ENVIRONMENT": "staging"]
        // snippet: recipe-U11
        let catalogue = EnvironmentCatalogue(
            [
                .development("http://localhost:8080"), .staging("https://staging.example.com"),
                .production("https://api.example.com"),
            ], default: "production")
        let environment = try catalogue.selected(variables: variables)  // by default the process's own
        let api = APIClient(environment) { $0.timeouts.total = .seconds(30) }
        // end
        #expect(try api.request(for: .export).url.host == "staging.example.com")
        #expect(throws: NetworkError.self) { try catalogue.selected(variables: ["API_ENVIRONMENT": "moon"]) }
    }
}

extension Endpoint {
    static func search(_ text: String) -> Endpoint<[Article]> { .get("search", query: ["q": text]) }
}

/// What a recipe was expected to do, and did not.
struct RecipeFailure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The error that a recipe's last line throws.
nonisolated(nonsending) func thrownError(_ work: () async throws -> Void) async -> NetworkError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? NetworkError
    }
}
