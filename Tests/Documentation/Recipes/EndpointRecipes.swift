import Godwit
import GodwitTesting
import Synchronization
import Testing

// snippet: recipe-E8
struct Feed: Decodable, Nonisolated {
    @LossyArray var articles: [Article]  // drops elements that can't be decoded; $articles lists them
    @NumberOrString var total: Int  // 2 or "2"
    @DefaultEmpty var note: String  // "" if the value is missing or null
}

nonisolated struct ArticlePatch: Encodable {
    var title: Patch<String> = .absent  // not sent
    var subtitle: Patch<String> = .absent
}

extension Endpoint {
    static var feed: Endpoint<Feed> { .get("feed").unwrapping("data") }  // {"data": {…}, "meta": {…}}

    static func change(id: Int, _ patch: ArticlePatch) -> Endpoint<Void> {
        .patch("articles/\(id)", body: .json(patch))
    }
}
// end

// snippet: recipe-E12
nonisolated enum Status: String, Codable { case draft, published }

nonisolated struct Post: Codable {
    var status: Open<Status>  // .known(.draft), or .unknown("archived") from a newer server
}
// end

// snippet: recipe-E9
nonisolated struct Articles: Sendable {
    var load: @Sendable (_ id: Int) async throws(NetworkError) -> Article

    static func live(_ api: APIClient) -> Articles {
        Articles(load: { id throws(NetworkError) in try await api.send(.article(id: id)) })
    }
}
// end

nonisolated private struct Event: Codable, Equatable {
    var publishedAt: Date
}

