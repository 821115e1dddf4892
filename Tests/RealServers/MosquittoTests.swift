import Godwit
import RealServerSupport
import Testing

// snippet: guide-mqtt-packets
/// The few packets of MQTT 3.1.1 that a subscriber needs. Each is one message of the WebSocket here; a broker may join several.
nonisolated enum Packet {
    static func connect(_ client: String) -> Data {
        packet(0x10, text("MQTT") + [4, 2, 0, 60] + text(client))
    }

    static func subscribe(_ topic: String) -> Data { packet(0x82, [0, 1] + text(topic) + [0]) }

    static func publish(_ topic: String, _ payload: String) -> Data {
        packet(0x30, text(topic) + Data(payload.utf8))
    }

    static let ping = Data([0xC0, 0])

    /// The kind and contents of a packet of at most 127 bytes.
    static func read(_ data: Data) -> (kind: UInt8, contents: Data) {
        (data.first.map { $0 & 0xF0 } ?? 0, Data(data.dropFirst(2)))
    }

    /// The length has seven bits in each byte, the lowest first.
    private static func packet(_ kind: UInt8, _ contents: Data) -> Data {
        var (head, length) = ([kind], contents.count)
        repeat {
            head.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return Data(head) + contents
    }

    private static func text(_ text: String) -> Data {
        withUnsafeBytes(of: UInt16(clamping: text.utf8.count).bigEndian) { Data($0) } + Data(text.utf8)
    }
}
// end

@Suite("mosquitto", .enabled(if: RealServer.isInstalled(.command("mosquitto")), "script/setup --servers"))
struct MosquittoTests {
    private func server() async throws -> (RealServer, APIClient) {
        let server = try await RealServer(.command("mosquitto")) { place in
            // Version 2.0.11 ends at once if it has no listener without WebSockets.
            try place.write(
                """
                user root
                allow_anonymous true
                listener \(place.port) 127.0.0.1
                protocol websockets
                listener \(place.otherPort) 127.0.0.1
                """, to: "mosquitto.conf")
            return ["-c", "\(place.folder.path)/mosquitto.conf"]
        }
        return (server, APIClient(baseURL: server.url))
    }

    @Test("MQTT's bytes over a WebSocket with a subprotocol, and its own pings: W1, W2", .timeLimit(.minutes(15)))
    func bytes() async throws {
        let (server, api) = try await server()
        // snippet: guide-mqtt
        let socket = try await api.webSocket("mqtt", subprotocols: ["mqtt"])
        try await socket.send(Packet.connect("reader-1"))
        // end
        #expect(socket.subprotocol == "mqtt")
        #expect(try await socket.receive() == .binary(Data([0x20, 2, 0, 0])))
        try await socket.send(Packet.subscribe("tides/#"))
        #expect(try await socket.receive() == .binary(Data([0x90, 3, 0, 1, 0])))
        try await socket.send(Packet.publish("tides/north", "ebb"))
        guard case .binary(let data) = try await socket.receive() else { throw Unexpected() }
        let (kind, contents) = Packet.read(data)
        #expect(kind == 0x30 && contents.suffix(3).elementsEqual("ebb".utf8))
        try await socket.send(Packet.ping)
        #expect(try await socket.receive() == .binary(Data([0xD0, 0])))
        // Also the WebSocket's.
        #expect(try await socket.ping() > .zero)
        await socket.close()
        await server.stop()
    }

    @Test("after the broker's restart the socket is there again, and subscribed: W4", .timeLimit(.minutes(15)))
    func restarts() async throws {
        let (server, api) = try await server()
        // snippet: guide-mqtt-reconnecting
        let socket = api.reconnectingWebSocket("mqtt", subprotocols: ["mqtt"]) { _, reconnect in
            reconnect.onConnect = { socket in
                try await socket.send(Packet.connect("reader-1"))
                try await socket.send(Packet.subscribe("tides/#"))
            }
        }
        // end
        try await expect(socket, toHear: "ebb", api)
        await server.stop()
        try await server.start()
        try await expect(socket, toHear: "flood", api)
        await socket.close()
        await server.stop()
    }

    /// Waits for the subscription, then publishes and waits for what comes of it.
    private func expect(_ socket: ReconnectingWebSocket, toHear text: String, _ api: APIClient) async throws {
        for try await message in socket.messages {
            guard case .binary(let data) = message else { continue }
            let (kind, contents) = Packet.read(data)
            if kind == 0x90 {
                let publisher = try await api.webSocket("mqtt", subprotocols: ["mqtt"])
                try await publisher.send(Packet.connect("publisher"))
                _ = try await publisher.receive()
                try await publisher.send(Packet.publish("tides/north", text))
                await publisher.close()
            }
            if kind == 0x30 {
                #expect(contents.suffix(text.utf8.count).elementsEqual(text.utf8))
                return
            }
        }
        Issue.record("the messages ended")
    }
}
