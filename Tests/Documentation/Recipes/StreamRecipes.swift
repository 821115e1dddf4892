import Godwit
import GodwitTesting
import Synchronization
import Testing

// snippet: recipe-W5
nonisolated enum Note: Codable, Equatable {
    case subscribe(channel: String)
    case tide(height: Double)
}
// end

@Suite("Recipes: streams and sockets")
struct StreamRecipes {
    @Test("Lines and JSON values as they arrive")
    func lines() async throws {
        let server = try await MockServer {
            $0.get("/export").reply(
                .chunks([Data("{\"id\":1,\"title\":\"Ti".utf8), Data("des\"}\n{\"id\":2,\"title\":\"Winds\"}\n".utf8)]))
        }
        let api = APIClient(baseURL: server.url)
        var titles: [String] = []
        func show(_ article: Article) { titles.append(article.title) }
        // snippet: recipe-R1
        for try await line in api.stream(.export).lines { print(line) }  // or .bytes, .characters
        for try await article in api.stream(.export).jsonLines(of: Article.self) { show(article) }
        // end
        #expect(titles == ["Tides", "Winds"])
        await server.stop()
    }

    @Test("Elements of an array as they arrive, and an array that is sent value by value")
    func elements() async throws {
        let server = try await MockServer {
            $0.get("/export").reply(
                .chunks([Data(#"{"data":{"items":[{"id":1,"title":"Ti"#.utf8), Data(#"des"}]},"next":null}"#.utf8)]))
            $0.post("/import").reply(.status(.noContent))
        }
        let api = APIClient(baseURL: server.url)
        var articles: [Article] = []
        func show(_ article: Article) { articles.append(article) }
        // snippet: recipe-J2
        for try await article in api.stream(.export).elements(of: Article.self, at: "data.items") { show(article) }
        try await api.send(Endpoint<Void>.post("import", body: .jsonArray(articles)))  // or any sequence
        // end
        #expect(articles.map(\.title) == ["Tides"])
        #expect(try server.requests.last?.decoded(as: [Article].self) == articles)
        await server.stop()
    }

    @Test("Leaving the loop ends the transfer")
    func leaving() async throws {
        let server = try await MockServer { $0.get("/export").reply(.endlessChunks(of: 1000, every: .milliseconds(1))) }
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-R2
        var received = 0
        for try await chunk in api.stream(.export) {
            received += chunk.count
            if received > 1000 { break }  // ends the transfer
        }
        // end
        #expect(received > 1000)
        try await server.waitUntilConnectionsClose()
        await server.stop()
    }

    @Test("Events are read from bytes")
    func parsing() throws {
        // snippet: recipe-R3
        var parser = EventStreamParser()
        parser.append(Data("id: 7\nevent: tide\ndata: low\ndata: 0.4 m\n\n".utf8))
        let event = try parser.next()  // nil until an event is complete
        print(event?.type ?? "", event?.data ?? "", parser.lastEventID)  // tide, "low\n0.4 m", 7
        // end
        #expect(event?.type == "tide" && event?.data == "low\n0.4 m" && parser.lastEventID == "7")
    }

    @Test("A chat response, word by word")
    func events() async throws {
        let server = try await MockServer {
            $0.post("/chat").reply(.events([#"{"text":"Low "}"#, #"{"text":"tide."}"#, "[DONE]"]))
        }
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-R4
        var answer = ""
        for try await delta in api.events(.chat("When is low tide?")).decoded(as: Delta.self, until: "[DONE]") {
            answer += delta.text
        }
        // end
        #expect(answer == "Low tide.")
        await server.stop()
    }

    private func echo() async throws -> MockServer {
        try await MockServer { route in
            route.webSocket("/live") { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
    }

    @Test("A socket sends and receives")
    func socket() async throws {
        let server = try await echo()
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-W1
        let socket = try await api.webSocket("live") {
            $0.fields["X-Room"] = "tides"
            $0.subprotocols = ["chat.v2"]
            $0.compression = WebSocketCompression()  // off by default
        }
        try await socket.send("low")
        let message = try await socket.receive()  // .text or .binary
        await socket.close()
        // end
        #expect(message == .text("low"))
        await server.stop()
    }

    @Test("Messages as a sequence")
    func messages() async throws {
        let server = try await echo()
        let api = APIClient(baseURL: server.url)
        var received: [WebSocketMessage] = []
        func show(_ message: WebSocketMessage) { received.append(message) }
        // snippet: recipe-W2
        let socket = try await api.webSocket("live")
        try await socket.send("low")  // returns when the system has accepted the message
        for try await message in socket.messages {
            show(message)
            // hidden
            break
            // shown
        }
        // end
        await socket.close()
        #expect(received == [.text("low")])
        await server.stop()
    }

    @Test("Pings, and why the connection closed")
    func closing() async throws {
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in await socket.close(.goingAway, reason: "maintenance") }
        }
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-W3
        let socket = try await api.webSocket("live") {
            $0.keepalive = WebSocketKeepalive(interval: .seconds(15), timeout: .seconds(10))
        }
        do throws(NetworkError) {
            for try await message in socket.messages { print(message) }
        } catch {
            print(error.kind)  // .socketClosed(code: 1001, reason: "maintenance"), or .timedOut(.inactivity)
        }
        // end
        #expect(socket.closeCode == .goingAway && socket.closeReason == "maintenance")
        await server.stop()
    }

    @Test("A socket that reconnects")
    func reconnecting() async throws {
        let server = try await echo()
        let api = APIClient(baseURL: server.url)
        var received: [WebSocketMessage] = []
        func show(_ message: WebSocketMessage) { received.append(message) }
        // snippet: recipe-W4
        let socket = api.reconnectingWebSocket("live") { _, reconnect in
            reconnect.onConnect = { socket in try await socket.send("subscribe tides") }
        }
        for try await message in socket.messages {
            show(message)
            // hidden
            break
            // shown
        }
        // end
        await socket.close()
        #expect(received == [.text("subscribe tides")])
        await server.stop()
    }

    @Test("Messages with a type")
    func typed() async throws {
        let server = try await echo()
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-W5-use
        let socket = api.webSocket("live", as: Note.self)
        try await socket.send(.tide(height: 0.4))  // {"type":"tide","height":0.4}
        let note = try await socket.receive()
        await socket.close()
        // end
        #expect(note == .tide(height: 0.4))
        await server.stop()
    }
}
