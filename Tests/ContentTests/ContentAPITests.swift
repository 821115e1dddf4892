import ContentAPIServer
import ContentReaderKit
import Godwit
import Testing

@Suite("The example API", .timeLimit(.minutes(15)))
struct ContentAPITests {
    @Test("Pages cover the list without gaps, and Link connects them")
    func pages() async throws {
        try await withAPI { api in
            var ids: [Int] = []
            var request: HTTPRequest? = try api.request(for: .articles(page: 1, perPage: 25))
            while let current = request {
                let response = try await api.send(current)
                let body = try await response.body.collect(upTo: 1 << 20)
                ids += try api.configuration.json.decode(Page<Article>.self, from: body).items.map(\.id)
                let next = try response.head.fields.link(rel: "next", relativeTo: current.url)
                request = next.map { HTTPRequest(url: $0) }
            }
            #expect(ids == Array(1...57))
        }
    }

    @Test("A tag selects articles, and a page after the end is empty")
    func selection() async throws {
        try await withAPI { api in
            let tagged = try await api.send(.articles(tag: "sea"))
            #expect(tagged.total == 14 && tagged.items.allSatisfy { $0.tags == ["sea"] })
            let beyond = try await api.send(.articles(page: 9))
            #expect(beyond.items.isEmpty && beyond.total == 57)
        }
    }

    @Test("Invalid pages are refused with 400 and a reason", arguments: ["0", "-1", "x", "99999999999999999999"])
    func impossiblePages(_ page: String) async throws {
        try await withAPI { api in
            let endpoint = Endpoint<String>.get("articles", query: ["page": page])
            let error = await #expect(throws: NetworkError.self) { try await api.send(endpoint) }
            #expect(error?.kind == .client(status: 400))
            #expect(error?.problem?.detail?.contains("page") == true)
        }
    }

    @Test("Null clears what may be absent, absent leaves it")
    func patch() async throws {
        try await withAPI { api in
            let before = try await api.send(.article(id: 7))
            var change = ArticleChange()
            change.publishedAt = .null
            let after = try await api.send(.change(id: 7, change))
            #expect(after.publishedAt == nil)
            #expect(after.title == before.title && after.tags == before.tags)
        }
    }

    @Test("PUT replaces the whole article; a comment without an author is refused")
    func replacing() async throws {
        try await withAPI { api in
            let draft = ArticleDraft(title: "New", body: "All of it.", authorId: 2)
            let put = Endpoint<Article>.put("articles/9", body: .json(draft))
            let replaced = try await api.send(put)
            #expect(replaced.title == "New" && replaced.tags.isEmpty)
            let comment = Endpoint<ContentReaderKit.Comment>.post(
                "articles/9/comments", body: .json(["text": "First"]))
            let error = await #expect(throws: NetworkError.self) { try await api.send(comment) }
            #expect(error?.kind == .client(status: 400))
        }
    }

    @Test("An unchanged article is answered with 304 to If-None-Match")
    func notModified() async throws {
        try await withAPI { api in
            let etag = try await api.response(for: .article(id: 3)).head.fields[.etag]
            let again = Endpoint<Void>.get("articles/3").header(.ifNoneMatch, etag).accepting(.notModified)
            let response = try await api.response(for: again)
            #expect(response.head.status == .notModified)
        }
    }

    @Test("A quiet stream of events has comments, so that clients see that it works")
    func heartbeat() async throws {
        var options = ContentAPIServer.Options.immediate
        options.heartbeat = .milliseconds(5)
        let server = try await ContentAPIServer(options)
        var lines: [String] = []
        for try await line in APIClient(baseURL: server.url).stream(.live).lines {
            lines.append(line)
            if lines.filter({ $0 == ":" }).count == 3 { break }
        }
        #expect(lines.first == "retry: 500")
        await server.stop()
    }

    @Test("Listeners that leave while changes are announced don't block the API")
    func leaving() async throws {
        let server = try await ContentAPIServer(.immediate)
        let api = APIClient(baseURL: server.url, preset: .content)
        for round in 1...100 {
            let (opened, open) = AsyncStream.makeStream(of: Void.self)
            let listeners = (1...4).map { _ in
                Task { for try await _ in api.stream(.live).lines { open.yield() } }
            }
            var count = 0
            for await _ in opened {
                count += 1
                if count == listeners.count { break }
            }
            async let changes: Void = { for number in 1...30 { await server.rename(1, to: "\(round), \(number)") } }()
            for listener in listeners { listener.cancel() }
            await changes
        }
        #expect(await server.title(of: 1)?.version == 3001)
        await server.stop()
    }

    @Test("A repeated request with the same Idempotency-Key is processed once; a refused one may be corrected")
    func idempotency() async throws {
        try await withAPI { api in
            let draft = ArticleDraft(title: "Once", body: "Low.", authorId: 1)
            let ids = try await (1...5).concurrentMap(limit: 5) { _ in
                try await api.send(.create(draft).idempotencyKey("one")).id
            }
            #expect(Set(ids) == [58])
            #expect(try await api.send(.create(draft).idempotencyKey("another")).id == 59)
            let blank = ArticleDraft(title: "", body: "Low.", authorId: 1)
            let refused = Endpoint<Article>.create(blank).idempotencyKey("third")
            let error = await failure { _ = try await api.send(refused) }
            #expect(error != nil)
            #expect(try await api.send(.create(draft).idempotencyKey("third")).id == 60)
        }
    }

    @Test("An invalid form is refused")
    func noForm() async throws {
        try await withAPI { api in
            let endpoint = Endpoint<Void>.put("users/1/avatar", body: .text("hello"))
            let error = await #expect(throws: NetworkError.self) { try await api.send(endpoint) }
            #expect(error?.kind == .client(status: 400))
        }
    }

    private func withAPI(_ body: (APIClient) async throws -> Void) async throws {
        let server = try await ContentAPIServer(.immediate)
        try await body(APIClient(baseURL: server.url, preset: .content))
        await server.stop()
    }
}

extension ContentAPIServer.Options {
    /// Exports without pauses.
    static var immediate: Self {
        var options = Self()
        options.exportInterval = .zero
        return options
    }
}
