import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: how WebSockets end", .timeLimit(.minutes(15)))
struct WebSocketEndTests {
    @Test("W3 the server's code and reason reach the reader, after the messages before it")
    func closedByServer() async throws {
        let (server, socket) = try await pair { socket in
            try await socket.send("last words")
            await socket.close(WebSocketCloseCode(4001), reason: "maintenance")
        }
        #expect(try await socket.receive() == .text("last words"))
        let error = await failure { () throws(NetworkError) in _ = try await socket.receive() }
        #expect(error?.kind == .socketClosed(code: WebSocketCloseCode(4001), reason: "maintenance"))
        #expect(socket.closeCode?.rawValue == 4001)
        #expect(socket.closeReason == "maintenance")
        await #expect(throws: NetworkError.self) { try await socket.send("too late") }
        try await server.waitUntilConnectionsClose()
    }

    @Test("W3 the client's code and reason reach the server, and a loop over the messages ends")
    func closedByClient() async throws {
        let farewell = Watched<NetworkError.Kind?>(nil)
        let (server, socket) = try await pair { socket in
            let error = await failure { () throws(NetworkError) in while true { _ = try await socket.receive() } }
            farewell.update { $0 = error?.kind }
        }
        await socket.close(.goingAway, reason: "bye")
        for try await message in socket.messages { Issue.record("\(message)") }
        try await farewell.wait { $0 != nil }
        #expect(farewell.value == .socketClosed(code: .goingAway, reason: "bye"))
        try await server.waitUntilConnectionsClose()
    }

    @Test("W3 X3 a dropped or reset connection differs from a close frame", arguments: [false, true])
    func dropped(_ resets: Bool) async throws {
        let (server, socket) = try await pair { socket in
            _ = try await socket.receive()
            if resets { socket.reset() } else { socket.drop() }
        }
        try await socket.send("go")
        let error = await failure { () throws(NetworkError) in _ = try await socket.receive() }
        guard case .transport(.connectionLost) = error?.kind else { throw Unexpected(error) }
        #expect(socket.closeCode == .abnormalClosure)
        try await server.waitUntilConnectionsClose()
    }

    @Test(
        "W1 X3 a peer that violates the protocol gets a close code, and its connection ends",
        arguments: [
            ([0xC1, 0x01, 0x61], 1002), ([0x81, 0x01, 0xFF], 1007), ([0x81, 0x80, 0, 0, 0, 0], 1002),
            ([0x88, 0x02, 0x03, 0xED], 1002), ([0x82, 0x7F, 0, 0, 0, 0, 1, 0, 0, 1], 1009), ([0x47, 0x45, 0x54], 1002),
        ] as [([UInt8], Int)])
    func hostile(_ bytes: [UInt8], _ code: Int) async throws {
        let farewell = Watched<WebSocketCloseCode?>(nil)
        let (server, socket) = try await pair { socket in
            try await socket.sendRaw(bytes)
            _ = await failure { () throws(NetworkError) in while true { _ = try await socket.receive() } }
            farewell.update { $0 = socket.socket.closeCode }
        }
        let error = await failure { () throws(NetworkError) in _ = try await socket.receive() }
        if code == 1009 {
            #expect(error?.kind == .tooLarge(limit: 16 << 20))
        } else {
            guard case .transport(.protocolViolation) = error?.kind else { throw Unexpected(error) }
        }
        try await farewell.wait { $0 != nil }
        #expect(farewell.value?.rawValue == UInt16(code))
        try await server.waitUntilConnectionsClose()
    }

    @Test("W1 W3 a peer that violates the protocol and still sends gets the close code too")
    func hostileAndBusy() async throws {
        let farewell = Watched<WebSocketCloseCode?>(nil)
        let (server, socket) = try await pair { socket in
            // The server closes the connection once it has the close frame.
            _ = await failure { () throws(NetworkError) in
                try await socket.sendRaw([0xC1, 0x01, 0x61] + [UInt8](repeating: 0, count: 16 << 20))
            }
            _ = await failure { () throws(NetworkError) in while true { _ = try await socket.receive() } }
            farewell.update { $0 = socket.socket.closeCode }
        }
        let error = await failure { () throws(NetworkError) in _ = try await socket.receive() }
        guard case .transport(.protocolViolation) = error?.kind else { throw Unexpected(error) }
        try await farewell.wait { $0 != nil }
        #expect(farewell.value == .protocolError)
        try await server.waitUntilConnectionsClose()
    }

    @Test(
        "W2 canceling a reader or a loop closes the connection within 100 ms, as seen by the server",
        arguments: [false, true])
    func cancelled(_ isLoop: Bool) async throws {
        let (server, api) = try await echo()
        try await expectClosing(of: server) {
            let socket = try await api.webSocket("echo")
            let task = Task {
                await failure { () throws(NetworkError) in
                    if isLoop { for try await _ in socket.messages {} } else { _ = try await socket.receive() }
                }
            }
            task.cancel()
            #expect(await task.value?.kind == .cancelled)
        }
    }

    @Test("W2 leaving the loop and releasing the socket closes the connection within 100 ms")
    func left() async throws {
        let (server, api) = try await echo()
        try await expectClosing(of: server) {
            let socket = try await api.webSocket("echo")
            try await socket.send("once")
            for try await message in socket.messages {
                #expect(message == .text("once"))
                break
            }
        }
    }

    @Test("W2 canceling a sender whose peer doesn't read closes the connection")
    func cancelledSender() async throws {
        let (server, socket) = try await pair { _ in try await Task.sleep(for: .seconds(600)) }
        let started = Watched(0)
        let task = Task {
            await failure { () throws(NetworkError) in
                while true {
                    started.update { $0 += 1 }
                    try await socket.send(Data(count: 4 << 20))
                }
            }
        }
        try await started.wait { $0 >= 2 }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        await server.stop()
    }

    @Test("W2 releasing an unread socket closes its connection within 100 ms")
    func letGo() async throws {
        let (server, api) = try await echo()
        try await expectClosing(of: server) { _ = try await api.webSocket("echo") }
    }

    @Test("W1 a socket stays open without its client, and ends with its transport's shutdown")
    func shutdown() async throws {
        let server = try await MockServer.echo()
        let transport = try Subject.sockets.make()
        let socket = try await APIClient(baseURL: server.url, transport: transport).webSocket("echo")
        try await socket.send("still here")
        #expect(try await socket.receive() == .text("still here"))
        await transport.shutdown(.cancelling)
        await #expect(throws: NetworkError.self) { try await socket.receive() }
        await #expect(throws: NetworkError.self) { try await socket.send("hello?") }
        try await server.waitUntilConnectionsClose()
    }

    private func echo() async throws -> (MockServer, APIClient) {
        let server = try await MockServer.echo()
        return (server, APIClient(baseURL: server.url, transport: try Subject.sockets.make()))
    }

    private func pair(
        _ clock: any Clock<Duration> = ContinuousClock(),
        handler: @escaping @Sendable (MockWebSocket) async throws -> Void
    ) async throws -> (MockServer, WebSocket) {
        let server = try await MockServer { $0.webSocket("/", handler: handler) }
        let api = APIClient(baseURL: server.url, transport: try Subject.sockets.make())
        return (server, try await api.webSocket("") { $0.clock = clock })
    }
}
