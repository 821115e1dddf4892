import GodwitCore
import GodwitOAuth
import GodwitTesting
import Testing

@Suite("A7 extensions of OAuth 2")
struct OAuthExtensionTests {
    private static let issuer = "https://auth.example.com"

    private static func metadata(_ more: [String: JSONValue]) -> JSONValue {
        let own: [String: JSONValue] = [
            "issuer": .string(issuer), "token_endpoint": .string("\(issuer)/token"),
            "authorization_endpoint": .string("\(issuer)/authorize?tenant=1"),
            "revocation_endpoint": .string("\(issuer)/revoke"),
        ]
        return .object(own.merging(more) { $1 })
    }

    private static func form(_ request: MockRequest?) -> [String] {
        (request?.text ?? "").split(separator: "&").map(String.init)
    }

    private static func mock(
        _ more: [String: JSONValue] = [:], _ routes: @escaping @Sendable (MockRoutes) -> Void = { _ in }
    ) -> MockTransport {
        MockTransport {
            $0.get("/.well-known/oauth-authorization-server").reply(.json(metadata(more)))
            routes($0)
        }
    }

    @Test("A7 a certificate authenticates the client at the aliases of the endpoints, and binds its tokens (RFC 8705)")
    func certificate() async throws {
        let aliases: JSONValue = [
            "token_endpoint": "https://mtls.example.com/token",
            "revocation_endpoint": "https://mtls.example.com/revoke",
        ]
        let mock = Self.mock(["mtls_endpoint_aliases": aliases]) {
            $0.post("/token").reply(json: ["access_token": "at", "token_type": "Bearer"])
            $0.post("/revoke").reply(.status(.ok))
        }
        let server = try await OAuthServer.discover(issuer: Self.issuer, over: mock)
        let client = OAuthClient(certificateID: "importer")
        #expect("\(client)" == "OAuthClient(importer, certificate)")
        let oauth = OAuth2(server, client: client, over: mock)
        let token = try await oauth.clientCredentials().token
        try await oauth.revoke(token)
        let requests = mock.requests.suffix(2)
        #expect(requests.map { $0.url?.host } == ["mtls.example.com", "mtls.example.com"])
        #expect(requests.allSatisfy { Self.form($0).contains("client_id=importer") })
        #expect(requests.allSatisfy { $0.fields[.authorization] == nil })
        let plain = OAuth2(server, client: OAuthClient(id: "reader"), over: mock)
        _ = try await plain.clientCredentials()
        #expect(mock.requests.last?.url?.host == "auth.example.com")
        #expect(plain.server.tokenURL.host == "auth.example.com")
    }

