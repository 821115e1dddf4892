@_spi(Engines) import GodwitCore
import GodwitTesting
import GodwitURLSession
import Testing

// URLSession on Linux has no WebSockets, so the test says what it would.
@Suite("Handshakes of URLSession's WebSockets", .timeLimit(.minutes(15)))
struct SocketHandshakeTests {
    private let task = FakeSocketTask()

    private func request(_ url: String = "https://live.example/feed?a=b") throws -> HTTPRequest {
        var request = HTTPRequest(url: try HTTPURL(url))
        var upgrade = ProtocolUpgrade(to: "websocket") {
            ["Sec-WebSocket-Key": "AAAA", "Sec-WebSocket-Protocol": "chat.v2, chat"]
        }
        upgrade.messageLimit = 100
        request.options.upgrade = upgrade
        return request
    }

    private func exchange(_ request: HTTPRequest) throws -> Exchange {
        Exchange(request, URLRequest(url: try #require(URL(string: "wss://live.example/"))), streamBuffer: 1)
    }

    private func answer(_ status: Int, _ fields: [String: String] = [:]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "wss://live.example/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
    }

    /// What `send` comes to when this happens to its exchange.
    private func outcome(of exchange: Exchange, _ happens: () -> Void) async -> Exchange.Outcome {
        await withUnsafeContinuation { caller in
            exchange.start(caller)
            happens()
        }
    }

    @Test("W1 T3 a request for a WebSocket has a URL of its scheme, and offers what is offered")
    func converted() throws {
        #expect(try HandshakeRequest.address(of: request()) == "wss://live.example/feed?a=b")
        #expect(try HandshakeRequest.address(of: request("http://live.example/")) == "ws://live.example/")
        #expect(try HandshakeRequest.offer(of: request()) == "chat.v2, chat")
        let plain = HTTPRequest(url: try HTTPURL("https://live.example/"))
        #expect(HandshakeRequest.address(of: plain) == "https://live.example/")
        #expect(HandshakeRequest.offer(of: plain) == nil)
    }

    @Test("W1 T3 a server that switches gives the head of its answer and the messages")
    func opened() async throws {
        let exchange = try exchange(request())
        let response = try answer(101, ["X-Node": "7"])
        let answer = try await outcome(of: exchange) { exchange.open(task, response, subprotocol: "chat") }.get()
        #expect(answer.head.status == .switchingProtocols)
        #expect(answer.head.fields["X-Node"] == "7")
        #expect(answer.head.fields["Sec-WebSocket-Protocol"] == "chat")
        #expect(answer.connection == nil)
        let messages = try #require(answer.messages)
        let listener = Listener()
        messages.start(listener)
        task.deliver(.success(.text(String(repeating: "x", count: 101))))
        #expect(listener.said == ["end \(NetworkError.Kind.tooLarge(limit: 100))"])
        messages.abandon(nil)
    }

    @Test("W1 T3 where the system does not tell the answer, it is a 101 without fields")
    func untold() async throws {
        let exchange = try exchange(request())
        let answer = try await outcome(of: exchange) { exchange.open(task, nil, subprotocol: nil) }.get()
        #expect(answer.head == HTTPResponseHead(status: .switchingProtocols))
        answer.messages?.abandon(nil)
    }

    @Test("W1 T3 another answer than 101 is returned as what it is", arguments: [200, 401, 403, 503])
    func refused(_ status: Int) async throws {
        let exchange = try exchange(request())
        let response = try answer(status, ["X-Why": "so"])
        let answer = try await outcome(of: exchange) {
            exchange.complete(URLError(.badServerResponse), response: response)
        }.get()
        #expect(answer.head.status.code == status)
        #expect(answer.head.fields["X-Why"] == "so")
        #expect(answer.messages == nil)
    }

    @Test("W1 T3 a redirect is returned immediately")
    func redirected() async throws {
        let exchange = try exchange(request())
        let response = try answer(302, ["Location": "/other"])
        let answer = try await outcome(of: exchange) { exchange.refuse(response) }.get()
        #expect(answer.head.status == .found)
        #expect(answer.head.fields[.location] == "/other")
    }

    @Test("W1 T3 a failed handshake throws the reason; an invalid 101 isn't a response")
    func failed() async throws {
        let lost = try exchange(request())
        let error = await failure(of: lost) {
            lost.complete(URLError(.cannotConnectToHost), response: nil)
        }
        guard case .transport(.cannotConnect) = error?.kind else { return #expect(Bool(false), "\(error as Any)") }
        let broken = try exchange(request())
        let response = try answer(101)
        let violation = await failure(of: broken) {
            broken.complete(URLError(.badServerResponse), response: response)
        }
        guard case .invalidResponse = violation?.kind else { return #expect(Bool(false), "\(violation as Any)") }
    }

    @Test("W2 T3 a caller canceled during the handshake gets .canceled, and a socket that opens later is closed")
    func cancelled() async throws {
        let exchange = try exchange(request())
        let error = await failure(of: exchange) { exchange.cancel() }
        #expect(error?.kind == .cancelled)
        exchange.open(task, nil, subprotocol: nil)
        #expect(task.ends == ["cancel"])
    }

    @Test("T4 T3 a handshake that takes too long ends with the request's timeout; an open socket has none")
    func timedOut() async throws {
        var slow = try request()
        slow.options.timeouts.total = .milliseconds(1)
        let exchange = try exchange(slow)
        let error = await failure(of: exchange) {}
        #expect(error?.kind == .timedOut(.total))
    }

    @Test("W3 T3 what the delegate hears reaches the reader of an open socket, and shutting down ends it")
    func afterwards() async throws {
        let heard = try exchange(request())
        let first = try await outcome(of: heard) { heard.open(task, nil, subprotocol: nil) }.get()
        let listener = Listener()
        first.messages?.start(listener)
        heard.receiveClose(CloseContent(.serviceRestart, reason: "soon"))
        heard.complete(nil, response: nil)
        #expect(listener.said == ["close 1012 soon", "end"])

        let open = try exchange(request())
        let other = FakeSocketTask()
        let second = try await outcome(of: open) { open.open(other, nil, subprotocol: nil) }.get()
        let last = Listener()
        second.messages?.start(last)
        open.cancel()
        #expect(last.said == ["end \(NetworkError.Kind.cancelled)"])
        second.messages?.abandon(nil)
        #expect(other.ends == ["cancel"])
    }

    private func failure(of exchange: Exchange, _ happens: () -> Void) async -> NetworkError? {
        guard case .failure(let error) = await outcome(of: exchange, happens) else { return nil }
        return error
    }

    @Test("W1 T3 on Linux a WebSocket is refused before anything is sent")
    func unsupported() async throws {
        let server = try await MockServer { _ in .text("?") }
        let api = APIClient(baseURL: server.url, transport: try URLSessionTransport())
        let error = await #expect(throws: NetworkError.self) { try await api.webSocket("live") }
        #expect(error?.kind == .unsupported(feature: "an upgrade to websocket", on: "URLSession on Linux"))
        #expect(server.requestCount == 0)
    }
}
