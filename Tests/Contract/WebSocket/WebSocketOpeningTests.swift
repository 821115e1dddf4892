import Godwit
import GodwitSupport
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: opening a WebSocket", .timeLimit(.minutes(15)))
struct WebSocketOpeningTests {
    @Test(
        "W1 the handshake carries default fields, credentials, cookies and its own fields", arguments: Subject.allCases)
    func request(_ subject: Subject) async throws {
        let server = try await MockServer.echo()
        let api = APIClient(baseURL: server.url, transport: try subject.make()) {
            $0.defaultFields[.acceptLanguage] = "de"
            $0.authentication = .credential(.bearer("t1"))
        }
        let socket = try await api.webSocket("echo", query: ["room": "a b"]) { $0.fields["X-Own"] = "yes" }
        let request = try #require(server.requests.first)
        #expect(request.fields[.acceptLanguage] == "de")
        #expect(request.fields[.authorization] == "Bearer t1")
        #expect(request.fields["X-Own"] == "yes")
        #expect(request.fields.values(of: .host) == ["127.0.0.1:\(server.url.port)"])
        #expect(request.queryValue("room") == "a b")
        #expect(request.fields["Sec-WebSocket-Extensions"] == nil)
        await socket.close()
    }

    @Test("W1 the server chooses a subprotocol among those offered", arguments: Subject.allCases)
    func subprotocol(_ subject: Subject) async throws {
        let server = try await MockServer { route in
            route.webSocket("/chat", subprotocols: ["chat.v1"]) { socket in _ = try await socket.receive() }
        }
        let api = APIClient(baseURL: server.url, transport: try subject.make())
        let socket = try await api.webSocket("chat", subprotocols: ["chat.v2", "chat.v1"])
        #expect(socket.subprotocol == "chat.v1")
        #expect(try await api.webSocket("chat").subprotocol == nil)
        await #expect(throws: NetworkError.self) { try await api.webSocket("chat", subprotocols: ["not a token"]) }
    }

    @Test("W1 a response other than 101 throws as in any call, with the start of its body")
    func refused() async throws {
        let long = String(repeating: "no ", count: 100_000)
        let server = try await MockServer { route in
            route.get("/401").reply(.text("who are you", status: .unauthorized))
            route.get("/404").reply(.text("not here", status: .notFound).framed(.chunked))
            route.get("/503").reply(.text(long, status: .serviceUnavailable).framed(.untilClose))
            route.get("/200").reply(.text("just a page"))
            route.get("/reset").reply(.reset)
        }
        let api = APIClient(baseURL: server.url, transport: try Subject.sockets.make()) { $0.retry.maximumAttempts = 1 }
        let cases: [(EndpointPath, NetworkError.Kind, String)] = [
            ("401", .unauthorized, "who are you"), ("404", .notFound, "not here"),
            ("503", .server(status: 503), String(long.prefix(64 << 10))),
            ("200", .unexpectedStatus(200), "just a page"),
        ]
        for (path, kind, body) in cases {
            let error = await failure { () throws(NetworkError) in _ = try await api.webSocket(path) }
            #expect(error?.kind == kind)
            #expect(error?.body.map { String(decoding: $0, as: UTF8.self) } ?? "" == body)
        }
        let error = await failure { () throws(NetworkError) in _ = try await api.webSocket("reset") }
        guard case .transport(.connectionLost) = error?.kind else { throw Unexpected(error) }
        try await server.waitUntilConnectionsClose()
    }

    @Test("W1 a rejected token is refreshed, and a redirect followed, with a new key for each attempt")
    func again() async throws {
        let server = try await MockServer { route in
            route.get("/old").reply(MockResponse(status: .found, fields: [.location: "/echo"]))
            route.webSocket("/echo") { socket in try await socket.send(try await socket.receive()) }
        }
        let api = APIClient(baseURL: server.url, transport: try Subject.sockets.make())
        let socket = try await api.webSocket("old")
        try await socket.send("hi")
        #expect(try await socket.receive() == .text("hi"))
        let keys = server.requests.compactMap { $0.fields["Sec-WebSocket-Key"] }
        #expect(keys.count == 2 && Set(keys).count == 2)
    }

    @Test(
        "W1 an invalid 101 throws, and its connection is closed",
        arguments: [
            "Connection: Upgrade\r\nUpgrade: websocket\r\n",
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n",
            "Connection: close\r\n",
        ])
    func broken(_ fields: String) async throws {
        let server = try await MockServer { $0.get("/").reply(.raw("HTTP/1.1 101 Sure\r\n\(fields)\r\n").closing()) }
        let api = APIClient(baseURL: server.url, transport: try Subject.sockets.make())
        let error = await failure { () throws(NetworkError) in _ = try await api.webSocket("") }
        guard case .invalidResponse = error?.kind else { throw Unexpected(error) }
        try await server.waitUntilConnectionsClose()
    }

