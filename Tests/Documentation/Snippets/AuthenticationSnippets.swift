import Godwit
import GodwitOAuth

enum AuthenticationSnippets {
    static func fixed(key: String) -> APIClient {
        // snippet: fixed-credential
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.authentication = .credential(.apiKey(key, field: "X-API-Key"))
        }
        // end
        return api
    }

    static func refreshing(transport: any HTTPTransport, file: URL) async throws -> APIClient {
        // snippet: sign-in
        let server = try await OAuthServer.discover(issuer: "https://auth.example.com", over: transport)
        let oauth = OAuth2(server, client: OAuthClient(id: "reader"), over: transport)
        let tokens = oauth.refresher(store: FileTokenStore(at: file))

        let response = try await oauth.signIn(scopes: ["articles"]) { page in print("Open", page) }
        try await tokens.signIn(response.token)
        // end
        // snippet: refreshing-client
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.authentication = .credential(.tokens(tokens))
        }
        // end
        return api
    }

    static func session(api: APIClient, showLogin: @Sendable (AccountSession.End) -> Void) async {
        // snippet: session
        for await state in api.session {
            switch state {
            case .signedIn, .refreshing: break
            case .ended(let reason): showLogin(reason)  // .notSignedIn, .signedOut or .refused(error)
            }
        }
        // end
    }

    static func vault(_ token: @escaping @Sendable () async throws -> AccessToken) -> APIClient {
        // snippet: provided-credential
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.authentication = .credential { try await token() }
        }
        // end
        return api
    }

    #if os(Linux)
    static func bound(
        server: OAuthServer, transport: some HTTPTransport, store: some TokenStore
    ) async throws -> APIClient {
        // snippet: dpop
        let key = try await DPoPKey.stored(in: SecretServiceTokenStore(service: "com.example.reader", account: "dpop"))
        let dpop = DPoP(key)
        let oauth = OAuth2(server, client: OAuthClient(id: "reader"), over: transport, dpop: dpop)
        let tokens = oauth.refresher(store: store)
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.authentication = .credential(.tokens(tokens))
            $0.attemptMiddleware.append(dpop)
        }
        // end
        return api
    }
    #endif

    static func certificate(server: OAuthServer, transport: some HTTPTransport) async throws -> AccessToken {
        // snippet: certificate-client
        let oauth = OAuth2(server, client: OAuthClient(certificateID: "importer"), over: transport)
        let token = try await oauth.clientCredentials().token
        // end
        return token
    }

    static func more(oauth: OAuth2, api: APIClient, incoming: AccessToken) async throws {
        // snippet: oauth-more
        let request = try await oauth.pushedAuthorizationRequest(
            redirect: "com.example.app:/signed-in", scopes: ["articles"])
        let behind = try await oauth.exchange(.access(incoming), audience: "tides", scopes: ["read"])
        let known = try await oauth.introspect(incoming)  // isActive, scopes, subject, keyThumbprint
        try await oauth.signOut(api)  // removes everything here, then revokes the token
        // end
        _ = (request, behind, known)
    }

    static func device(oauth: OAuth2) async throws {
        // snippet: device
        let device = try await oauth.deviceAuthorization(scopes: ["articles"])
        print("Open \(device.verificationURL) and enter \(device.userCode)")
        let response = try await oauth.token(for: device)
        // end
        _ = response
    }

    static func program(oauth: OAuth2) async throws {
        // snippet: client-credentials
        let tokens = TokenRefresher(store: MemoryTokenStore()) { _ in
            try await oauth.clientCredentials(scopes: ["articles"]).token
        }
        try await tokens.signIn(oauth.clientCredentials(scopes: ["articles"]).token)
        // end
    }

    static func app(oauth: OAuth2, open: (HTTPURL) async -> String) async throws {
        // snippet: own-redirect
        let request = try oauth.authorizationRequest(redirect: "com.example.app:/signed-in", scopes: ["articles"])
        let redirected = await open(request.url)
        let response = try await oauth.token(for: request.code(in: redirected))
        // end
        _ = response
    }

    static func failing(oauth: OAuth2, tokens: TokenRefresher) async {
        // snippet: sign-in-errors
        do {
            let response = try await oauth.signIn { page in print("Open", page) }
            try await tokens.signIn(response.token)
        } catch {
            switch (error.kind, error.underlying as? OAuthError) {
            case (.unauthorized, let reason?): print("not signed in:", reason.code, reason.detail ?? "")
            case (.timedOut, _): print("no answer in time")
            default: print(error)
            }
        }
        // end
    }

    static func out(oauth: OAuth2, tokens: TokenRefresher, jar: CookieJar, cache: MemoryCacheStore) async throws {
        // snippet: sign-out
        try? await oauth.revoke(tokens.token())
        try await SignOut(tokens: tokens, cookies: jar, cache: cache)()
        // end
    }
}

#if os(Linux)
extension AuthenticationSnippets {
    static func keyring(oauth: OAuth2) {
        // snippet: keyring
        let store = SecretServiceTokenStore(service: "com.example.reader", account: "ann")
        let tokens = oauth.refresher(store: store)
        // end
        _ = tokens
    }
}
#endif

// snippet: own-refresh
nonisolated struct TokenAnswer: Decodable {
    let access_token: String
    let refresh_token: String?
    let expires_in: Double?
}

extension Endpoint<TokenAnswer> {
    static func refresh(_ old: AccessToken) -> Self {
        .post("login/refresh", body: .form(["refresh_token": old.refresh]))
    }
}

func client(keeping store: some TokenStore) -> APIClient {
    APIClient(baseURL: "https://api.example.com/v1") {
        $0.authentication = .refreshing(store) { api, old in
            let answer = try await api.send(.refresh(old))
            return AccessToken(
                access: answer.access_token, refresh: answer.refresh_token ?? old.refresh,
                expiry: answer.expires_in.map { Date(timeIntervalSinceNow: $0) })
        }
    }
}
// end
