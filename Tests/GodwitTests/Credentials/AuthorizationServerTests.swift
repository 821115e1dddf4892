import Godwit
import GodwitOAuth
import GodwitTesting
import Testing

/// Against Authlib's server, which `script/servers` starts.
@Suite(
    "A5 OAuth 2 with a real authorization server", .timeLimit(.minutes(15)),
    .enabled(if: RealAuthorizationServer.issuer != nil, "needs the servers of script/servers"))
struct AuthorizationServerTests {
    private let transport: SocketTransport
    private let issuer: String

    init() throws {
        transport = try SocketTransport()
        issuer = try #require(RealAuthorizationServer.issuer)
    }

    private func oauth(_ client: OAuthClient = OAuthClient(id: "reader")) async throws -> OAuth2 {
        OAuth2(try await OAuthServer.discover(issuer: issuer, over: transport), client: client, over: transport)
    }

    /// What a person and a browser do: open the page, and go where it sends them.
    private func browse(_ page: HTTPURL) -> Task<Int, any Error> {
        Task { [transport] in
            try await Chain([Redirects()], over: transport).send(HTTPRequest(url: page)).head.status.code
        }
    }

    private func signIn(_ oauth: OAuth2, as user: String = "ann") async throws -> OAuthTokenResponse {
        try await oauth.signIn(scopes: ["articles", "secrets"], parameters: ["login_hint": user]) { page in
            _ = browse(page)
        }
    }

    private func articles(with token: String) async throws -> HTTPStatus {
        var request = HTTPRequest(url: try HTTPURL("\(issuer)/articles"))
        request.fields[.authorization] = "Bearer \(token)"
        return try await transport.send(request).head.status
    }

