import Godwit

nonisolated extension Tour {
    static let resumingSteps = [
        TourStep(name: "resumed upload") { api in
            let film = temporary("film")
            defer { try? FileManager.default.removeItem(at: film) }
            try Data(repeating: 0x67, count: 2 << 20).write(to: film)
            let chunk: Int64 = 256 << 10
            let upload = api.upload(film, to: .resumable(.post("films")) { $0.chunkSize = chunk })
            // Once the second chunk is on its way, the server has the first.
            for await progress in upload.progress where progress.completed > chunk { break }
            let ticket = try JSONEncoder().encode(await upload.pause())
            // What a program that starts again has: the ticket and the file.
            let next = try patient(api).resume(JSONDecoder().decode(UploadTicket.self, from: ticket))
            var first: Int64?
            for await progress in next.progress where first == nil { first = progress.completed }
            try await next.value
            try expect(first ?? 0 > 0, "it started over")
            return "paused under way; another client sends the rest of 2 MiB, from a stored ticket (tus)"
        },
        TourStep(name: "typed socket") { api in
            // Fails without a server, whose return the socket would wait for.
            let title = try await api.send(.article(id: Tour.known)).title
            // The server breaks the connection after each message.
            let socket = api.webSocket("messages", as: LiveMessage.self) { _, reconnect in
                reconnect.onConnect = { try await $0.send(#"{"type": "watch", "id": \#(Tour.known)}"#) }
                reconnect.backoff = Self.short
            }
            var titles: [String] = []
            for try await message in socket.messages {
                if case .news(let news) = message { titles.append(news.title) }
                if titles.count == 2 { break }
            }
            await socket.close()
            try expect(titles == [title, title], "got \(titles)")
            return "messages are cases of an enum; after a broken connection the socket came back for the next"
        },
    ]

    /// The messages of `/messages`.
    private enum LiveMessage: Codable {
        case watch(id: Int)
        case news(ArticleNews)
    }
}
