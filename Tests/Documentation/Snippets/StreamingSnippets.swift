import Godwit
import Synchronization

enum StreamingSnippets {
    static func reading(_ api: APIClient) async throws {
        // snippet: reading
        let export = api.stream(.export)
        for try await chunk in export { print(chunk.count) }  // Data, as it arrives
        for try await line in export.lines { print(line) }  // String, without the line ending
        for try await article in export.jsonLines(of: Article.self) { print(article.title) }
        // end
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
