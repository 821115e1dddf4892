import Godwit
import GodwitTesting

nonisolated enum LiveMessage: Codable, Sendable {
    case subscribe(channel: String)
    case article(Article)
}

enum WebSocketSnippets {
    static func socket(_ api: APIClient) async throws {
        // snippet: socket
        let socket = try await api.webSocket("live", subprotocols: ["chat.v2"])
        try await socket.send("hello")
        for try await message in socket.messages {
            if case .text(let text) = message { print(text) }
        }
        // end
    }

    static func options(_ api: APIClient) async throws {
        // snippet: socket-options
        let socket = try await api.webSocket("live") {
            $0.fields["X-Room"] = "tides"
            $0.compression = WebSocketCompression()
            $0.messageLimit = 1 << 20
            $0.keepalive = WebSocketKeepalive(interval: .seconds(15), timeout: .seconds(10))
        }
        // end
        await socket.close()
    }

    static func end(_ socket: WebSocket) async {
        // snippet: socket-end
        do {
            while true { print(try await socket.receive()) }
        } catch {
            switch error.kind {
            case .socketClosed(let code, let reason): print("closed: \(code) \(reason)")
            case .timedOut(.inactivity): print("the server stopped answering pings")
            case .transport(.connectionLost): print("the connection broke")
            default: print(error)
            }
        }
        await socket.close(.goingAway, reason: "signed out")
        // end
    }

    static func reconnecting(_ api: APIClient) async throws {
        // snippet: socket-reconnecting
        let socket = api.reconnectingWebSocket("live") { _, reconnect in
            reconnect.onConnect = { socket in try await socket.send("subscribe tides") }
            reconnect.overflow = .dropOldest
        }
        Task { for await state in socket.states { print(state) } }
        try await socket.send("waits until the socket is connected")
        for try await message in socket.messages { print(message) }
        // end
    }

    static func typed(_ api: APIClient) async throws {
        // snippet: socket-typed
        let socket = api.webSocket("live", as: LiveMessage.self)
        try await socket.send(.subscribe(channel: "tides"))  // {"type":"subscribe","channel":"tides"}
        for try await message in socket.messages {
            if case .article(let article) = message { print(article.title) }
        }
        // end
    }

    static func mock() async throws -> MockServer {
        // snippet: socket-mock
        let server = try await MockServer { route in
            route.webSocket("/echo") { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
            route.webSocket("/garbage") { socket in try await socket.sendRaw([0xFF, 0xFF]) }
            route.webSocket("/gone") { socket in socket.drop() }
        }
        // end
        return server
    }
}
