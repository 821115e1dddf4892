/// Gets tokens from an authorization server: the flows of OAuth 2 that are still recommended (RFC 9700).
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
/// | who asks | flow |
/// | --- | --- |
/// | a person at this machine | ``signIn(scopes:parameters:timeout:opening:)``, or ``authorizationRequest(redirect:scopes:parameters:)`` |
/// | a person at another device | ``deviceAuthorization(scopes:)`` |
/// | the program itself | ``clientCredentials(scopes:)`` |
///
/// All throw ``NetworkError``: `.unauthorized` where nobody is let in, with the server's words as an ``OAuthError``
/// underneath; `.unsupported` where the server has no such endpoint; `.insecure(.plaintext)` for plain http to another
/// machine; and what the exchange throws. Tokens, codes and secrets are in no description, request or body of an error.
public struct OAuth2: Sendable {
    /// Where tokens come from.
    public let server: OAuthServer

    /// Who asks for them.
    public let client: OAuthClient

    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let call: OAuthCall

    /// Makes the flows of a client at a server.
    ///
    /// - Parameters:
    ///   - server: The authorization server.
    ///   - client: What the program is registered as.
    ///   - transport: Carries the calls: an engine, or an ``APIClient`` that attaches no credentials.
    ///   - clock: What waits between questions for a device's outcome.
    ///   - now: The time that expiries count from.
    public init(
        _ server: OAuthServer, client: OAuthClient, over transport: some HTTPTransport,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.server = server
        self.client = client
        self.clock = clock
        self.now = now
        call = OAuthCall(transport: transport)
    }

    /// Begins a sign-in in a browser (RFC 6749 section 4.1, RFC 7636).
    ///
    /// - Parameters:
    ///   - redirect: Where the server sends the browser back to, as it is registered there.
    ///   - scopes: What the token shall be good for; none leaves it to the server.
    ///   - parameters: What this server wants beside, such as `prompt` or `login_hint`.
    public func authorizationRequest(
        redirect: String, scopes: [String] = [], parameters: QueryItems = [:]
    ) throws(NetworkError) -> AuthorizationRequest {
        var generator = SystemRandomNumberGenerator()
        return try authorizationRequest(redirect: redirect, scopes: scopes, parameters: parameters, using: &generator)
    }

    /// The same with state and verifier from a generator, which has to be cryptographically secure.
    ///
    /// - Parameters:
    ///   - redirect: Where the server sends the browser back to, as it is registered there.
    ///   - scopes: What the token shall be good for; none leaves it to the server.
    ///   - parameters: What this server wants beside, such as `prompt` or `login_hint`.
    ///   - generator: Makes state and verifier; a test's own makes them repeatable.
    public func authorizationRequest(
        redirect: String, scopes: [String] = [], parameters: QueryItems = [:],
        using generator: inout some RandomNumberGenerator
    ) throws(NetworkError) -> AuthorizationRequest {
        let page = try endpoint(server.authorizationURL, "an authorization page")
        guard page.scheme == .https || page.origin.isLoopback else {
            throw NetworkError(.insecure(.plaintext(host: page.host)), phase: .building)
        }
        var items: QueryItems = ["client_id": client.id]
        items.append(contentsOf: Self.scope(scopes))
        items.append(contentsOf: parameters)
        return AuthorizationRequest(
            at: page, redirect: redirect, items: items, of: server,
            state: RandomText.make(using: &generator), pkce: PKCE(using: &generator))
    }

    /// Exchanges a code for a token (RFC 6749 section 4.1.3).
    ///
    /// Throws `.unauthorized` with an ``OAuthError`` where the server refuses the code, as one that was used already.
    ///
    /// - Parameter code: What ``AuthorizationRequest/code(in:)`` returned; good for one exchange.
    public func token(for code: AuthorizationCode) async throws(NetworkError) -> OAuthTokenResponse {
        try await grant([
            "grant_type": "authorization_code", "code": code.value, "redirect_uri": code.redirect,
            "code_verifier": code.verifier,
        ])
    }

    /// Gets a token for the program itself (RFC 6749 section 4.4). The client needs a secret.
    ///
    /// - Parameter scopes: What the token shall be good for; none leaves it to the server.
    public func clientCredentials(scopes: [String] = []) async throws(NetworkError) -> OAuthTokenResponse {
        var form: QueryItems = ["grant_type": "client_credentials"]
        form.append(contentsOf: Self.scope(scopes))
        return try await grant(form)
    }

    /// Gets a new token for an old one (RFC 6749 section 6). Where no new refresh token comes, the old one's is kept.
    ///
    /// Throws `.unauthorized` where the old one has no refresh token, or it is not accepted any more.
    ///
    /// - Parameters:
    ///   - token: The old token.
    ///   - scopes: What the new one shall be good for; none for what the old one is.
    public func refresh(_ token: AccessToken, scopes: [String] = []) async throws(NetworkError) -> OAuthTokenResponse {
        guard let secret = token.refresh else {
            let reason = OAuthError(code: "invalid_grant", detail: "there is no refresh token")
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

    /// Has the server forget a token, the refresh token first (RFC 7009). One that it does not know is fine.
    ///
    /// - Parameter token: What is to be good for nothing any more. The stored one is not touched: see ``SignOut``.
    public func revoke(_ token: AccessToken) async throws(NetworkError) {
        let url = try endpoint(server.revocationURL, "revocation")
        if let refresh = token.refresh {
            _ = try await call.post(["token": refresh, "token_type_hint": "refresh_token"], to: url, as: client)
        }
        _ = try await call.post(["token": token.access, "token_type_hint": "access_token"], to: url, as: client)
    }

    /// A refresher that gets its tokens here: for ``Credential/tokens(_:)``.
    ///
    /// - Parameter store: Where the token is kept.
    public func refresher(store: some TokenStore) -> TokenRefresher {
        TokenRefresher(store: store, now: now) { old in try await refresh(old).token }
    }
}

extension OAuth2 {
    func grant(_ form: QueryItems) async throws(NetworkError) -> OAuthTokenResponse {
        let data = try await call.post(form, to: server.tokenURL, as: client)
        return OAuthTokenResponse(try call.decode(OAuthTokenResponse.Grant.self, from: data), at: now())
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
    /// Signs a person in with the browser of this machine: makes the page's URL, waits for the answer on a port of
    /// 127.0.0.1, and exchanges its code.
    ///
    /// ```swift
    /// let response = try await oauth.signIn(scopes: ["articles"]) { page in print("Open", page) }
    /// ```
    ///
    /// Throws what ``LoopbackRedirect/code(for:timeout:clock:)`` and ``token(for:)-(AuthorizationCode)`` throw, and what
    /// `opening` throws: an error of another type as `.transport(.other)`, with it as `underlying`.
    ///
    /// - Parameters:
    ///   - scopes: What the token shall be good for.
    ///   - parameters: What this server wants beside.
    ///   - timeout: How long the person may take.
    ///   - opening: Shows the page, or tells where it is.
    public nonisolated(nonsending) func signIn(
        scopes: [String] = [], parameters: QueryItems = [:], timeout: Duration = .seconds(300),
        opening: (HTTPURL) async throws -> Void
    ) async throws(NetworkError) -> OAuthTokenResponse {
        let redirect = try LoopbackRedirect()
        let request = try authorizationRequest(
            redirect: redirect.url.absoluteString, scopes: scopes, parameters: parameters)
        do {
            try await opening(request.url)
        } catch {
            throw NetworkError(thrown: error, phase: .middleware)
        }
        return try await token(for: redirect.code(for: request, timeout: timeout, clock: clock))
    }
}
