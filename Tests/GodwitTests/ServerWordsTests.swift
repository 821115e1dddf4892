import Godwit
import GodwitOAuth
import GodwitTesting
import TestSupport
import Testing

/// Every way to call a server, over real sockets and over a mock: what it says reaches the person and the log.
@Suite("E11 the server's words on every way", .timeLimit(.minutes(15)))
struct ServerTextTests {
    /// A way to call a server.
    enum Way: String, CaseIterable, Sendable {
        case send, response, stream, lines, events, download, upload, webSocket, reconnectingSocket, pages, reading, raw
    }

    private static let taken = MockResponse.json(["message": "The name is taken"], status: .conflict)

    private func client(_ base: some HTTPURLConvertible, over mock: MockTransport?) throws -> APIClient {
        let configure = { (configuration: inout ClientConfiguration) in
            configuration.retry.maximumAttempts = 1
            configuration.requestIDs = .off
        }
        guard let mock else { return APIClient(baseURL: base, configure: configure) }
        return APIClient(baseURL: base, transport: mock, configure: configure)
    }

    /// Calls the server so, and returns the error.
    private func error(_ way: Way, _ api: APIClient, in folder: TemporaryFolder) async -> NetworkError? {
        await failure { () throws(NetworkError) in try await call(way, api, in: folder) }
    }

    private func call(_ way: Way, _ api: APIClient, in folder: TemporaryFolder) async throws(NetworkError) {
        switch way {
        case .send: try await api.send(Endpoint<Void>.get("users"))
        case .response: _ = try await api.response(for: Endpoint<Data>.get("users"))
        case .stream: for try await _ in api.stream(Endpoint<Data>.get("users")) {}
        case .lines: for try await _ in api.stream(Endpoint<Data>.get("users")).lines {}
        case .events: for try await _ in api.events(Endpoint<Data>.get("users")) {}
        case .download: _ = try await api.download(Endpoint<Data>.get("users"), to: folder.url).file
        case .upload:
            let body = RequestBody.json(["name": "ann"])
            _ = try await api.upload(Endpoint<Data>.post("users"), body: body)
        case .webSocket: _ = try await api.webSocket("users")
        case .reconnectingSocket:
            let socket = api.reconnectingWebSocket("users") { _, reconnect in reconnect.reconnects = { _ in false }
            }
            for try await _ in socket.messages {}
        case .pages:
            for try await _ in api.pages(.links(from: Endpoint<[String]>.get("users"))) {}
        case .reading:
            for try await _ in api.reading(Endpoint<String>.get("users"), from: MemoryModelStore()) {}
        case .raw:
            let request = try api.request(for: Endpoint<Data>.get("users"))
            let response = try await api.send(request)
            throw NetworkError(response, body: try await response.body.collect(upTo: 64 << 10))
        }
    }

    @Test("E11 a 409's message is the user message and in the description, over real sockets", arguments: Way.allCases)
    func realSockets(way: Way) async throws {
        let server = try await MockServer { route in route.any("*").reply(Self.taken) }
        let folder = TemporaryFolder()
        let error = try #require(await error(way, try client(server.url, over: nil), in: folder))
        #expect(error.kind == .client(status: 409))
        #expect(error.userMessage == "The name is taken")
        #expect(error.description.hasPrefix("HTTP 409 from "))
        #expect(error.description.hasSuffix(" \(server.url)users: The name is taken"))
    }

