import Godwit
import GodwitOAuth
import GodwitTesting
import TestSupport
import Testing

/// Against Authlib's server, which `script/servers` starts. It checks proofs by code of its own.
@Suite(
    "A7 proof of possession with a real authorization server", .timeLimit(.minutes(15)), .serialized,
    .enabled(if: RealAuthorizationServer.issuer != nil, "needs the servers of script/servers"))
struct ProofOfPossessionTests {
    private let transport: SocketTransport
    private let issuer: String
    private let dpop: DPoP

    init() throws {
        transport = try SocketTransport()
        issuer = try #require(RealAuthorizationServer.issuer)
        dpop = DPoP(try DPoPKey())
    }

    private func oauth(
        _ dpop: DPoP?, client: OAuthClient = OAuthClient(id: "reader")
    ) async throws -> OAuth2 {
        let server = try await OAuthServer.discover(issuer: issuer, over: transport)
        return OAuth2(server, client: client, over: transport, dpop: dpop)
    }

    private func browse(_ page: HTTPURL) {
        Task { [transport] in try await Chain([Redirects()], over: transport).send(HTTPRequest(url: page)) }
    }

    private func signIn(_ oauth: OAuth2) async throws -> OAuthTokenResponse {
        try await oauth.signIn(scopes: ["articles"]) { page in browse(page) }
    }

    private func articles(_ token: AccessToken, _ dpop: DPoP?) async throws -> HTTPResponse {
        let request = HTTPRequest(
            url: try HTTPURL("\(issuer)/articles?page=1"), fields: [.authorization: "\(token.type) \(token.access)"])
        return try await Chain(dpop.map { [$0] } ?? [], over: transport).send(request)
    }

    @Test("A7 a token is bound to the key: it gives access with a proof, and not without, or with another key")
    func bound() async throws {
        let token = try await signIn(oauth(dpop)).token
        #expect(token.type == "DPoP")
        let first = try await articles(token, dpop)
        #expect(first.head.status == .ok)
        #expect(first.metrics.attempt == 2, "the first request has no nonce of this server")
        let second = try await articles(token, dpop)
        #expect(second.head.status == .ok && second.metrics.attempt == 1)
        #expect(try await articles(token, nil).head.status == .unauthorized)
        #expect(try await articles(token, DPoP(DPoPKey())).head.status == .unauthorized)
        var bearer = token
        bearer.type = "Bearer"
        #expect(try await articles(bearer, dpop).head.status == .unauthorized)
    }

    @Test("A7 a client with bound tokens refreshes them with its key, and continues after a new nonce")
    func client() async throws {
        let oauth = try await oauth(dpop)
        let tokens = oauth.refresher(store: MemoryTokenStore())
        var token = try await signIn(oauth).token
        token.access = "worn-out"
        try await tokens.signIn(token)
        let api = APIClient(baseURL: issuer, transport: transport) {
            $0.authentication = .credential(.tokens(tokens))
            $0.attemptMiddleware.append(dpop)
        }
        #expect(try await api.send(Endpoint<JSONValue>.get("articles"))["user"] == "ann")
        _ = try await transport.send(HTTPRequest(method: .post, url: HTTPURL("\(issuer)/nonces")))
        #expect(try await api.send(Endpoint<JSONValue>.get("articles"))["user"] == "ann")
        let other = try await self.oauth(DPoP(DPoPKey()))
        let stolen = try await tokens.token()
        let error = await #expect(throws: NetworkError.self) { try await other.refresh(stolen) }
        #expect((error?.underlying as? OAuthError)?.code == "invalid_grant")
    }

    @Test("A7 a pushed sign-in has nothing but a reference in its URL, and gets a token")
    func pushed() async throws {
        let oauth = try await oauth(dpop)
        let redirect = try LoopbackRedirect()
        let request = try await oauth.pushedAuthorizationRequest(
            redirect: redirect.url.absoluteString, scopes: ["articles"])
        let items = FormItems(request.url)
        #expect(items.names == ["client_id", "request_uri"])
        browse(request.url)
        let response = try await oauth.token(for: redirect.code(for: request))
        #expect(try await articles(response.token, dpop).head.status == .ok)
        var server = oauth.server
        server.requiresPushedAuthorization = true
        let required = OAuth2(server, client: OAuthClient(id: "reader"), over: transport)
        let page = Watched<HTTPURL?>(nil)
        _ = try await required.signIn(scopes: ["articles"]) { url in
            page.update { $0 = url }
            browse(url)
        }
        #expect(FormItems(try #require(page.value)).names == ["client_id", "request_uri"])
    }

    @Test("A7 a service exchanges a token, and asks what it is worth")
    func exchange() async throws {
        let service = try await oauth(nil, client: OAuthClient(id: "service", secret: "s3cret-1"))
        let token = try await signIn(oauth(dpop)).token
        let known = try await service.introspect(token)
        #expect(known.isActive && known.scopes == ["articles"] && known.subject == "ann")
        #expect(known.keyThumbprint == dpop.key.thumbprint && known.clientID == "reader")
        let exchanged = try await service.exchange(.access(token), audience: "tides", scopes: ["articles"]).token
        #expect(try await articles(exchanged, nil).head.status == .ok)
        #expect(try await service.introspect(exchanged).clientID == "service")
        #expect(try await !service.introspect(AccessToken(access: "unknown")).isActive)
        let error = await #expect(throws: NetworkError.self) {
            try await service.exchange(.access(AccessToken(access: "unknown")))
        }
        #expect(error?.kind == .unauthorized)
    }

    @Test("A7 signing out removes the token here, and revokes it at the server")
    func signOut() async throws {
        let oauth = try await oauth(dpop)
        let store = MemoryTokenStore()
        let tokens = oauth.refresher(store: store)
        let token = try await signIn(oauth).token
        try await tokens.signIn(token)
        let api = APIClient(baseURL: issuer, transport: transport) {
            $0.authentication = .credential(.tokens(tokens))
        }
        try await oauth.signOut(api)
        #expect(store.load() == nil)
        #expect(try await articles(token, dpop).head.status == .unauthorized)
        await #expect(throws: NetworkError.self) { try await oauth.refresh(token) }
    }
}

/// The items of a URL's query.
private struct FormItems {
    let names: [String]

    init(_ url: HTTPURL) {
        names = (url.query ?? "").split(separator: "&").map { String($0.prefix { $0 != "=" }) }
    }
}
