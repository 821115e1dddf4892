import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: open WebSockets", .timeLimit(.minutes(15)))
struct WebSocketFlowTests {
    @Test("W2 a slow reader slows the server, and then gets everything")
    func backPressure() async throws {
        let sent = Watched(0)
        let server = try await MockServer { route in
            route.webSocket("/") { socket in
                for index in 0..<600 {
                    try await socket.send(.binary(Data(repeating: UInt8(index % 251), count: 100_000)))
                    sent.update { $0 += 1 }
                }
            }
        }
        let socket = try await APIClient(baseURL: server.url, transport: try Subject.sockets.make()).webSocket("")
        // One that is read shows that the rest is on its way.
        _ = try await socket.receive()
        let pause = try await settled(sent)
        #expect(pause < 300)
        for index in 1..<600 {
            guard case .binary(let data) = try await socket.receive() else { throw Unexpected(nil) }
            #expect(data.count == 100_000 && data.first == UInt8(index % 251))
        }
    }

    /// What a count comes to when nothing moves any more.
    private func settled(_ count: Watched<Int>) async throws -> Int {
        var last = -1
        while last != count.value {
            last = count.value
            try await Task.sleep(for: .milliseconds(200))
        }
        return last
    }

    @Test("W3 pings work in both directions without a reader")
    func pings() async throws {
        let measured = Watched<Duration?>(nil)
        let server = try await MockServer { route in
            route.webSocket("/") { socket in
                let time = try await socket.socket.ping()
                measured.update { $0 = time }
                _ = try await socket.receive()
            }
        }
        let socket = try await APIClient(baseURL: server.url, transport: try Subject.sockets.make()).webSocket("")
        try await measured.wait { $0 != nil }
        #expect(try await socket.ping() > .zero)
        await socket.close()
    }

    @Test("W3 a peer that answers pings is kept")
    func keepalive() async throws {
        let clock = TestClock()
        let server = try await MockServer.echo()
        let api = APIClient(baseURL: server.url, transport: try Subject.sockets.make())
        let socket = try await api.webSocket("echo") {
            $0.clock = clock
            $0.keepalive = WebSocketKeepalive(interval: .seconds(30), timeout: .seconds(10))
        }
        for _ in 0..<3 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(30))
            try await clock.waitForSleepers()
            // Its pong has come, and so has that of the keepalive's ping before it.
            try await socket.ping()
            clock.advance(by: .seconds(10))
        }
        try await socket.send("still here")
        #expect(try await socket.receive() == .text("still here"))
    }

    @Test("W3 a silent peer is disconnected after the ping's timeout")
    func silence() async throws {
        let clock = TestClock()
        let socket = try await silentPeer {
            $0.clock = clock
            $0.keepalive = WebSocketKeepalive(interval: .seconds(30), timeout: .seconds(10))
        }
        let reader = Task { await failure { () throws(NetworkError) in _ = try await socket.receive() } }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        #expect(await reader.value?.kind == .timedOut(.inactivity))
    }

    @Test("W3 a peer that doesn't answer a close frame is awaited until the timeout")
    func silentClose() async throws {
        let clock = TestClock()
        let socket = try await silentPeer {
            $0.clock = clock
            $0.keepalive = nil
        }
        let closing = Task { await socket.close() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        await closing.value
        #expect(socket.closeCode == .abnormalClosure)
    }

    /// A peer that shakes hands and then says nothing.
    private func silentPeer(_ configure: (inout WebSocketOptions) -> Void) async throws -> WebSocket {
        let listener = try Listener()
        listener.serve { connection in
            guard let head = connection.readHead(),
                let line = head.split(separator: "\r\n").first(where: { $0.hasPrefix("Sec-WebSocket-Key: ") })
            else { return }
            let accept = WebSocketHandshake.accept(for: String(line.dropFirst(19)))
            connection.write(
                "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
            )
            connection.waitUntilPeerLeaves()
        }
        return try await APIClient(baseURL: listener.url, transport: try Subject.sockets.make())
            .webSocket("", configure: configure)
    }

    @Test("W1 an idle socket stays open while its transport makes other connections")
    func idle() async throws {
        let server = try await MockServer { route in
            route.webSocket("/echo") { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
            route.any("*").reply(.text("ok"))
        }
        let transport = try Subject.sockets.make()
        let socket = try await APIClient(baseURL: server.url, transport: transport).webSocket("echo")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 { group.addTask { _ = try await transport.get(server.at("/page")) } }
            try await group.waitForAll()
        }
        try await socket.send("still here")
        #expect(try await socket.receive() == .text("still here"))
    }

    @Test("W2 messages of many senders arrive complete, each sender's in order")
    func manySenders() async throws {
        let server = try await MockServer.echo()
        let socket = try await APIClient(baseURL: server.url, transport: try Subject.sockets.make()).webSocket("echo")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<20 {
                group.addTask { for index in 0..<50 { try await socket.send("\(sender) \(index)") } }
            }
            var next = [Int](repeating: 0, count: 20)
            for _ in 0..<1000 {
                guard case .text(let text) = try await socket.receive() else { throw Unexpected(nil) }
                let parts = text.split(separator: " ").compactMap { Int($0) }
                #expect(parts[1] == next[parts[0]])
                next[parts[0]] += 1
            }
            try await group.waitForAll()
        }
    }
}
