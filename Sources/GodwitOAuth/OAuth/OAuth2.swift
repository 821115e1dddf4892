public import GodwitCore

/// Gets tokens from an authorization server, with the flows of OAuth 2 that are still recommended (RFC 9700).
///
/// ```swift
/// let server = try await OAuthServer.discover(issuer: "https://auth.example.com", over: transport)
/// let oauth = OAuth2(server, client: OAuthClient(id: "reader"), over: transport)
///
/// let response = try await oauth.signIn(scopes: ["articles"]) { page in print("Open", page) }
/// let tokens = oauth.refresher(store: FileTokenStore(at: file))
/// try await tokens.signIn(response.token)
/// ```
///
/// | for | flow |
/// | --- | --- |
/// | a person at this machine | ``signIn(scopes:parameters:timeout:opening:)``, or ``authorizationRequest(redirect:scopes:parameters:)`` |
/// | a person at another device | ``deviceAuthorization(scopes:)`` |
/// | the program itself | ``clientCredentials(scopes:)`` |
///
/// All flows throw `.unauthorized` if the server refuses, with its `OAuthError` as `NetworkError.underlying`;
/// `.unsupported` if the server lacks the endpoint; `.insecure(.plaintext)` for plain http to another machine; and the
/// errors of the exchange. The description, request and body of an error contain no token, code or secret.
public struct OAuth2: Sendable {
    /// The authorization server.
    public let server: OAuthServer

    /// The registration of this program.
    public let client: OAuthClient

    /// Binds tokens to a key (RFC 9449); `nil` for bearer tokens.
    let dpop: DPoP?

    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let call: OAuthCall

    /// Creates the flows of a client at a server.
    ///
    /// - Parameters:
    ///   - server: The authorization server.
    ///   - client: The registration of this program. One with a certificate uses the server's endpoints for mutual TLS.
    ///   - transport: Sends the requests: an engine, or an `APIClient` without credentials.
    ///   - dpop: Binds the tokens to its key. `nil`, the default, gets bearer tokens.
    ///   - clock: Measures the waits of the device flow.
    ///   - now: The time that expiries are computed from.
    public init(
        _ server: OAuthServer, client: OAuthClient, over transport: some HTTPTransport, dpop: DPoP? = nil,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.server = client.usesCertificate ? server.withMutualTLS : server
        self.dpop = dpop
        self.client = client
        self.clock = clock
        self.now = now
        call = OAuthCall(transport: transport, dpop: dpop)
    }

    /// Starts a sign-in in a browser (RFC 6749 section 4.1, RFC 7636).
    ///
    /// - Parameters:
    ///   - redirect: The URL that the server redirects the browser to, as registered.
    ///   - scopes: The requested scopes. Without any, the server decides.
    ///   - parameters: Further parameters for the server, such as `prompt` or `login_hint`.
    public func authorizationRequest(
        redirect: String, scopes: [String] = [], parameters: QueryItems = [:]
    ) throws(NetworkError) -> AuthorizationRequest {
        var generator = SystemRandomNumberGenerator()
        return try authorizationRequest(redirect: redirect, scopes: scopes, parameters: parameters, using: &generator)
    }

    /// - Parameter generator: Must be cryptographically secure, except in tests.
    package func authorizationRequest(
        redirect: String, scopes: [String] = [], parameters: QueryItems = [:],
        using generator: inout some RandomNumberGenerator
    ) throws(NetworkError) -> AuthorizationRequest {
        let page = try endpoint(server.authorizationURL, "an authorization page")
        guard page.origin.isConfidential else {
            throw NetworkError(.insecure(.plaintext(host: page.host)), phase: .building)
        }
        var items: QueryItems = ["client_id": client.id]
        items.append(contentsOf: Self.scope(scopes))
        items.append(contentsOf: parameters)
        if let dpop { items.append("dpop_jkt", dpop.key.thumbprint) }
        return AuthorizationRequest(
            at: page, redirect: redirect, items: items, of: server,
            state: RandomText.make(using: &generator), pkce: PKCE(using: &generator))
    }

    /// Exchanges a code for a token (RFC 6749 section 4.1.3).
    ///
    /// - Parameter code: The result of ``AuthorizationRequest/code(in:)``, which can be exchanged once.
    /// - Throws: `.unauthorized` with an `OAuthError` if the server refuses the code.
    public func token(for code: AuthorizationCode) async throws(NetworkError) -> OAuthTokenResponse {
        try await grant([
            "grant_type": "authorization_code", "code": code.value, "redirect_uri": code.redirect,
            "code_verifier": code.verifier,
        ])
    }

