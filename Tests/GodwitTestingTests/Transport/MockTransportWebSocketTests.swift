import GodwitCore
import GodwitTesting
import Synchronization
import Testing

@Suite("X1 W1 a mock transport's WebSockets")
struct MockTransportWebSocketTests {
    private func client(_ mock: MockTransport) -> APIClient {
        APIClient(baseURL: "https://api.example.com/v1", transport: mock) { $0.retry.maximumAttempts = 1 }
    }

    @Test("X1 W1 a route's handler exchanges messages with the client in order", .timeLimit(.minutes(15)))
    func echo() async throws {
        let mock = MockTransport {
            $0.webSocket("/v1/live") { socket in
                try await socket.send("welcome")
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
        let socket = try await client(mock).webSocket("live")
        #expect(try await socket.receive() == .text("welcome"))
        let large = Data(repeating: 7, count: 3 << 20)
        for number in 1...20 { try await socket.send("\(number)") }
        try await socket.send(large)
        for number in 1...20 { #expect(try await socket.receive() == .text("\(number)")) }
        #expect(try await socket.receive() == .binary(large))
        try await socket.ping()
        #expect(mock.openExchangeCount == 1)
        await socket.close()
        #expect(socket.closeCode == .normalClosure)
        try await mock.waitUntilExchangesEnd()
        #expect(mock.requests.map(\.path) == ["/v1/live"])
        #expect(mock.requests.first?.fields[.upgrade] == "websocket")
    }

    @Test("X1 W1 subprotocol and compression are negotiated as with a server", .timeLimit(.minutes(15)))
    func agreement() async throws {
        let mock = MockTransport {
            $0.webSocket("/v1/chat", subprotocols: ["b", "a"], compression: WebSocketCompression()) { socket in
                try await socket.send(socket.subprotocol ?? "none")
                _ = try await socket.receive()
            }
        }
        let socket = try await client(mock).webSocket("chat", subprotocols: ["a", "b"]) {
            $0.compression = WebSocketCompression()
        }
        #expect(socket.subprotocol == "a" && socket.isCompressed)
        #expect(try await socket.receive() == .text("a"))
        await socket.close()
    }

    @Test("X1 W1 the handler's end closes the socket: 1000 if it returns, 1011 if it throws", .timeLimit(.minutes(15)))
    func ends() async throws {
        struct Odd: Error {}
        let mock = MockTransport {
            $0.webSocket("/v1/done") { try await $0.send("bye") }
            $0.webSocket("/v1/odd") { _ in throw Odd() }
        }
        let done = try await client(mock).webSocket("done")
        var texts: [WebSocketMessage] = []
        for try await message in done.messages { texts.append(message) }
        #expect(texts == [.text("bye")] && done.closeCode == .normalClosure)
        let odd = try await client(mock).webSocket("odd")
        let error = await #expect(throws: NetworkError.self) { try await odd.receive() }
        #expect(error?.kind == .socketClosed(code: .internalError, reason: "the handler threw"))
        try await mock.waitUntilExchangesEnd()
    }

    @Test("X1 W1 a connection that is dropped or reset breaks the client's socket", .timeLimit(.minutes(15)))
    func faults() async throws {
        let mock = MockTransport {
            $0.webSocket("/v1/drop") { $0.drop() }
            $0.webSocket("/v1/reset") { $0.reset() }
            $0.webSocket("/v1/raw") { socket in
                try await socket.sendRaw([0x8f, 0x00])  // an operation that no frame has
                _ = try await socket.receive()
            }
        }
        let kinds = [("drop", "transport.connection_lost"), ("reset", "transport.connection_lost")]
        for (path, short) in kinds {
            let socket = try await client(mock).webSocket("\(path)")
            let error = await #expect(throws: NetworkError.self) { try await socket.receive() }
            #expect(error?.shortDescription == short)
            #expect(socket.closeCode == .abnormalClosure)
        }
        let raw = try await client(mock).webSocket("raw")
        let error = await #expect(throws: NetworkError.self) { try await raw.receive() }
        if case .transport(.protocolViolation) = error?.kind {} else { Issue.record("\(String(describing: error))") }
        try await mock.waitUntilExchangesEnd()
    }

    @Test("X1 W1 a request without a valid handshake gets a 400", .timeLimit(.minutes(15)))
    func noHandshake() async throws {
        let mock = MockTransport { $0.webSocket("/v1/live") { _ in } }
        let error = await #expect(throws: NetworkError.self) {
            try await client(mock).send(Endpoint<Void>.get("live"))
        }
        #expect(error?.kind == .client(status: 400))
    }

    @Test("X1 W1 releasing the client's socket ends the handler, and so does a shutdown", .timeLimit(.minutes(15)))
    func abandoned() async throws {
        let ends = Watched(0)
        let mock = MockTransport {
            $0.webSocket("/v1/live") { socket in
                _ = try? await socket.receive()
                ends.update { $0 += 1 }
            }
        }
        let api = client(mock)
        _ = try await api.webSocket("live")
        try await ends.wait { $0 == 1 }
        try await mock.waitUntilExchangesEnd()
        let kept = try await api.webSocket("live")
        await mock.shutdown(.cancelling)
        _ = await #expect(throws: NetworkError.self) { try await kept.receive() }
        try await ends.wait { $0 == 2 }
    }

    @Test("X1 W1 a peer that does not read slows down the sender", .timeLimit(.minutes(15)))
    func backPressure() async throws {
        let sent = Watched(0)
        let mock = MockTransport {
            $0.webSocket("/v1/flood") { socket in
                for _ in 0..<64 {
                    try await socket.send(.binary(Data(count: 64 << 10)))
                    sent.update { $0 += 1 }
                }
            }
        }
        let socket = try await client(mock).webSocket("flood") { $0.receiveBuffer = 128 << 10 }
        try await sent.wait { $0 >= 2 }
        #expect(sent.value < 8)
        var count = 0
        for try await _ in socket.messages { count += 1 }
        #expect(count == 64)
    }

    @Test("X1 W4 a reconnecting socket reconnects to the mock", .timeLimit(.minutes(15)))
    func reconnecting() async throws {
        let visits = Atomic(0)
        let mock = MockTransport {
            $0.webSocket("/v1/live") { socket in
                let visit = visits.add(1, ordering: .relaxed).newValue
                try await socket.send("\(visit)")
                visit == 1 ? socket.drop() : await socket.close()
            }
        }
        let socket = client(mock).reconnectingWebSocket("live") { $1.backoff = Backoff(base: .zero) }
        var texts: [WebSocketMessage] = []
        for try await message in socket.messages { texts.append(message) }
        #expect(texts == [.text("1"), .text("2")])
    }
}
