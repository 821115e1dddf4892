import Godwit

nonisolated extension Tour {
    static let deliverySteps = [
        TourStep(name: "cache") { api in
            let reader = try Self.patient(api)
            let first = try await reader.response(for: .picture(of: 8))
            let second = try await reader.response(for: .picture(of: 8))
            try expect(first.value.starts(with: [0x89, 0x50, 0x4E, 0x47]), "not a PNG")
            try expect(first.metrics.source == .network, "the first came from \(first.metrics.source)")
            try expect(second.metrics.source == .cache, "the second came from \(second.metrics.source)")
            try expect(second.value == first.value, "the cache has another picture")
            return "a picture of \(first.value.count) bytes; the second time without a request"
        },
        TourStep(name: "retry") { api in
            let key = "\(UInt64.random(in: .min ... .max))"
            let flaky = Endpoint<[String: String]>.get("flaky", query: ["key": key])
            let (reader, start) = (try Self.patient(api), ContinuousClock.now)
            let attempt = try await reader.send(flaky)["attempt"]
            let waited = ContinuousClock.now - start
            try expect(attempt == "2", "the attempt was \(attempt ?? "none")")
            try expect(waited >= .seconds(1), "Retry-After was 1 s, the retry came after \(waited.short)")
            return "503 with Retry-After: 1, then 200 on the second attempt, \(waited.short) later"
        },
        TourStep(name: "events") { api in
            let article = try await api.send(.create(Self.tide))
            var first: ArticleNews?
            for try await event in api.events(.live, configure: { $0.lastEventID = "0" }) {
                let news = try api.configuration.json.decode(ArticleNews.self, from: Data(event.data.utf8))
                guard news.id == article.id else { continue }
                first = news
                break
            }
            try expect(first?.kind.known == .created, "expected its creation, got \(first as Any)")
            return "article \(article.id) is announced as created, by server-sent events"
        },
        TourStep(name: "socket") { api in
            let article = try await api.send(.create(Self.tide))
            let socket = try await api.webSocket("socket")
            try await socket.send("{\"watch\": \(article.id)}")
            _ = try await socket.receive()
            _ = try await ArticleRepository(api).rename(article.id, to: "Neap tide")
            guard case .text(let text) = try await socket.receive() else {
                throw Deviation(description: "expected a text message")
            }
            await socket.close()
            let news = try api.configuration.json.decode(ArticleNews.self, from: Data(text.utf8))
            try expect(news.title == "Neap tide" && news.version == 2, "got \(news)")
            return "a WebSocket tells of version \(news.version) of the watched article"
        },
        TourStep(name: "download") { api in
            let file = FileManager.default.temporaryDirectory.appending(
                path: "guide-\(UInt64.random(in: .min ... .max))")
            defer { try? FileManager.default.removeItem(at: file) }
            let download = api.download(Endpoint<Void>.get("files/guide"), to: file) {
                $0.progressInterval = .milliseconds(20)
            }
            for await progress in download.progress where progress.completed > 0 { break }
            let ticket = try await download.pause()
            let result = try await api.resume(ticket).file
            let size = try Data(contentsOf: result).count
            try expect(size == 2 << 20, "the file has \(size) bytes")
            return "paused under way and resumed by a range: a file of \(size >> 20) MiB"
        },
    ]

    /// A client of the same API that caches and retries.
    private static func patient(_ api: APIClient) throws(NetworkError) -> APIClient {
        let base = try api.request(for: Endpoint<Void>.get("")).url
        return APIClient(baseURL: base, preset: .content) { $0.cache = .memory(limit: 1 << 20) }
    }

    private static let tide = ArticleDraft(title: "Spring tide", body: "High.", tags: ["sea"], authorId: 2)
}
