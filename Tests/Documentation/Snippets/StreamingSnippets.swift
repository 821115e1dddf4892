import Godwit
import Synchronization

enum StreamingSnippets {
    static func reading(_ api: APIClient) async throws {
        // snippet: reading
        let export = api.stream(.export)
        for try await chunk in export { print(chunk.count) }  // Data, as it arrives
        for try await line in export.lines { print(line) }  // String, without the line ending
        for try await article in export.jsonLines(of: Article.self) { print(article.title) }  // one value per line
        for try await article in export.elements(of: Article.self, at: "items") { print(article.title) }  // an array
        // end
    }

    static func elements(_ api: APIClient, _ show: (Article) -> Void) async throws {
        // snippet: elements
        let catalog = api.stream(.export)
        for try await article in catalog.elements(of: Article.self) { show(article) }  // the document is the array
        for try await article in catalog.elements(of: Article.self, at: "data.items") { show(article) }
        for try await article in catalog.elements(of: Article.self, at: "results[0].rows") { show(article) }
        for try await article in catalog.elements(of: Article.self, at: "['a.b'].items") { show(article) }  // key `a.b`
        // end
        // snippet: elements-lenient
        var iterator = catalog.elements(of: Article.self, at: "data.items").makeAsyncIterator()
        while true {
            do throws(NetworkError) {
                guard let article = try await iterator.next() else { break }
                show(article)
            } catch {
                guard case .decoding = error.kind else { throw error }
                print(error)  // after an error of the document, next() returns nil
            }
        }
        // end
    }

    static func values(_ api: APIClient, _ articles: [Article], _ database: Database) async throws {
        // snippet: json-values
        let fromArray = Endpoint<Void>.post("import", body: .jsonArray(articles))
        let fromDatabase = Endpoint<Void>.post("import", body: .jsonArray { database.articles() })  // an AsyncSequence
        let lines = Endpoint<Void>.post("import", body: .jsonLines { database.articles() })
        // end
        for endpoint in [fromArray, fromDatabase, lines] { try await api.send(endpoint) }
    }

    static func head(_ api: APIClient) async throws {
        // snippet: stream-head
        let response = try await api.stream(.export).response()
        print(response.head.fields["X-Total-Count"] ?? "unknown")
        for try await line in response.body.lines { print(line) }
        // end
    }

    static func uploading(_ api: APIClient, _ film: URL) async throws {
        // snippet: uploading
        let fromFile = Endpoint<Void>.put("films/1", body: .file(at: film))
        let form = Endpoint<Void>.post(
            "films",
            body: .multipart {
                $0.field("title", "Tides")
                $0.file("film", at: film)
            })
        let fromStream = Endpoint<Void>.put("films/1", body: .stream(.stream { Frames() }))
        // end
        for endpoint in [fromFile, form, fromStream] { try await api.send(endpoint) }
    }

    static func duplex(_ api: APIClient) async throws {
        // snippet: duplex
        let (turns, input) = AsyncStream<Data>.makeStream()
        let talk = Endpoint<Void>.post("talk", body: .stream(.stream(once: turns)))
        let response = try await api.stream(talk).response()
        input.yield(Data("1\n".utf8))
        for try await line in response.body.lines {
            guard line.count < 3 else { break }
            input.yield(Data("\(line)0\n".utf8))
        }
        // end
    }

    static func trailers(_ api: APIClient, _ film: URL) async throws {
        // snippet: trailers
        let counted = HTTPBody.file(at: film).withTrailers(["X-Count"], reducing: 0) { count, chunk in
            count += chunk.count
        } fields: { count in
            ["X-Count": "\(count)"]
        }
        try await api.send(Endpoint<Void>.put("films/1", body: .stream(counted)))
        // end
    }

    static func progress(_ api: APIClient, _ film: URL) async throws {
        // snippet: progress
        let upload = Endpoint<Void>.put("films/1", body: .file(at: film)).onEvent { event in
            if case .sent(let count, let total?) = event { print("\(100 * count / max(1, total)) %") }
        }
        try await api.send(upload)
        // end
    }

    static func toFile(_ api: APIClient, _ file: URL) async throws {
        // snippet: to-file
        var request = try api.request(for: Endpoint<Void>.get("films/1"))
        request.delivery = .file(file)
        let response = try await api.send(request)
        // end
        print(response.head.status)
    }
}

/// Where the articles come from.
nonisolated struct Database: Sendable {
    func articles() -> AsyncStream<Article> { AsyncStream { $0.finish() } }
}

// snippet: frames
nonisolated struct Frames: AsyncSequence, AsyncIteratorProtocol {
    var left = 100

    func makeAsyncIterator() -> Frames { self }

    mutating func next() async -> Data? {
        guard left > 0 else { return nil }
        left -= 1
        return Data(repeating: 0, count: 64 << 10)
    }
}
// end
