import Godwit

nonisolated extension Tour {
    static let deliverySteps = [
        TourStep(name: "cache") { api in
            let reader = try Self.patient(api)
            let first = try await reader.response(for: .picture(of: Tour.known))
            let second = try await reader.response(for: .picture(of: Tour.known))
            try expect(first.value.starts(with: [0x89, 0x50, 0x4E, 0x47]), "not a PNG")
            try expect(first.metrics.source == .network, "the first came from \(first.metrics.source)")
            try expect(second.metrics.source == .cache, "the second came from \(second.metrics.source)")
            try expect(second.value == first.value, "the cache has another picture")
            return "a picture of \(first.value.count) bytes; the second time without a request"
        },
        TourStep(name: "retry") { api in
            let key = Self.random
            let flaky = Endpoint<[String: String]>.get("flaky", query: ["key": key])
            let (reader, start) = (try Self.patient(api), ContinuousClock.now)
            let attempt = try await reader.send(flaky)["attempt"]
            let waited = ContinuousClock.now - start
            try expect(attempt == "2", "the attempt was \(attempt ?? "none")")
            try expect(waited >= .seconds(1), "Retry-After was 1 s, the retry came after \(waited.short)")
            return "503 with Retry-After: 1, then 200 on the second attempt, \(waited.short) later"
        },
        TourStep(name: "disk cache") { api in
            let folder = Self.temporary("cache")
            defer { try? FileManager.default.removeItem(at: folder) }
            let base = try api.request(for: Endpoint<Void>.get("")).url
            let cache = try CacheSetting.disk(folder)
            let first = APIClient(baseURL: base, preset: .content) { $0.cache = cache }
            _ = try await first.send(.picture(of: Tour.known))
            await first.shutdown(.finishing)
            // Another client, as after a restart.
            let kept = try CacheSetting.disk(folder)
            let next = APIClient(baseURL: base, preset: .content) { $0.cache = kept }
            let source = try await next.response(for: .picture(of: Tour.known)).metrics.source
            try expect(source == .cache, "the second came from \(source)")
            return "a second client has the picture from the first one's folder"
        },
        TourStep(name: "retry a POST") { api in
            let reader = try Self.patient(api)
            let flaky = Endpoint<[String: String]>.post("flaky", query: ["key": Self.random])
            let error = try await failure { () throws(NetworkError) in try await reader.send(flaky) }
            try expect(error.kind == .server(status: 503), "expected 503, got \(error)")
            let keyed = Endpoint<[String: String]>.post("flaky", query: ["key": Self.random])
            let attempt = try await reader.send(keyed.idempotencyKey(Self.random))["attempt"]
            try expect(attempt == "2", "the attempt was \(attempt ?? "none")")
            return "a POST that got 503 isn't sent again; one with an Idempotency-Key is"
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
        TourStep(name: "reconnection") { api in
            _ = try await api.send(.create(Self.tide))
            _ = try await api.send(.create(Self.tide))
            // The server ends each response after one event.
            let short = Endpoint<Void>.get("live", query: ["events": 1])
            var ids: [String] = []
            for try await event in api.events(
                short,
                configure: {
                    $0.lastEventID = "0"; $0.backoff = Self.short
                })
            {
                ids.append(event.lastEventID)
                if ids.count == 2 { break }
            }
            let numbers = ids.compactMap { Int($0) }
            try expect(numbers.count == 2 && numbers[1] == numbers[0] + 1, "the events were \(ids)")
            return "the server closed after event \(ids[0]); the client came back for event \(ids[1])"
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
            return "a WebSocket announces version \(news.version) of the watched article"
        },
        TourStep(name: "download") { api in
            let file = Self.temporary("guide")
            defer { try? FileManager.default.removeItem(at: file) }
            let download = api.download(Endpoint<Void>.get("files/guide"), to: file) {
                $0.progressInterval = .milliseconds(20)
            }
            for await progress in download.progress where progress.completed > 0 { break }
            let ticket = try JSONEncoder().encode(await download.pause())
            // What a program that starts again has: the ticket and the part of the file.
            let next = try Self.patient(api)
            let result = try await next.resume(JSONDecoder().decode(DownloadTicket.self, from: ticket)).file
            let size = try Data(contentsOf: result).count
            try expect(size == 2 << 20, "the file has \(size) bytes")
            return "paused under way; another client resumes it from a stored ticket: \(size >> 20) MiB"
        },
    ]

    /// A client of the same API that caches and retries.
    static func patient(_ api: APIClient) throws(NetworkError) -> APIClient {
        let base = try api.request(for: Endpoint<Void>.get("")).url
        return APIClient(baseURL: base, preset: .content) { $0.cache = .memory(limit: 1 << 20) }
    }

    private static var random: String { "\(UInt64.random(in: .min ... .max))" }

    static func temporary(_ name: String) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "\(name)-\(random)")
    }

    /// Without a long pause before a reconnection.
    static let short = Backoff(base: .milliseconds(1), cap: .milliseconds(1))

    private static let tide = ArticleDraft(title: "Spring tide", body: "High.", tags: ["sea"], authorId: 2)
}
