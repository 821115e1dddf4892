@_spi(Engines) import GodwitCore
import GodwitTesting
import Testing

// What a WebSocket does must not depend on who frames its messages. Over bytes, Tests/Contract/WebSocket says the same.
@Suite("WebSockets over a transport that frames messages itself", .timeLimit(.minutes(15)))
struct MessageSocketTests {
    private let connection = FakeMessages()
    private let clock = TestClock()

    private func open(
        _ head: HTTPResponseHead = HTTPResponseHead(status: .switchingProtocols), over other: FakeMessages? = nil,
        _ configure: (inout WebSocketOptions) -> Void = { _ in }
    ) async throws(NetworkError) -> WebSocket {
        let api = APIClient(
            baseURL: "https://live.example", transport: MessageTransport(other ?? connection, head: head))
        return try await api.webSocket("feed", subprotocols: ["chat.v2", "chat"]) {
            $0.clock = clock
            $0.keepalive = nil
            configure(&$0)
        }
    }

    private func failure(of work: () async throws(NetworkError) -> Void) async -> NetworkError.Kind? {
        do throws(NetworkError) {
            try await work()
            return nil
        } catch {
            return error.kind
        }
    }

    // MARK: Opening

    @Test("W1 the request carries the offer and the limit, and the socket has the response's subprotocol")
    func opening() async throws {
        let head = HTTPResponseHead(status: .switchingProtocols, fields: ["Sec-WebSocket-Protocol": "chat"])
        let transport = MessageTransport(connection, head: head)
        let api = APIClient(baseURL: "https://live.example", transport: transport)
        let socket = try await api.webSocket("feed", subprotocols: ["chat.v2", "chat"]) { $0.messageLimit = 77 }
        #expect(socket.subprotocol == "chat")
        #expect(socket.head == head)
        #expect(!socket.isCompressed)
        let upgrade = try #require(transport.requests.value.first?.options.upgrade)
        #expect(upgrade.messageLimit == 77)
        #expect(upgrade.fields()["Sec-WebSocket-Protocol"] == "chat.v2, chat")
        await leave(socket)
    }

    private func leave(_ socket: WebSocket) async {
        let closing = Task { await socket.close() }
        try? await connection.done.wait { $0.contains("close 1000 ") }
        connection.end(.normalClosure)
        await closing.value
    }

    @Test("W1 compression that the system negotiated is reported")
    func compressed() async throws {
        let head = HTTPResponseHead(
            status: .switchingProtocols, fields: ["Sec-WebSocket-Extensions": "permessage-deflate"])
        let socket = try await open(head)
        #expect(socket.isCompressed)
        await leave(socket)
    }