@Suite("Recipes: endpoints and errors")
struct EndpointRecipes {
    private func client(_ routes: (MockRoutes) -> Void) -> (APIClient, MockTransport) {
        let mock = MockTransport(routes: routes)
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 }
        return (api, mock)
    }

    @Test("An endpoint is a value with the type of its response")
    func typed() async throws {
        let (api, _) = client {
            $0.get("/articles").reply(json: [["id": 1, "title": "Tides"]])
            $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"])
        }
        // snippet: recipe-E1
        let articles = try await api.send(.articles(page: 1))  // [Article]
        let article = try await api.send(.article(id: 1))  // Article
        // end
        #expect(articles == [article])
    }

    @Test("Each kind of body has its type")
    func bodies() async throws {
        let (api, mock) = client { $0.any("*").reply(.status(.noContent)) }
        let draft = Draft(title: "Tides")
        let bytes = Data("x".utf8)
        let film = URL(filePath: "/tmp/godwit-recipe-\(UInt64.random(in: .min ... .max)).mp4")
        try bytes.write(to: film)
        defer { try? FileManager.default.removeItem(at: film) }
        // snippet: recipe-E2
        let json = Endpoint<Void>.post("articles", body: .json(draft))
        let form = Endpoint<Void>.post("login", body: .form(["user": "ann"]))
        let file = Endpoint<Void>.put("films/1", body: .file(at: film))
        let stream = Endpoint<Void>.put("films/1", body: .stream(.stream { Frames() }))  // an AsyncSequence of Data
        let data = Endpoint<Void>.put("photos/1", body: .data(bytes, type: .octetStream))
        // end
        for endpoint in [json, form, file, stream, data] { try await api.send(endpoint) }
        let types = mock.requests.map { $0.fields[.contentType].flatMap { MediaType($0) }?.essence }
        #expect(
            types == [
                "application/json", "application/x-www-form-urlencoded", "video/mp4", "application/octet-stream",
                "application/octet-stream",
            ])
    }

    @Test("A response without a body")
    func nothing() async throws {
        let (api, _) = client {
            $0.delete("/articles/7").reply(.status(.noContent))
            $0.get("/articles/7").reply(.status(.ok))
        }
        // snippet: recipe-E3
        try await api.send(.delete(id: 7))  // Endpoint<Void>: ignores the body of the response
        // hidden
        let error = await thrownError {
            // shown
            _ = try await api.send(.article(id: 7))  // throws .decoding if the body is missing
            // hidden
        }
        // end
        guard case .decoding = error?.kind else { throw RecipeFailure("no decoding error") }
        #expect(error?.description.contains("empty body") == true)
    }

    @Test("A failure is one error with a kind to switch over")
    func failure() async throws {
        let (api, _) = client { $0.any("*").reply(.status(404)) }
        var said = ""
        func show(_ message: String) { said = message }
        // snippet: recipe-E4
        do throws(NetworkError) {
            _ = try await api.send(.article(id: 42))
        } catch {
            switch error.kind {
            case .notFound: show("This article was deleted.")
            case .cancelled: break
            default: show(error.userMessage ?? "")  // error.isRetryable: offer to try again
            }
            print(error.shortDescription, error.phase, error.requestID ?? "", error.attempt)
        }
        // end
        #expect(said == "This article was deleted.")
    }

    @Test("An error's body is read as well")
    func problems() async throws {
        let (api, _) = client {
            $0.post("/articles").reply(
                json: ["title": "Invalid", "errors": ["title": ["is too short"]]], status: .unprocessableContent)
        }
        let draft = Draft(title: "")
        // snippet: recipe-E5
        do throws(NetworkError) {
            _ = try await api.send(.create(draft))
        } catch {
            if case .validationFailed(let fields) = error.kind {
                print(fields.map { "\($0.field) \($0.messages.joined())" })  // ["title is too short"]
            }
            print(error.problem?.title ?? "")  // Invalid
        }
        // end
        let error = await thrownError { _ = try await api.send(.create(draft)) }
        guard case .validationFailed(let fields) = error?.kind else { throw RecipeFailure("not read") }
        #expect(error?.problem?.title == "Invalid")
        #expect(fields == [.init(field: "title", messages: ["is too short"])])
    }

    @Test("E11 the server's explanation is shown to the user and logged")
    func serverWords() async throws {
        let (api, _) = client { $0.post("/articles").reply(json: ["message": "The name is taken"], status: .conflict) }
        let draft = Draft(title: "")
        var shown: [String] = []
        // snippet: recipe-E11
        do throws(NetworkError) {
            _ = try await api.send(.create(draft))
        } catch {
            print(error.userMessage ?? "")  // The name is taken
            print(error)  // HTTP 409 from POST https://api.example.com/articles: The name is taken
            print(error.localizedDescription)  // The name is taken, also if all you have is `any Error`
            // hidden
            shown = [error.userMessage ?? "", error.localizedDescription, error.description]
            // shown
        }
        // end
        #expect(shown[0] == "The name is taken" && shown[1] == shown[0])
        #expect(shown[2].hasPrefix("HTTP 409 from POST https://api.example.com/articles: The name is taken"))
    }

    @Test("How long a server asks clients to wait", arguments: ["120"])
    func retryAfter(field: String) async throws {
        let (api, _) = client { $0.any("*").reply(.status(429).field(.retryAfter, field)) }
        // snippet: recipe-E6
        do throws(NetworkError) {
            try await api.send(.export)
        } catch {
            print(error.suggestedRetryDelay ?? .zero)  // 120 seconds after "Retry-After: 120"
        }
        // end
        let error = await thrownError { try await api.send(.export) }
        #expect(error?.kind == .rateLimited(retryAfter: .seconds(120)))
        #expect(error?.suggestedRetryDelay == .seconds(120))
    }

    @Test("JSON is decoded without a client, and read without a type")
    func jsonAlone() throws {
        let data = Data(#"{"id":1,"title":"Tides"}"#.utf8)
        // snippet: recipe-J1
        var decoder = JSONModelDecoder()  // the options of JSONDecoder, several times as fast
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let article = try decoder.decode(Article.self, from: data)

        let document = try JSONDocument(parsing: data)
        let title = document.root["title"]?.string
        // end
        #expect(article.title == title)
    }

    @Test("A decoding error has the path, the line and the column")
    func jsonErrors() async throws {
        let mock = MockTransport {
            $0.get("/articles/42").reply(
                .bytes(Data("{\n  \"id\": true\n}".utf8), contentType: "application/json"))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        var article: Article?
        var lines: [String] = []
        func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
        // snippet: recipe-J3
        do {
            article = try await api.send(.article(id: 42))
        } catch {
            if case .decoding(let failure) = error.kind {
                print(failure.path, failure.reason)  // author.name  expected a string, found 7
                print(failure.line ?? 0, failure.column ?? 0)
            }
        }
        // end
        #expect(article == nil)
        #expect(lines == ["id expected an integer, found true", "2 9"])
    }

    @Test("Names and dates are converted in one place")
    func coding() async throws {
        let mock = MockTransport { $0.get("/events/1").reply(json: ["published_at": "yesterday"]) }
        // snippet: recipe-E7
        // hidden: , transport: mock
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.json = JSONCoding(keys: .snakeCase, dates: .iso8601)  // or .epochSeconds, .epochMilliseconds, .custom
        }
        // hidden
        let error = await thrownError {
            // shown
            let event = try await api.send(Endpoint<Event>.get("events/1"))  // published_at becomes publishedAt
            // hidden
            _ = event
        }
        // end
        #expect(
            error?.description.contains(#"field `published_at`: expected ISO 8601 date, found "yesterday""#) == true)
    }

    @Test("Envelopes, missing values, numbers as strings, and null in a PATCH")
    func lenient() async throws {
        let (api, mock) = client {
            $0.get("/feed").reply(
                json: ["data": ["articles": [["id": 1, "title": "Tides"], ["id": 2]], "total": "2"]])
            $0.patch("/articles/1").reply(.status(.noContent))
        }
        // snippet: recipe-E8-use
        let feed = try await api.send(.feed)
        print(feed.articles.count, feed.$articles.map(\.failure.reason))  // what was dropped, and why
        try await api.send(.change(id: 1, ArticlePatch(subtitle: .null)))  // {"subtitle":null}
        // end
        #expect(feed.articles == [Article(id: 1, title: "Tides")])
        #expect(feed.$articles.map(\.index) == [1])
        #expect(feed.total == 2 && feed.note.isEmpty)
        #expect(mock.requests.last?.text == #"{"subtitle":null}"#)
    }

    @Test("E12 An enum to which the server adds cases")
    func open() async throws {
        let (api, _) = client { $0.get("/posts/1").reply(json: ["status": "archived"]) }
        // snippet: recipe-E12-use
        let post = try await api.send(Endpoint<Post>.get("posts/1"))
        switch post.status {
        case .known(.draft), .known(.published): print("known")
        case .unknown(let name): print(name)  // archived
        }
        // end
        #expect(post.status == .unknown("archived"))
    }

    @Test("One operation is replaced without a transport")
    func closures() async throws {
        let (api, _) = client { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        // snippet: recipe-E9-use
        var articles = Articles.live(api)
        articles.load = { Article(id: $0, title: "Winds") }  // in a test
        // end
        #expect(try await Articles.live(api).load(1).title == "Tides")
        #expect(try await articles.load(1).title == "Winds")
    }

    @Test("A completion is called once")
    func completion() async throws {
        let (api, _) = client { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        let article = try await withCheckedThrowingContinuation { continuation in
            let show: @Sendable (Result<Article, NetworkError>) -> Void = { continuation.resume(with: $0) }
            // snippet: recipe-E10
            let call = api.send(.article(id: 1)) { result in show(result) }  // on any thread
            // to cancel: call.cancel(); the completion then gets .cancelled
            // end
            _ = call
        }
        #expect(article.title == "Tides")
    }
}
