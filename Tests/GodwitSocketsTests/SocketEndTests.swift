import Godwit
import GodwitSockets
import GodwitTesting
import Testing

/// What happens on the event loop when a task that uses a socket is canceled.
@Suite("W2 the end of a socket on its event loop", .timeLimit(.minutes(15)))
struct SocketEndTests {
    enum Canceled: CaseIterable, Sendable {
        case closing, closingWhileAnotherSends, sending, receiving
    }

    @Test(
        "W2 T2 a socket whose task is canceled ends on the server, and the event loop sleeps again",
        arguments: Canceled.allCases)
    func canceled(_ what: Canceled) async throws {
        let ends = Watched(0)
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in
                defer { ends.update { $0 += 1 } }
                for try await _ in socket.messages {}
            }
            route.get("/slow").reply(.text("late").delayed(by: .milliseconds(400)))
        }
        let transport = try SocketTransport {
            $0.proxy = .none
            $0.measuresTurns = true
        }
        let api = APIClient(baseURL: server.url, transport: transport)
        // Several, as not each leaves a timer behind.
        for _ in 0..<20 { await use(try await api.webSocket("live"), what) }
        try await ends.wait { $0 == 20 }
        try await server.waitUntilConnectionsClose()
        let before = transport.turnCount
        _ = try await transport.send(HTTPRequest(url: HTTPURL("\(server.url.origin)/slow")))
        // A loop that does not sleep turns thousands of times meanwhile.
        #expect(transport.turnCount - before < 300)
        await transport.shutdown(.cancelling)
    }

    private func use(_ socket: WebSocket, _ what: Canceled) async {
        switch what {
        case .closing: await cancel { await socket.close(WebSocketCloseCode(4400)) }
        case .closingWhileAnotherSends:
            async let sending: Void = sendUntilTheEnd(socket)
            await cancel { await socket.close(WebSocketCloseCode(4400)) }
            await sending
        case .sending: await cancel { await sendUntilTheEnd(socket) }
        case .receiving: await cancel { _ = try? await socket.receive() }
        }
        #expect(socket.closeCode != nil)
    }

    private func cancel(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task { await work() }
        task.cancel()
        await task.value
    }

    private func sendUntilTheEnd(_ socket: WebSocket) async {
        while (try? await socket.send("text")) != nil {}
    }
}