    @Test("W1 a subprotocol that was not offered throws, and the connection ends")
    func notOffered() async throws {
        let head = HTTPResponseHead(status: .switchingProtocols, fields: ["Sec-WebSocket-Protocol": "other"])
        let kind = await failure { () throws(NetworkError) in _ = try await open(head) }
        guard case .invalidResponse = kind else { return #expect(Bool(false), "\(kind as Any)") }
        #expect(connection.done.value == ["abandon 1002"])
    }

    @Test("W1 a response other than 101 throws as in any call")
    func refused() async throws {
        let kind = await failure { () throws(NetworkError) in
            _ = try await open(HTTPResponseHead(status: .forbidden))
        }
        #expect(kind == .forbidden)
    }

    // MARK: Under way

    @Test("W2 messages are received and sent in order")
    func exchange() async throws {
        let socket = try await open()
        connection.deliver("a", "b")
        #expect(try await socket.receive() == .text("a"))
        try await socket.send("1")
        try await socket.send(Data([2]))
        #expect(try await socket.receive() == .text("b"))
        #expect(connection.done.value == ["send 1", "send bytes"])
        await leave(socket)
    }

    @Test("W2 a slow reader pauses the connection, and resumes it when it catches up")
    func backPressure() async throws {
        let socket = try await open { $0.receiveBuffer = 400 }
        let text = String(repeating: "x", count: 100)
        connection.deliver(text, text)
        #expect(connection.isReading)
        connection.deliver(text)
        #expect(!connection.isReading)
        _ = try await socket.receive()
        #expect(!connection.isReading)
        _ = try await socket.receive()
        #expect(connection.isReading)
        _ = try await socket.receive()
        #expect(connection.done.value == ["resume"])
        await leave(socket)
    }

    @Test("W3 a ping waits for its own pong")
    func ping() async throws {
        let socket = try await open()
        let ping = Task { try await socket.ping() }
        try await connection.done.wait { $0.contains { $0.hasPrefix("ping") } }
        let id = try #require(connection.done.value.first?.split(separator: " ").last.flatMap { UInt64($0) })
        connection.pong(id + 1)
        clock.advance(by: .seconds(3))
        connection.pong(id)
        #expect(try await ping.value == .seconds(3))
        await leave(socket)
    }

    @Test(
        "W3 after a keepalive ping anything counts as a sign of life: a pong, a message, or part of one",
        arguments: ["pong", "message", "part", "nothing"])
    func keepalive(_ sign: String) async throws {
        let socket = try await open {
            $0.keepalive = WebSocketKeepalive(interval: .seconds(30), timeout: .seconds(10))
        }
        let reader = Task { await failure { () throws(NetworkError) in while true { _ = try await socket.receive() } } }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        try await connection.done.wait { $0 == ["ping 0"] }
        try await clock.waitForSleepers()
        switch sign {
        case "pong": connection.pong(0)
        case "message": connection.deliver("still here")
        case "part": connection.receiver?.receiveActivity()
        default: break
        }
        clock.advance(by: .seconds(10))
        guard sign != "nothing" else {
            #expect(await reader.value == .timedOut(.inactivity))
            return #expect(connection.done.value == ["ping 0", "abandon "])
        }
        try await clock.waitForSleepers()
        #expect(connection.done.value == ["ping 0"])
        connection.end(.goingAway)
        _ = await reader.value
    }

    @Test("W3 a paused connection doesn't count as silent")
    func heldBack() async throws {
        let socket = try await open {
            $0.keepalive = WebSocketKeepalive(interval: .seconds(30), timeout: .seconds(10))
            $0.receiveBuffer = 1
        }
        connection.deliver("nobody reads this")
        for _ in 0..<2 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(30))
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(10))
        }
        try await clock.waitForSleepers()
        #expect(connection.done.value == ["ping 0", "ping 0"])
        #expect(try await socket.receive() == .text("nobody reads this"))
        connection.end(.goingAway)
    }

    // MARK: The end

    @Test("W3 the peer's code and reason reach the reader, after the messages before it")
    func closedByPeer() async throws {
        let socket = try await open()
        connection.deliver("last words")
        connection.end(WebSocketCloseCode(4001), "maintenance")
        #expect(try await socket.receive() == .text("last words"))
        let expected = NetworkError.Kind.socketClosed(code: WebSocketCloseCode(4001), reason: "maintenance")
        #expect(await failure { () throws(NetworkError) in _ = try await socket.receive() } == expected)
        #expect(await failure { () throws(NetworkError) in try await socket.send("late") } == expected)
        #expect(await failure { () throws(NetworkError) in try await socket.ping() } == expected)
        #expect(socket.closeCode?.rawValue == 4001)
        #expect(socket.closeReason == "maintenance")
    }

    @Test("W3 a peer that sends a close frame and keeps the connection is not awaited")
    func lingering() async throws {
        let socket = try await open()
        connection.receiver?.receiveClose(.goingAway, reason: "")
        let reader = Task { await failure { () throws(NetworkError) in _ = try await socket.receive() } }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(await reader.value == .socketClosed(code: .goingAway, reason: ""))
        #expect(connection.done.value == ["abandon "])
    }

    @Test("W3 the close frame is sent once, and a loop over the messages ends")
    func closedByUs() async throws {
        let socket = try await open()
        let first = Task { await socket.close(.goingAway, reason: "bye") }
        try await connection.done.wait { $0 == ["close 1001 bye"] }
        let second = Task { await socket.close(.normalClosure) }
        connection.end(.goingAway, "bye")
        await first.value
        await second.value
        for try await message in socket.messages { Issue.record("\(message)") }
        #expect(connection.done.value == ["close 1001 bye", "abandon "])
    }

    @Test("W3 a peer that doesn't answer a close frame is awaited until the timeout")
    func silentClose() async throws {
        let socket = try await open()
        let closing = Task { await socket.close() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        await closing.value
        #expect(connection.done.value == ["close 1000 ", "abandon "])
        #expect(socket.closeCode == .abnormalClosure)
    }

    @Test("W3 X3 an end without a close frame differs from one with it, and errors are passed on")
    func dropped() async throws {
        for error in [nil, NetworkError(.tooLarge(limit: 3), phase: .receiving)] {
            let connection = FakeMessages()
            let socket = try await open(over: connection)
            connection.end(error: error)
            let kind = await failure { () throws(NetworkError) in _ = try await socket.receive() }
            if let error { #expect(kind == error.kind) }
            if error == nil { guard case .transport(.connectionLost) = kind else { return #expect(Bool(false)) } }
            #expect(socket.closeCode == .abnormalClosure)
        }
    }

    @Test("W2 canceling a reader or a loop ends the connection", arguments: [false, true])
    func cancelledReader(_ isLoop: Bool) async throws {
        let socket = try await open()
        let reader = Task {
            await failure { () throws(NetworkError) in
                if isLoop { for try await _ in socket.messages {} } else { _ = try await socket.receive() }
            }
        }
        reader.cancel()
        #expect(await reader.value == .cancelled)
        try await connection.done.wait { $0 == ["abandon 1001"] }
    }

    @Test("W2 canceling a waiting sender ends the connection")
    func cancelledSender() async throws {
        let connection = FakeMessages(holdsSends: true)
        let socket = try await open(over: connection)
        let sender = Task { await failure { () throws(NetworkError) in try await socket.send("a") } }
        try await connection.done.wait { $0 == ["send a"] }
        sender.cancel()
        #expect(await sender.value == .cancelled)
        #expect(connection.done.value == ["send a", "abandon 1001"])
    }

    @Test("W2 releasing the socket ends the connection and releases the receiver")
    func letGo() async throws {
        weak var receiver: (any MessageReceiver)?
        do {
            let socket = try await open()
            receiver = connection.receiver
            #expect(receiver != nil)
            _ = socket
        }
        #expect(connection.done.value == ["abandon 1001"])
        #expect(receiver == nil)
    }

    // MARK: Above

    @Test("W4 W5 a typed socket also reconnects over message connections")
    func reconnecting() async throws {
        let (first, second) = (FakeMessages(), FakeMessages())
        let api = APIClient(baseURL: "https://live.example", transport: MessageTransport(first, second))
        let socket = api.webSocket("feed", as: Note.self) { socket, reconnect in
            socket.keepalive = nil
            reconnect.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(1))
            reconnect.onConnect = { socket throws(NetworkError) in try await socket.send("hello") }
        }
        try await first.done.wait { $0 == ["send hello"] }
        first.deliver(#"{"type":"said","value":"one"}"#)
        #expect(try await socket.receive() == .said("one"))
        first.end(.serviceRestart)
        try await second.done.wait { $0.contains("send hello") }
        second.deliver(#"{"type":"said","value":"two"}"#)
        #expect(try await socket.receive() == .said("two"))
        second.end(.normalClosure)
        for try await note in socket.messages { Issue.record("\(note)") }
    }

    private enum Note: Codable, Sendable, Hashable {
        case said(String)
    }

    // MARK: Faults after messages

    private static let fault = NetworkError(.transport(.protocolViolation("a bad frame")), phase: .receiving)

    @Test("W1 messages before a bad frame are read and can be answered before the failure")
    func faultAfterMessages() async throws {
        let socket = try await open()
        connection.deliver("one", "two")
        connection.fail(Self.fault)
        #expect(connection.done.value.isEmpty)
        for text in ["one", "two"] {
            #expect(try await socket.receive() == .text(text))
            try await socket.send("echo \(text)")
        }
        #expect(await failure { () throws(NetworkError) in _ = try await socket.receive() } == Self.fault.kind)
        #expect(connection.done.value == ["send echo one", "send echo two", "abandon "])
        #expect(await failure { () throws(NetworkError) in try await socket.send("late") } == Self.fault.kind)
    }

    @Test("W1 a message that is being handled can be answered before the failure")
    func faultWhileHandling() async throws {
        let socket = try await open()
        let first = Task { try await socket.receive() }
        for _ in 0..<50 { await Task.yield() }
        connection.deliver("one")
        #expect(try await first.value == .text("one"))
        connection.fail(Self.fault)
        try await socket.send("echo one")
        #expect(await failure { () throws(NetworkError) in _ = try await socket.receive() } == Self.fault.kind)
        #expect(connection.done.value == ["send echo one", "abandon "])
    }

    @Test("W1 without unread messages a bad frame ends the socket immediately")
    func faultAtOnce() async throws {
        let socket = try await open()
        connection.fail(Self.fault)
        #expect(connection.done.value == ["abandon "])
        #expect(await failure { () throws(NetworkError) in _ = try await socket.receive() } == Self.fault.kind)
    }

    @Test("W1 unread messages delay a failure up to the close timeout, and can still be read")
    func faultUnread() async throws {
        let socket = try await open { $0.closeTimeout = .seconds(5) }
        connection.deliver("one")
        connection.fail(Self.fault)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        try await connection.done.wait { $0 == ["abandon "] }
        #expect(try await socket.receive() == .text("one"))
        #expect(await failure { () throws(NetworkError) in _ = try await socket.receive() } == Self.fault.kind)
    }
}
