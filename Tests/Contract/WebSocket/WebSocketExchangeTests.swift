import Godwit
import GodwitTesting
import PeerSupport
import Testing

@Suite("Contract: WebSocket exchanges", .timeLimit(.minutes(15)))
struct WebSocketExchangeTests {
    @Test("W1 text and bytes of every length are echoed", arguments: Subject.allCases)
    func echo(_ subject: Subject) async throws {
        let server = try await MockServer.echo()
        let api = APIClient(baseURL: server.url, transport: try subject.make())
        let socket = try await api.webSocket("echo")
        for length in [0, 1, 2, 7, 8, 125, 126, 127, 1000, 65535, 65536, 65537, 1_000_003] {
            let data = Samples.data(length)
            try await socket.send(data)
            #expect(try await socket.receive() == .binary(data))
            let text = String(repeating: "Küste ", count: length / 7)
            try await socket.send(text)
            #expect(try await socket.receive() == .text(text))
        }
        await socket.close()
        #expect(socket.closeCode == .normalClosure)
        try await server.waitUntilConnectionsClose()
    }

    @Test("W1 compressed messages are echoed with every window size", arguments: [9, 12, 15], [0, 1])
    func compression(_ bits: Int, _ forgets: Int) async throws {
        var wish = WebSocketCompression()
        wish.clientWindowBits = bits
        wish.serverWindowBits = bits
        wish.clientContext = forgets == 1 ? .forgotten : .kept
        wish.serverContext = wish.clientContext
        let server = try await MockServer.echo(compression: WebSocketCompression())
        let api = APIClient(baseURL: server.url, transport: try Subject.sockets.make())
        let socket = try await api.webSocket("echo") { $0.compression = wish }
        #expect(socket.isCompressed)
        for length in [0, 1, 64, 65, 1000, 70_000, 300_000] {
            let text = String(repeating: "tide and time, ", count: length / 15)
            try await socket.send(text)
            #expect(try await socket.receive() == .text(text))
            let data = Samples.data(length)
            try await socket.send(data)
            #expect(try await socket.receive() == .binary(data))
        }
    }

    @Test("W2 16 MiB are sent in both directions", arguments: Subject.allCases)
    func large(_ subject: Subject) async throws {
        let server = try await MockServer.echo()
        let api = APIClient(baseURL: server.url, transport: try subject.make())
        let socket = try await api.webSocket("echo")
        let data = Samples.data(16 << 20)
        try await socket.send(data)
        let answer = try await socket.receive()
        #expect(answer == .binary(data))
    }
}

extension MockServer {
    /// A server that sends every message back.
    static func echo(compression: WebSocketCompression? = nil) async throws -> MockServer {
        try await MockServer { route in
            route.webSocket("/echo", compression: compression) { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
    }
}
