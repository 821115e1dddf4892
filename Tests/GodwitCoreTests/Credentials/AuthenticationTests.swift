import GodwitCore
import GodwitTesting
import Testing

@Suite("A1 attaching credentials", .timeLimit(.minutes(15)))
struct AuthenticationTests {
    private static let origin = "https://api.example.com"

    private func send(
        _ credential: Credential, _ request: HTTPRequest, over transport: ScriptedTransport = ScriptedTransport(),
        allowed: String = Self.origin, inside: [any ChainElement] = []
    ) async throws -> HTTPResponse {
        let authentication = Authentication(credential, for: [try HTTPURL(allowed).origin])
        return try await Chain([authentication] + inside, over: transport).send(request)
    }

    private func request(_ url: String = "\(Self.origin)/1", body: HTTPBody? = nil) throws -> HTTPRequest {
        HTTPRequest(method: body == nil ? .get : .post, url: try HTTPURL(url), body: body)
    }

    @Test(
        "A1 each kind of credential is sent in its field or query item",
        arguments: [
            (Credential.bearer("abc"), HTTPField.Name.authorization, "Bearer abc"),
            (.basic(user: "Aladdin", password: "open sesame"), .authorization, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (.basic(user: "test", password: "123\u{A3}"), .authorization, "Basic dGVzdDoxMjPCow=="),
            (.apiKey("k", field: "X-Key"), "X-Key", "k"),
            (
                .tokens(TokenRefresher(store: MemoryTokenStore(AccessToken(access: "t", type: "bearer"))) { $0 }),
                .authorization, "Bearer t"
            ),
        ])
    func fields(credential: Credential, name: HTTPField.Name, value: String) async throws {
        let transport = ScriptedTransport()
        _ = try await send(credential, try request(), over: transport)
        #expect(transport.requests.map { $0.fields[name] } == [value])
    }

    @Test("A1 a key in the query follows the other items, encoded")
    func query() async throws {
        let transport = ScriptedTransport()
        _ = try await send(.apiKey("a&b", queryItem: "appid"), try request("\(Self.origin)/1?q=x"), over: transport)
        #expect(transport.requests.map(\.url.absoluteString) == ["\(Self.origin)/1?q=x&appid=a%26b"])
    }

    @Test("A1 basic authentication refuses invalid characters", arguments: [("a:b", "c"), ("a", "b\n"), ("\0", "")])
    func unusable(user: String, password: String) async throws {
        let transport = ScriptedTransport()
        let error = await #expect(throws: NetworkError.self) {
            try await send(.basic(user: user, password: password), try request(), over: transport)
        }
        guard case .invalidRequest = error?.kind else { Issue.record("\(String(describing: error))"); return }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "A1 other origins get nothing",
        arguments: [
            "https://api.example.com:8443/1", "https://example.com/1", "https://api.example.com.evil.com/1",
            "http://api.example.com/1",
        ])
    func otherOrigins(url: String) async throws {
        let transport = ScriptedTransport()
        _ = try await send(.bearer("abc"), try request(url), over: transport)
        #expect(transport.requests.map { $0.fields.isEmpty } == [true])
    }

    @Test("A1 plain http carries credentials to this machine", arguments: ["localhost:80", "127.0.0.2:8080", "[::1]"])
    func loopback(authority: String) async throws {
        let transport = ScriptedTransport()
        let url = "http://\(authority)/1"
        _ = try await send(.bearer("abc"), try request(url), over: transport, allowed: url)
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer abc"])
    }

    @Test("A1 plain http to another host is refused", arguments: ["a.com", "127.0.0.1.evil.com", "10.0.0.1"])
    func plaintext(host: String) async throws {
        let transport = ScriptedTransport()
        let url = "http://\(host)/1"
        let error = await #expect(throws: NetworkError.self) {
            try await send(.bearer("abc"), try request(url), over: transport, allowed: url)
        }
        #expect(error?.kind == .insecure(.plaintext(host: host)))
        #expect(transport.requests.isEmpty)
    }

    @Test("A1 a request without authentication, or with its own, passes unchanged")
    func notAsked() async throws {
        let transport = ScriptedTransport()
        var own = try request()
        own.fields[.authorization] = "Own x"
        var none = try request()
        none.options.authentication = .none
        _ = try await send(.bearer("abc"), own, over: transport)
        _ = try await send(.bearer("abc"), none, over: transport)
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Own x", nil])
    }

    @Test(
        "A1 a redirect to another origin drops credentials, in any field",
        arguments: [
            ("https://other.com/2", false), ("https://api.example.com:8443/2", false),
            ("https://api.example.com/2", true), ("/2", true),
        ], [HTTPField.Name.authorization, "X-My-Own"])
    func redirects(target: (location: String, isCarried: Bool), name: HTTPField.Name) async throws {
        let transport = ScriptedTransport([
            { .redirect(of: $0, to: target.location) }, { .reply(to: $0) },
        ])
        _ = try await send(.apiKey("k", field: name), try request(), over: transport, inside: [Redirects()])
        #expect(transport.requests.map { $0.fields[name] } == ["k", target.isCarried ? "k" : nil])
    }

    @Test("A1 a redirect hook that goes to another origin does not carry them by accident")
    func redirectHook() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "/2") }, { .reply(to: $0) }])
        let other = try HTTPURL("https://other.com/")
        var request = try request()
        request.options.redirects = .decide { proposed, _ in
            var changed = proposed
            changed.url = other
            return changed
        }
        _ = try await send(.apiKey("k", field: "X-My-Own"), request, over: transport, inside: [Redirects()])
        #expect(transport.requests.map { $0.fields["X-My-Own"] } == ["k", nil])
    }
}