    @Test("A7 a pushed request has all parameters and the client's secret, and its page a reference (RFC 9126)")
    func pushed() async throws {
        let mock = Self.mock(["pushed_authorization_request_endpoint": "https://auth.example.com/par"]) {
            $0.post("/par").reply(.json(["request_uri": "urn:x:1&2", "expires_in": 60], status: .created))
        }
        let server = try await OAuthServer.discover(issuer: Self.issuer, over: mock)
        #expect(!server.requiresPushedAuthorization)
        let oauth = OAuth2(server, client: OAuthClient(id: "reader", secret: "s", secretIn: .form), over: mock)
        let request = try await oauth.pushedAuthorizationRequest(
            redirect: "com.example:/back", scopes: ["a"], parameters: ["prompt": "login"])
        #expect(
            request.url.absoluteString
                == "https://auth.example.com/authorize?tenant=1&client_id=reader&request_uri=urn:x:1%262")
        let form = Self.form(mock.requests.last)
        #expect(Set(form).isSuperset(of: ["response_type=code", "scope=a", "prompt=login", "client_secret=s"]))
        #expect(form.filter { $0.hasPrefix("client_id=") } == ["client_id=reader"])
        let state = try #require(form.first { $0.hasPrefix("state=") })
        #expect(throws: Never.self) { try request.code(in: "com.example:/back?code=c&\(state)") }
    }

    @Test("A7 a server that requires pushed requests gets one for each sign-in")
    func required() async throws {
        let mock = Self.mock([
            "pushed_authorization_request_endpoint": "https://auth.example.com/par",
            "require_pushed_authorization_requests": true,
        ]) {
            $0.post("/par").reply(.json(["error": "invalid_request"], status: .badRequest))
        }
        let server = try await OAuthServer.discover(issuer: Self.issuer, over: mock)
        #expect(server.requiresPushedAuthorization)
        let oauth = OAuth2(server, client: OAuthClient(id: "reader"), over: mock)
        let error = await #expect(throws: NetworkError.self) {
            try await oauth.signIn { _ in Issue.record("the page must not open") }
        }
        #expect((error?.underlying as? OAuthError)?.code == "invalid_request")
    }

    @Test("A7 a server without an endpoint says so, and nothing is sent")
    func unsupported() async throws {
        let mock = Self.mock()
        let oauth = OAuth2(
            try await OAuthServer.discover(issuer: Self.issuer, over: mock), client: OAuthClient(id: "r"), over: mock)
        let pushed = await #expect(throws: NetworkError.self) {
            try await oauth.pushedAuthorizationRequest(redirect: "a:/b")
        }
        let introspected = await #expect(throws: NetworkError.self) {
            try await oauth.introspect(AccessToken(access: "t"))
        }
        for error in [pushed, introspected] {
            guard case .unsupported = error?.kind else { Issue.record("\(error as Any)"); continue }
        }
        #expect(mock.requestCount == 1)
    }

    @Test("A7 an exchange names both tokens and their types, and grants an access token alone (RFC 8693)")
    func exchange() async throws {
        let mock = Self.mock {
            $0.post("/token").replies([
                .json(["access_token": "new", "token_type": "Bearer", "expires_in": 60]),
                .json(["access_token": "jwt", "token_type": "N_A"]),
            ])
        }
        let oauth = OAuth2(
            try await OAuthServer.discover(issuer: Self.issuer, over: mock), client: OAuthClient(id: "r"), over: mock)
        let subject = OAuth2.ExchangeToken.access(AccessToken(access: "hidden-1"))
        let response = try await oauth.exchange(
            subject, actor: .id("hidden-2"), audience: "tides", resource: "https://tides.example.com",
            scopes: ["a", "b"])
        #expect(response.token.access == "new")
        #expect(
            Set(Self.form(mock.requests.last)) == [
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange", "subject_token=hidden-1",
                "subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token", "actor_token=hidden-2",
                "actor_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aid_token",
                "requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token", "audience=tides",
                "resource=https%3A%2F%2Ftides.example.com", "scope=a+b", "client_id=r",
            ])
        let error = await #expect(throws: NetworkError.self) { try await oauth.exchange(subject) }
        guard case .decoding = error?.kind else { Issue.record("\(error as Any)"); return }
        var text = "\(subject) \(error as Any)"
        dump(subject, to: &text)
        #expect(!text.contains("hidden"))
    }

    @Test("A7 signing out removes the data here, whatever the server says", arguments: [200, 503])
    func signOut(status: Int) async throws {
        let mock = Self.mock { $0.post("/revoke").reply(.status(status)) }
        let oauth = OAuth2(
            try await OAuthServer.discover(issuer: Self.issuer, over: mock), client: OAuthClient(id: "r"), over: mock)
        let store = MemoryTokenStore(AccessToken(access: "at", refresh: "rt"))
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.authentication = .credential(.tokens(oauth.refresher(store: store)))
        }
        let error: NetworkError?
        do throws(NetworkError) {
            try await oauth.signOut(api)
            error = nil
        } catch let failure {
            error = failure
        }
        #expect((error == nil) == (status == 200))
        #expect(store.load() == nil)
        #expect(Self.form(mock.requests.matching(.post, "/revoke").first).contains("token=rt"))
    }
}