    @Test("W1 over a Unix domain socket")
    func unixSocket() async throws {
        let folder = TemporaryFolder()
        var options = MockServer.Options()
        options.address = .unixSocket(path: folder.url.appending(path: "s").path)
        let server = try await MockServer(options) { route in
            route.webSocket("/echo") { socket in try await socket.send(try await socket.receive()) }
        }
        let api = APIClient(
            baseURL: server.url,
            transport: try Subject.sockets.make { $0.unixSocketPath = folder.url.appending(path: "s").path })
        let socket = try await api.webSocket("echo")
        try await socket.send("hi")
        #expect(try await socket.receive() == .text("hi"))
    }

    @Test("W1 T2 T23 through an HTTP proxy, with a tunnel even without TLS")
    func proxy() async throws {
        let server = try await MockServer.echo()
        let port = server.url.port
        let proxy = try Listener()
        let heads = Watched<[String]>([])
        proxy.serve { connection in
            guard let head = connection.readHead(), let server = Listener.Connection(to: port) else { return }
            heads.update { $0.append(head) }
            connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
            SystemThread { server.pass(to: connection) }?.detach()
            connection.pass(to: server)
        }
        let api = APIClient(
            baseURL: server.url,
            transport: try Subject.sockets.make { $0.proxy = "http://127.0.0.1:\(proxy.url.port)" })
        let socket = try await api.webSocket("echo")
        try await socket.send("hi")
        #expect(try await socket.receive() == .text("hi"))
        #expect(heads.value.first?.hasPrefix("CONNECT 127.0.0.1:\(port) ") == true)
    }

    @Test("W1 T1 over TLS, whose server must be trusted", .enabled(if: Nginx.isRunning, Nginx.hint))
    func secure() async throws {
        let server = try await MockServer.echo()
        let path = "/websocket/\(server.url.port)"
        let api = APIClient(baseURL: try Nginx.h2.at(path), transport: try Subject.sockets.makeTrusting())
        let socket = try await api.webSocket("echo")
        for length in [0, 1000, 100_000, 3_000_000] {
            let data = Samples.data(length)
            try await socket.send(data)
            #expect(try await socket.receive() == .binary(data))
        }
        let stranger = APIClient(baseURL: try Nginx.h2.at(path), transport: try Subject.sockets.make())
        let error = await failure { () throws(NetworkError) in _ = try await stranger.webSocket("echo") }
        guard case .insecure(.untrustedCertificate) = error?.kind else { throw Unexpected(error) }
    }

    @Test("W1 S2 pinned keys apply to wss", .enabled(if: Nginx.hasCertificates, Nginx.hint))
    func pinned() async throws {
        let server = try await MockServer.echo()
        let url = try Nginx.h2.at("/websocket/\(server.url.port)")
        let other = Pin.sha256([UInt8](repeating: 7, count: 32))
        let leaf = try Nginx.pin("localhost")
        let known = APIClient(
            baseURL: url, transport: try Subject.sockets.makeTrusting { $0.tls.pins["127.0.0.1"] = [leaf, other] })
        let socket = try await known.webSocket("echo")
        try await socket.send("hi")
        #expect(try await socket.receive() == .text("hi"))
        let stranger = APIClient(
            baseURL: url,
            transport: try Subject.sockets.makeTrusting { $0.tls.pins["127.0.0.1"] = .withoutBackup(other) })
        let error = await failure { () throws(NetworkError) in _ = try await stranger.webSocket("echo") }
        #expect(error?.kind == .insecure(.pinMismatch))
    }

    @Test(
        "W1 S4 a client certificate is sent for wss, only to its host",
        .enabled(if: Nginx.hasCertificates, Nginx.hint))
    func certified() async throws {
        let certificate = ClientCertificate.pem(
            certificate: .file(try Nginx.file("client.pem")), key: .file(try Nginx.file("client.key")))
        let transport = try Subject.sockets.makeTrusting { $0.tls.clientCertificates["localhost"] = certificate }
        // Behind its certificates this server has documents and no sockets: let in, one is told that.
        for (host, status) in [("localhost", 200), ("127.0.0.1", 400)] {
            let api = APIClient(baseURL: try Nginx.clientCertificate.document(at: host), transport: transport)
            let error = await failure { () throws(NetworkError) in _ = try await api.webSocket("") }
            #expect(error?.response?.status.code == status)
        }
    }

    @Test("W1 a handshake that is canceled or times out leaves no connection")
    func cancelled() async throws {
        let server = try await MockServer { $0.get("/").reply(.hang) }
        let api = APIClient(baseURL: server.url, transport: try Subject.sockets.make()) { $0.retry.maximumAttempts = 1 }
        let task = Task { await failure { () throws(NetworkError) in _ = try await api.webSocket("") } }
        try await server.waitForRequests()
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        try await server.waitUntilConnectionsClose()
        let error = await failure { () throws(NetworkError) in
            _ = try await api.webSocket("") { $0.adjustRequest = { $0.timeouts.inactivity = .milliseconds(50) } }
        }
        #expect(error?.kind == .timedOut(.inactivity))
        try await server.waitUntilConnectionsClose()
    }
}

/// An error other than the one that was expected.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ error: NetworkError?) {
        description = error.map { "unexpected: \($0)" } ?? "no error was thrown"
    }
}
