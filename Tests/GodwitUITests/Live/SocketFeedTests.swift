import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V2 live feed of a WebSocket", .timeLimit(.minutes(15)))
@MainActor
struct SocketFeedTests {
    enum Message: Codable, Sendable, Equatable {
        case count(Int)
    }

    private let ended = Watched(0)

    /// Sends three messages, then listens until the client goes.
    private func server() async throws -> MockServer {
        try await MockServer { [ended] route in
            route.webSocket("/live") { socket in
                for number in 1...3 { try await socket.send(#"{"type":"count","value":\#(number)}"#) }
                while (try? await socket.receive()) != nil {}
                ended.update { $0 += 1 }
            }
            route.webSocket("/short") { socket in
                try await socket.send("bye")
                await socket.close()
            }
        }
    }

    @Test("V2 typed messages arrive, and leaving the screen closes the socket")
    func typed() async throws {
        let server = try await server()
        let api = APIClient(baseURL: server.url)
        let feed = LiveFeed(limit: 2) { api.webSocket("live", as: Message.self) }
        let task = Task { await feed.run() }
        await until { feed.elements.last == .count(3) }
        #expect(feed.elements == [.count(2), .count(3)])
        await until { feed.isOpen }
        task.cancel()
        await task.value
        #expect("\(feed.state)" == "idle")
        try await ended.wait { $0 == 1 }
    }

    @Test("V2 a close frame of the server ends the feed")
    func goodbye() async throws {
        let server = try await server()
        let api = APIClient(baseURL: server.url)
        let feed = LiveFeed(messages: { api.reconnectingWebSocket("short") })
        await feed.run()
        #expect(feed.elements.count == 1)
        guard case .ended(nil) = feed.state else {
            Issue.record("it is \(feed.state)")
            return
        }
    }
}
