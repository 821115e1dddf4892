import GodwitWire
import Testing

@Suite("WebSocket handshake")
struct WebSocketHandshakeTests {
    private static let request: HTTPFields = [
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13", "Upgrade": "websocket",
        "Connection": "keep-alive, Upgrade",
    ]
    private static let answer: HTTPFields = [
        "Upgrade": "WebSocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    ]

    @Test("W1 the response of RFC 6455 section 1.3 matches its key")
    func accept() throws {
        #expect(WebSocketHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let agreement = try WebSocketHandshake.agreement(
            Self.answer, to: Self.request, subprotocols: [], deflate: nil)
        #expect(agreement == WebSocketHandshake.Agreement())
    }

    @Test(
        "W1 a response that doesn't match the request is rejected",
        arguments: [
            ("Upgrade", "h2c"), ("Upgrade", nil), ("Connection", "keep-alive"), ("Connection", nil),
            ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOp="), ("Sec-WebSocket-Accept", nil),
            ("Sec-WebSocket-Protocol", "chat"), ("Sec-WebSocket-Extensions", "permessage-deflate"),
            ("Sec-WebSocket-Extensions", "=;"),
        ] as [(HTTPField.Name, String?)])
    func refused(_ name: HTTPField.Name, _ value: String?) {
        var answer = Self.answer
        answer[name] = value
        #expect(throws: WebSocketFault.self) {
            try WebSocketHandshake.agreement(answer, to: Self.request, subprotocols: ["other"], deflate: nil)
        }
    }

    @Test("W1 a key is 16 random bytes, and no two are alike")
    func keys() {
        var random = SystemRandomNumberGenerator()
        let keys = (0..<100).map { _ in WebSocketHandshake.key(using: &random) }
        #expect(Set(keys).count == 100)
        #expect(keys.allSatisfy { Data(base64Encoded: $0)?.count == 16 })
    }

    @Test(
        "W1 the parameters of permessage-deflate are negotiated, or the response is rejected",
        arguments: [
            ("permessage-deflate", "15 15 kept kept"),
            ("permessage-deflate; server_no_context_takeover", "15 15 kept forgotten"),
            ("permessage-deflate; client_max_window_bits=9; client_no_context_takeover", "9 15 forgotten kept"),
            ("permessage-deflate; server_max_window_bits=\"8\"", "15 8 kept kept"),
            ("permessage-deflate; server_max_window_bits", nil), ("permessage-deflate; server_max_window_bits=7", nil),
            ("permessage-deflate; server_max_window_bits=015", nil), ("permessage-deflate; mystery", nil),
            ("permessage-deflate; client_no_context_takeover; client_no_context_takeover", nil),
            ("permessage-deflate, permessage-deflate", nil), ("x-other", nil),
        ] as [(String, String?)])
    func deflate(_ text: String, _ expected: String?) {
        var answer = Self.answer
        answer["Sec-WebSocket-Extensions"] = text
        let agreement = try? WebSocketHandshake.agreement(
            answer, to: Self.request, subprotocols: [], deflate: DeflateParameters())
        let agreed = agreement?.deflate.map { agreed in
            "\(agreed.clientWindowBits) \(agreed.serverWindowBits) "
                + "\(agreed.clientForgets ? "forgotten" : "kept") \(agreed.serverForgets ? "forgotten" : "kept")"
        }
        #expect(agreed == expected)
    }

    @Test("W1 a server that ignores no_context_takeover or the window is rejected")
    func demands() {
        var offer = DeflateParameters()
        offer.serverForgets = true
        offer.serverWindowBits = 10
        var answer = Self.answer
        for text in ["permessage-deflate; server_max_window_bits=10", "permessage-deflate; server_no_context_takeover"]
        {
            answer["Sec-WebSocket-Extensions"] = text
            #expect(throws: WebSocketFault.self) {
                try WebSocketHandshake.agreement(answer, to: Self.request, subprotocols: [], deflate: offer)
            }
        }
    }

    @Test("W1 X3 a server chooses the client's first subprotocol that it speaks, and refuses what is no handshake")
    func server() throws {
        var request = Self.request
        request["Sec-WebSocket-Protocol"] = "a, b, c"
        let answer = try WebSocketHandshake.answer(to: request, subprotocols: ["c", "b"], deflate: nil)
        #expect(answer.agreement.subprotocol == "b")
        for name in ["Upgrade", "Connection", "Sec-WebSocket-Version", "Sec-WebSocket-Key"] as [HTTPField.Name] {
            var request = Self.request
            request[name] = nil
            #expect(throws: WebSocketFault.self) {
                try WebSocketHandshake.answer(to: request, subprotocols: [], deflate: nil)
            }
        }
    }

    @Test("W1 a close frame's reason is cut at a character, and a code that may not be sent is omitted")
    func closing() {
        let bytes = CloseContent(.goingAway, reason: String(repeating: "é", count: 100)).bytes
        #expect(bytes.count == 124)
        #expect(String(validating: bytes[2...], as: UTF8.self) != nil)
        #expect(CloseContent(.abnormalClosure, reason: "x").bytes.isEmpty)
    }
}
