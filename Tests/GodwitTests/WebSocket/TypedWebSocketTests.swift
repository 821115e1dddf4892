import Godwit
import GodwitTesting
import Testing

@Suite("W5 WebSockets with typed messages", .timeLimit(.minutes(15)))
struct TypedWebSocketTests {
    struct Article: Codable, Sendable, Hashable {
        let id: Int
        let title: String
    }

    enum LiveMessage: Codable, Sendable, Hashable {
        case subscribe(channel: String)
        case article(Article)
        case count(Int)
        case renamed(id: Int, to: String)
        case ping
    }

    static let samples: [(LiveMessage, String)] = [
        (.subscribe(channel: "tides"), #"{"channel":"tides","type":"subscribe"}"#),
        (.article(Article(id: 1, title: "Tides")), #"{"id":1,"title":"Tides","type":"article"}"#),
        (.count(3), #"{"type":"count","value":3}"#),
        (.renamed(id: 1, to: "Ebb"), #"{"id":1,"to":"Ebb","type":"renamed"}"#),
        (.ping, #"{"type":"ping"}"#),
    ]

    @Test("W5 a case is encoded with its type, and decoded")
    func envelope() async throws {
        try await check(MessageEnvelope(), Self.samples)
    }

    @Test("W5 the envelope's keys can be changed")
    func content() async throws {
        try await check(
            MessageEnvelope(type: "kind", content: "data"),
            [
                (.subscribe(channel: "tides"), #"{"data":{"channel":"tides"},"kind":"subscribe"}"#),
                (.article(Article(id: 1, title: "Tides")), #"{"data":{"id":1,"title":"Tides"},"kind":"article"}"#),
                (.count(3), #"{"data":3,"kind":"count"}"#), (.ping, #"{"kind":"ping"}"#),
            ])
    }

    @Test("W5 an invalid message throws the reason, and the next one can be read")
    func undecodable() async throws {
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in
                for text in [#"{"type":"mystery"}"#, "no JSON", #"{"type":"count","value":"x"}"#, #"{"type":"ping"}"#] {
                    try await socket.send(text)
                }
                _ = try await socket.receive()
            }
        }
        let socket = try api(server).webSocket("live", as: LiveMessage.self)
        for _ in 0..<3 {
            do throws(NetworkError) {
                let message = try await socket.receive()
                Issue.record("\(message)")
            } catch {
                guard case .decoding = error.kind else { throw error }
            }
        }
        #expect(try await socket.receive() == .ping)
        await socket.close()
    }

    private func check(_ envelope: MessageEnvelope, _ samples: [(LiveMessage, String)]) async throws {
        let seen = Watched<[String]>([])
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in
                for try await message in socket.messages {
                    if case .text(let text) = message { seen.update { $0.append(text) } }
                    try await socket.send(message)
                }
            }
        }
        let socket = try api(server).webSocket("live", as: LiveMessage.self, envelope: envelope)
        for (message, text) in samples {
            try await socket.send(message)
            #expect(try await socket.receive() == message)
            #expect(seen.value.last.map(sorted) == text)
        }
        await socket.close()
    }

    /// JSON with its members in order.
    private func sorted(_ text: String) -> String {
        guard let object = try? JSONDecoder().decode(Sorted.self, from: Data(text.utf8)) else { return text }
        return object.text
    }

    private func api(_ server: MockServer) throws -> APIClient {
        APIClient(baseURL: server.url, transport: try SocketTransport { $0.proxy = .none })
    }
}

/// Just enough JSON to compare messages whatever the order of their members.
private enum Sorted: Decodable {
    case object([String: Sorted])
    case number(Int)
    case string(String)

    init(from decoder: any Decoder) throws {
        if let members = try? [String: Sorted](from: decoder) {
            self = .object(members)
        } else if let number = try? Int(from: decoder) {
            self = .number(number)
        } else {
            self = .string(try String(from: decoder))
        }
    }

    var text: String {
        switch self {
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ",")
                + "}"
        case .number(let number): "\(number)"
        case .string(let string): "\"\(string)\""
        }
    }
}