    /// Gets a token for the program itself (RFC 6749 section 4.4). The client needs a secret.
    ///
    /// - Parameter scopes: The requested scopes. Without any, the server decides.
    public func clientCredentials(scopes: [String] = []) async throws(NetworkError) -> OAuthTokenResponse {
        var form: QueryItems = ["grant_type": "client_credentials"]
        form.append(contentsOf: Self.scope(scopes))
        return try await grant(form)
    }

    /// Refreshes a token (RFC 6749 section 6). If the server sends no new refresh token, the old one is kept.
    ///
    /// - Parameters:
    ///   - token: The old token.
    ///   - scopes: The scopes of the new token. Without any, those of the old one.
    /// - Throws: `.unauthorized` if the old token has no refresh token, or the server refuses it.
    public func refresh(_ token: AccessToken, scopes: [String] = []) async throws(NetworkError) -> OAuthTokenResponse {
        guard let secret = token.refresh else {
            let reason = OAuthError(code: "invalid_grant", detail: "the token has no refresh token")
            throw NetworkError(.unauthorized, phase: .middleware, underlying: reason)
        }
        var form: QueryItems = ["grant_type": "refresh_token", "refresh_token": secret]
        form.append(contentsOf: Self.scope(scopes))
        let response = try await grant(form)
        guard response.token.refresh == nil else { return response }
        var kept = response.token
        kept.refresh = secret
        return OAuthTokenResponse(token: kept, scopes: response.scopes, idToken: response.idToken)
    }

    /// Revokes a token at the server, the refresh token first (RFC 7009). An unknown token is not an error.
    ///
    /// - Parameter token: The token to revoke. A stored copy isn't removed; see `SignOut`.
    public func revoke(_ token: AccessToken) async throws(NetworkError) {
        let url = try endpoint(server.revocationURL, "revocation")
        if let refresh = token.refresh {
            _ = try await call.post(["token": refresh, "token_type_hint": "refresh_token"], to: url, as: client)
        }
        _ = try await call.post(["token": token.access, "token_type_hint": "access_token"], to: url, as: client)
    }

    /// A refresher for `Credential.tokens(_:)` that uses ``refresh(_:scopes:)``.
    ///
    /// - Parameter store: Keeps the token.
    public func refresher(store: some TokenStore) -> TokenRefresher {
        TokenRefresher(store: store, now: now) { old in try await refresh(old).token }
    }
}

extension OAuth2 {
    func grant(_ form: QueryItems) async throws(NetworkError) -> OAuthTokenResponse {
        let data = try await call.post(form, to: server.tokenURL, as: client)
        let grant = try call.decode(OAuthTokenResponse.Grant.self, from: data)
        return try OAuthTokenResponse(grant, at: now(), isBound: dpop != nil)
    }

    func endpoint(_ url: HTTPURL?, _ feature: String) throws(NetworkError) -> HTTPURL {
        guard let url else {
            throw NetworkError(.unsupported(feature: feature, on: "this authorization server"), phase: .building)
        }
        return url
    }

    static func scope(_ scopes: [String]) -> QueryItems {
        scopes.isEmpty ? [:] : ["scope": scopes.joined(separator: " ")]
    }
}

// A person at this machine (RFC 8252 section 7.3).
extension OAuth2 {
    /// Signs a person in with the browser of this machine: waits for the redirect on a port of 127.0.0.1, and exchanges
    /// the code.
    ///
    /// ```swift
    /// let response = try await oauth.signIn(scopes: ["articles"]) { page in print("Open", page) }
    /// ```
    ///
    /// - Parameters:
    ///   - scopes: The requested scopes. Without any, the server decides.
    ///   - parameters: Further parameters for the server. If it requires it, they are pushed (RFC 9126).
    ///   - timeout: How long the person may take. 300 s by default.
    ///   - opening: Opens the page, or shows its URL.
    /// - Throws: The errors of ``LoopbackRedirect/code(for:timeout:clock:)`` and ``token(for:)-(AuthorizationCode)``,
    ///   and of `opening`: an error of another type as the `underlying` error of `.transport(.other)`.
    public nonisolated(nonsending) func signIn(
        scopes: [String] = [], parameters: QueryItems = [:], timeout: Duration = .seconds(300),
        opening: (HTTPURL) async throws -> Void
    ) async throws(NetworkError) -> OAuthTokenResponse {
        let redirect = try LoopbackRedirect()
        let request = try await signInRequest(
            redirect: redirect.url.absoluteString, scopes: scopes, parameters: parameters)
        do {
            try await opening(request.url)
        } catch {
            throw NetworkError(thrown: error, phase: .middleware)
        }
        return try await token(for: redirect.code(for: request, timeout: timeout, clock: clock))
    }
}
