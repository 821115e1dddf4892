import Godwit
import GodwitTesting
import Synchronization
import Testing

nonisolated private enum Note: Codable, Sendable, Equatable {
    case subscribe(channel: String)
    case tide(height: Double)
}

@Suite("Recipes: streams and sockets")
struct StreamRecipes {
    @Test("Lines and values as they come")
    func lines() async throws {
        let server = try await MockServer {
            $0.get("/export").reply(
                .chunks([Data("{\"id\":1,\"title\":\"Ti".utf8), Data("des\"}\n{\"id\":2,\"title\":\"Winds\"}\n".utf8)]))
        }
        let api = APIClient(baseURL: server.url)
        var titles: [String] = []
        // snippet: recipe-R1
        for try await article in api.stream(.export).jsonLines(of: Article.self) { titles.append(article.title) }
        for try await line in api.stream(.export).lines { print(line) }  // also .bytes, or the chunks themselves
        // end
        #expect(titles == ["Tides", "Winds"])
        await server.stop()
    }

    @Test("Leaving the loop ends the transfer")
    func leaving() async throws {
        let server = try await MockServer { $0.get("/export").reply(.endlessChunks(of: 1000, every: .milliseconds(1))) }
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-R2
        var received = 0
        for try await chunk in api.stream(.export) {  // the status is checked before the first
            received += chunk.count
            if received > 1000 { break }  // closes the transfer
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

    @Test("A chat's answer, word by word")
    func events() async throws {
        let server = try await MockServer {
            $0.post("/chat").reply(.events([#"{"text":"Low "}"#, #"{"text":"tide."}"#, "[DONE]"]))
        }
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-R4
        var answer = ""
        for try await delta in api.events(.chat("Now?")).decoded(as: Delta.self, until: "[DONE]") {
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
            route.webSocket("/brief") { socket in await socket.close(.goingAway, reason: "tide is out") }
        }
    }

    @Test("A socket sends and receives")
    func socket() async throws {
        let server = try await echo()
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-W1
        let socket = try await api.webSocket("live") {  // ws for http, wss for https
            $0.fields["X-Room"] = "tides"
            $0.compression = WebSocketCompression()  // RFC 7692, off by default
            $0.messageLimit = 1 << 20
        }
        try await socket.send("low")
        let answer = try await socket.receive()  // .text or .binary
        await socket.close()
        // end
        #expect(answer == .text("low"))
        await server.stop()
    }

    @Test("Messages as a sequence")
    func messages() async throws {
        let server = try await echo()
        let api = APIClient(baseURL: server.url)
        var received: [WebSocketMessage] = []
        // snippet: recipe-W2
        let socket = try await api.webSocket("live")
        for text in ["low", "high"] { try await socket.send(text) }  // returns when the system has it
        for try await message in socket.messages {
            received.append(message)
            if received.count == 2 { break }
        }
        // end
        await socket.close()
        #expect(received == [.text("low"), .text("high")])
        await server.stop()
    }

    @Test("Pings, and how it ended")
    func closing() async throws {
        let server = try await echo()
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-W3
        let socket = try await api.webSocket("brief") {
            $0.keepalive = WebSocketKeepalive(interval: .seconds(15), timeout: .seconds(10))
        }
        do throws(NetworkError) {
            print(try await socket.receive())
        } catch {
            print(error.kind)  // .socketClosed(code: 1001, reason: "tide is out"); .timedOut(.inactivity) without pongs
        }
        // end
        #expect(socket.closeCode == .goingAway && socket.closeReason == "tide is out")
        await server.stop()
    }

    @Test("A socket that comes back")
    func reconnecting() async throws {
        let server = try await echo()
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-W4
        let socket = api.reconnectingWebSocket("live") { _, reconnect in
            reconnect.onConnect = { socket in try await socket.send("subscribe tides") }
            reconnect.overflow = .dropOldest  // what waits meanwhile: 100 messages
        }
        let states = Task { for await state in socket.states { print(state) } }
        let first = try await socket.receive()
        await socket.close()
        // end
        await states.value
        #expect(first == .text("subscribe tides"))
        await server.stop()
    }

    @Test("Messages with a type")
    func typed() async throws {
        let server = try await echo()
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-W5
        let socket = api.webSocket("live", as: Note.self)  // a Codable enum: subscribe(channel:), tide(height:)
        try await socket.send(.tide(height: 0.4))  // {"type":"tide","height":0.4}
        let note = try await socket.receive()
        await socket.close()
        // end
        #expect(note == .tide(height: 0.4))
        await server.stop()
    }
}