    @Test("E11 a 409's message is the user message and in the description, over a mock", arguments: Way.allCases)
    func mock(way: Way) async throws {
        let mock = MockTransport { $0.any("*").reply(Self.taken) }
        let folder = TemporaryFolder()
        let error = try #require(
            await error(way, try client("https://api.example.com/v1", over: mock), in: folder))
        #expect(error.userMessage == "The name is taken")
        #expect(error.description.hasSuffix(" https://api.example.com/v1/users: The name is taken"))
    }

    @Test("E11 a rejected WebSocket handshake's body is read up to 64 KiB, in any framing", arguments: [401, 403, 409])
    func handshake(status: Int) async throws {
        let code = try #require(HTTPStatus(status))
        let large = #"{"message": "You may not listen", "padding": ""# + String(repeating: "a", count: 1 << 20) + "\"}"
        let server = try await MockServer { route in
            route.get("/small").reply(.json(["message": "You may not listen"], status: code))
            route.get("/closed").reply(
                .raw(
                    "HTTP/1.1 \(status) No\r\nContent-Type: application/json\r\n\r\n{\"message\": \"You may not listen\"}"
                ))
            route.get("/chunked").reply(
                .raw(
                    "HTTP/1.1 \(status) No\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "6\r\n{\"mess\r\n1c\r\nage\": \"You may not listen\"}\r\n0\r\n\r\n"))
            route.get("/large").reply(.bytes(Data(large.utf8), contentType: "application/json", status: code))
        }
        let api = try client(server.url, over: nil)
        for path in ["small", "closed", "chunked", "large"] {
            let error = await #expect(throws: NetworkError.self) { _ = try await api.webSocket("\(path)") }
            #expect(error?.response?.status == code)
            #expect((error?.body?.count ?? 0) <= 64 << 10)
            guard path != "large" else { continue }
            #expect(error?.userMessage == "You may not listen", "\(path)")
        }
    }

    @Test("E11 JSON instead of an event stream or WebSocket provides the reason")
    func unexpected() async throws {
        let server = try await MockServer { _ in .json(["error": ["message": "The model is loading"]]) }
        let api = try client(server.url, over: nil)
        let events = await #expect(throws: NetworkError.self) {
            for try await _ in api.events(Endpoint<Data>.get("chat")) {}
        }
        #expect(events?.kind == .unexpectedContentType("application/json"))
        #expect(events?.description.hasSuffix("[GET \(server.url)chat]: The model is loading") == true)
        let socket = await #expect(throws: NetworkError.self) { _ = try await api.webSocket("chat") }
        #expect(socket?.kind == .unexpectedStatus(200))
        #expect(socket?.description == "HTTP 200 from GET \(server.url)chat: The model is loading")
    }

    @Test("E11 the OAuth call and the call that needed the token both report the error_description")
    func oauth() async throws {
        let server = try await MockServer { route in
            route.post("/token").reply(
                json: ["error": "invalid_grant", "error_description": "The session of s3cr3t-refresh has ended"],
                status: .badRequest)
        }
        let api = try client(server.url, over: nil)
        let token = AccessToken(access: "old", refresh: "s3cr3t-refresh", expiry: Date(timeIntervalSince1970: 0))
        let tokenURL = try HTTPURL("\(server.url)token")
        let oauth = OAuth2(OAuthServer(tokenURL: tokenURL), client: OAuthClient(id: "reader"), over: api)
        let direct = await #expect(throws: NetworkError.self) { _ = try await oauth.refresh(token) }
        #expect(direct?.userMessage == "The session of <redacted> has ended")
        #expect(
            direct?.description == "HTTP 400 from POST \(tokenURL.absoluteString): The session of <redacted> has ended")
        #expect((direct?.underlying as? OAuthError)?.detail == "The session of <redacted> has ended")

        let store = MemoryTokenStore(token)
        let signedIn = APIClient(baseURL: server.url) {
            $0.retry.maximumAttempts = 1
            $0.requestIDs = .off
            $0.authentication = .refreshing(store) { _, old in try await oauth.refresh(old).token }
        }
        let indirect = await #expect(throws: NetworkError.self) { try await signedIn.send(Endpoint<Void>.get("a")) }
        #expect(indirect?.kind == .unauthorized)
        #expect(indirect?.description.contains("The session of <redacted> has ended") == true)
        #expect(indirect?.description.hasPrefix("unauthorized") == true)
    }
}