    @Test("A5 discovery finds the endpoints and rejects metadata of another issuer")
    func discovery() async throws {
        let server = try await OAuthServer.discover(issuer: issuer, over: transport)
        #expect(server.tokenURL.absoluteString == "\(issuer)/token")
        #expect(server.authorizationURL?.path == "/authorize")
        #expect(server.deviceAuthorizationURL?.path == "/device")
        #expect(server.revocationURL?.path == "/revoke")
        let error = await #expect(throws: NetworkError.self) {
            let alias = issuer.replacing("127.0.0.1", with: "localhost")
            return try await OAuthServer.discover(issuer: alias, over: transport)
        }
        guard case .invalidResponse = error?.kind else { Issue.record("\(error as Any)"); return }
    }

    @Test("A5 code and PKCE with the loopback redirect: a token with the granted scopes gives access")
    func codeFlow() async throws {
        let response = try await signIn(try await oauth())
        #expect(response.scopes == ["articles"])
        #expect(response.token.refresh != nil)
        #expect(try #require(response.token.expiry) > Date())
        #expect(try await articles(with: response.token.access) == .ok)
    }

    @Test("A5 if the user denies access: .unauthorized, caused by access_denied")
    func denied() async throws {
        let oauth = try await oauth()
        let error = await #expect(throws: NetworkError.self) { try await signIn(oauth, as: "nobody") }
        #expect(error?.kind == .unauthorized)
        #expect((error?.underlying as? OAuthError)?.code == "access_denied")
    }

    @Test("A5 a code works once, and only with its verifier")
    func codes() async throws {
        let oauth = try await oauth()
        let (first, second) = (try await code(oauth), try await code(oauth))
        _ = try await oauth.token(for: first)
        let used = await #expect(throws: NetworkError.self) { try await oauth.token(for: first) }
        #expect(used?.kind == .unauthorized)
        let elsewhere = AuthorizationCode(value: second.value, redirect: second.redirect, verifier: first.verifier)
        let stolen = await #expect(throws: NetworkError.self) { try await oauth.token(for: elsewhere) }
        #expect((stolen?.underlying as? OAuthError)?.code == "invalid_grant")
    }

    private func code(_ oauth: OAuth2) async throws -> AuthorizationCode {
        let redirect = try LoopbackRedirect()
        let request = try oauth.authorizationRequest(redirect: redirect.url.absoluteString, scopes: ["articles"])
        let visit = browse(request.url)
        let code = try await redirect.code(for: request)
        #expect(try await visit.value == 200)
        return code
    }

    @Test("A5 A3 refresh tokens rotate: the new one works, the old one does not")
    func refresh() async throws {
        let oauth = try await oauth()
        let first = try await signIn(oauth).token
        let second = try await oauth.refresh(first).token
        #expect(second.access != first.access && second.refresh != first.refresh)
        #expect(try await articles(with: second.access) == .ok)
        #expect(try await articles(with: first.access) == .unauthorized)
        let error = await #expect(throws: NetworkError.self) { try await oauth.refresh(first) }
        #expect(error?.kind == .unauthorized)
    }

    @Test("A5 A3 if the server no longer accepts a client's access token, the client refreshes it and continues")
    func refreshingClient() async throws {
        let oauth = try await oauth()
        var token = try await signIn(oauth).token
        token.access = "worn-out"
        let store = MemoryTokenStore(token)
        let origin = try HTTPURL(issuer).origin
        let chain = Chain([Authentication(.tokens(oauth.refresher(store: store)), for: [origin])], over: transport)
        let request = HTTPRequest(url: try HTTPURL("\(issuer)/articles"))
        #expect(try await chain.send(request).head.status == .ok)
        #expect(store.load()?.access != "worn-out")
        #expect(store.load()?.refresh != token.refresh)
    }

    @Test(
        "A5 client credentials, with the secret in the header and in the form",
        arguments: [
            OAuthClient(id: "service", secret: "s3cret-1"),
            OAuthClient(id: "poster", secret: "posted", secretIn: .form),
        ])
    func clientCredentials(client: OAuthClient) async throws {
        let response = try await oauth(client).clientCredentials(scopes: ["articles"])
        #expect(try await articles(with: response.token.access) == .ok)
    }

    @Test("A5 a wrong client secret: .unauthorized, caused by invalid_client")
    func wrongSecret() async throws {
        let oauth = try await oauth(OAuthClient(id: "service", secret: "wrong"))
        let error = await #expect(throws: NetworkError.self) { try await oauth.clientCredentials() }
        #expect(error?.kind == .unauthorized)
        #expect((error?.underlying as? OAuthError)?.code == "invalid_client")
    }

    @Test("A5 a revoked token gives no access and can't be refreshed")
    func revocation() async throws {
        let oauth = try await oauth()
        let token = try await signIn(oauth).token
        try await oauth.revoke(token)
        #expect(try await articles(with: token.access) == .unauthorized)
        await #expect(throws: NetworkError.self) { try await oauth.refresh(token) }
        try await oauth.revoke(AccessToken(access: "unknown"))
    }

    @Test("A5 device codes: pending, slower on request, then a token or a denial", arguments: [true, false])
    func device(approves: Bool) async throws {
        let clock = TestClock()
        let server = try await OAuthServer.discover(issuer: issuer, over: transport)
        let oauth = OAuth2(server, client: OAuthClient(id: "reader"), over: transport, clock: clock)
        let device = try await oauth.deviceAuthorization(scopes: ["articles"])
        let flow = Task { try await oauth.token(for: device) }
        for expected in [5, 5, 10] {
            try await clock.waitForSleepers()
            if expected == 10 {
                let page = "\(issuer)/device/\(approves ? "approve" : "deny")?user_code=\(device.userCode)"
                _ = try await transport.send(HTTPRequest(url: try HTTPURL(page)))
            }
            #expect(clock.advanceToNextSleeper() == .seconds(expected))
        }
        if approves {
            #expect(try await articles(with: try await flow.value.token.access) == .ok)
        } else {
            let error = await #expect(throws: NetworkError.self) { try await flow.value }
            #expect((error?.underlying as? OAuthError)?.code == "access_denied")
        }
    }
}

enum RealAuthorizationServer {
    /// Its issuer, where it runs.
    static let issuer = ProcessInfo.processInfo.environment["GODWIT_TEST_OAUTH"]
}
