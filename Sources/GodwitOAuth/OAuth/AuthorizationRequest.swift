public import GodwitCore

/// A browser sign-in in progress: the page to open, and the data to check its response.
///
/// ```swift
/// let request = try oauth.authorizationRequest(redirect: "com.example.app:/signed-in", scopes: ["articles"])
/// show(request.url)
/// let response = try await oauth.token(for: request.code(in: redirectedURL))
/// ```
///
/// Use it for one sign-in. The description leaves out the state and verifier.
public struct AuthorizationRequest: Sendable {
    /// The page to open, with the state and the challenge in its query, or with a reference to them (RFC 9126).
    public private(set) var url: HTTPURL

    /// The URL that the browser is redirected to.
    public let redirect: String

    /// What the page's query has, or was pushed.
    let parameters: QueryItems
    let state: String
    private let issuer: String?
    private let requiresIssuer: Bool
    private let pkce: PKCE

    init(at page: HTTPURL, redirect: String, items: QueryItems, of server: OAuthServer, state: String, pkce: PKCE) {
        var all: QueryItems = ["response_type": "code", "redirect_uri": redirect]
        all.append(contentsOf: items)
        all.append("state", state)
        all.append("code_challenge", pkce.challenge)
        all.append("code_challenge_method", "S256")
        url = page.appending(all)
        parameters = all
        self.redirect = redirect
        self.state = state
        issuer = server.issuer
        requiresIssuer = server.namesIssuer
        self.pkce = pkce
    }

    /// The same request, with a URL that only refers to its parameters.
    init(_ request: AuthorizationRequest, at url: HTTPURL) {
        self = request
        self.url = url
    }

    /// The code in the URL that the browser was redirected to.
    ///
    /// - Parameter redirected: The complete URL.
    /// - Throws: `.unauthorized` with an `OAuthError` if the server or the person refused, and `.invalidResponse` if
    ///   the URL isn't the response to this request: it has another state or issuer, or neither a code nor an error.
    public func code(in redirected: String) throws(NetworkError) -> AuthorizationCode {
        let whole = redirected.prefix { $0 != "#" }
        let query = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
        return try code(in: answer(String(query)))
    }

    /// Reads the query of a redirect.
    func answer(_ query: String) -> AuthorizationResponse {
        AuthorizationResponse(query: query, state: state, issuer: issuer, requiresIssuer: requiresIssuer)
    }

    func code(in answer: AuthorizationResponse) throws(NetworkError) -> AuthorizationCode {
        switch answer {
        case .code(let code): return AuthorizationCode(value: code, redirect: redirect, verifier: pkce.verifier)
        case .refused(let error, let detail):
            throw NetworkError(
                .unauthorized, phase: .middleware, underlying: OAuthError(code: error, detail: detail))
        case .foreign(let reason): throw NetworkError(.invalidResponse(reason: reason), phase: .validating)
        }
    }
}

extension AuthorizationRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "AuthorizationRequest(\(url.origin), <redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A code that can be exchanged for a token once. The description leaves it out.
public struct AuthorizationCode: Sendable {
    package let value: String
    package let redirect: String
    package let verifier: String

    package init(value: String, redirect: String, verifier: String) {
        self.value = value
        self.redirect = redirect
        self.verifier = verifier
    }
}

extension AuthorizationCode: CustomStringConvertible, CustomReflectable {
    public var description: String { "AuthorizationCode(<redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
