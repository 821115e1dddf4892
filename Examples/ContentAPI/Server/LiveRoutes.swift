import Godwit
import GodwitTesting
import Synchronization

/// `/v1/live`: all changes as server-sent events; `/v1/socket`: those of watched articles over a WebSocket; `/v1/messages`: one
/// typed message for each connection.
nonisolated struct LiveRoutes {
    let channel: LiveChannel
    let store: ContentStore
    let heartbeat: Duration

    /// A message from a client: the article to watch.
    private struct Watch: Decodable {
        let watch: Int
    }

    /// The messages of `/v1/messages`.
    private enum Message: Codable {
        case watch(id: Int)
        case news(LiveEvent)
    }

    func add(to route: MockRoutes) {
        let (channel, store, heartbeat) = (channel, store, heartbeat)
        // Breaks after each message, to see how a client comes back.
        route.webSocket("/v1/messages") { socket in
            guard case .watch(let id) = try await socket.receive(as: Message.self) else { return }
            let article = try await store.article(id)
            try await socket.send(json: Message.news(LiveEvent(article, .current)))
            socket.drop()
        }
        route.get("/v1/live").answer { request throws(Problem) in
            let last = request.lastEventID.flatMap { Int($0) }
            // A response that ends after so many events, to see how a client comes back.
            let count = request.queryValue("events").flatMap { Int($0) }
            return MockResponse(
                fields: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: .stream { LiveChunks(channel.events(after: last), limit: count, heartbeat: heartbeat) })
        }
        route.webSocket("/v1/socket") { socket in
            let watched = WatchedArticles()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in channel.events(after: nil)
                    where watched.contains(event.id) {
                        try await socket.send(Self.text(event))
                    }
                }
                defer { group.cancelAll() }
                for try await message in socket.messages {
                    guard case .text(let text) = message,
                        let watch = try? JSONCoding.content.decode(Watch.self, from: Data(text.utf8)),
                        let article = try? await store.article(watch.watch)
                    else { continue }
                    watched.insert(article.id)
                    try await socket.send(Self.text(LiveEvent(article, .current)))
                }
            }
        }
    }

    fileprivate static func text(_ event: LiveEvent) throws(NetworkError) -> String {
        String(decoding: try JSONCoding.content.encode(event), as: UTF8.self)
    }
}

/// The articles that a client watches; at most 100.
nonisolated private final class WatchedArticles: Sendable {
    private static let limit = 100
    private let ids = Mutex<Set<Int>>([])

    func contains(_ id: Int) -> Bool { ids.withLock { $0.contains(id) } }

    func insert(_ id: Int) {
        ids.withLock { ids in
            if ids.count < Self.limit { ids.insert(id) }
        }
    }
}

/// The events as bytes, after a comment that opens the stream at once. Comments show that a quiet connection works.
nonisolated private struct LiveChunks: AsyncSequence, Sendable {
    typealias Element = Data

    struct Iterator: AsyncIteratorProtocol {
        var chunks: AsyncStream<Data>.AsyncIterator

        mutating func next() async throws -> Data? { await chunks.next(isolation: #isolation) }
    }

    private let events: AsyncStream<LiveEvent>
    private let limit: Int?
    private let heartbeat: Duration

    init(_ events: AsyncStream<LiveEvent>, limit: Int?, heartbeat: Duration) {
        (self.events, self.limit, self.heartbeat) = (events, limit, heartbeat)
    }

    func makeAsyncIterator() -> Iterator {
        let (chunks, sink) = AsyncStream.makeStream(of: Data.self, bufferingPolicy: .bufferingNewest(200))
        sink.yield(Data("retry: 500\n: the changes of the articles\n\n".utf8))
        let reading = Task { [events, limit] in
            for await event in events.prefix(limit ?? .max) {
                guard let text = try? LiveRoutes.text(event) else { continue }
                sink.yield(Data("id: \(event.number)\ndata: \(text)\n\n".utf8))
            }
            sink.finish()
        }
        let beating = Task { [heartbeat] in
            while (try? await Task.sleep(for: heartbeat)) != nil { sink.yield(Data(":\n\n".utf8)) }
        }
        sink.onTermination = { _ in
            reading.cancel()
            beating.cancel()
        }
        return Iterator(chunks: chunks.makeAsyncIterator())
    }
}
