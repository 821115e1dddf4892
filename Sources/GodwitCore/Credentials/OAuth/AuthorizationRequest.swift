/// A sign-in in the browser that is under way: the page to open, and what its answer is checked with.
///
/// ```swift
/// let request = try oauth.authorizationRequest(redirect: "com.example.app:/signed-in", scopes: ["articles"])
/// show(request.url)
/// let response = try await oauth.token(for: request.code(in: redirectedURL))
/// ```
///
/// Each is for one sign-in. It describes itself without its state and verifier.
public struct AuthorizationRequest: Sendable {
    /// The page to open, with the state and the challenge in its query.
    public let url: HTTPURL

    /// Where the browser is sent back to.
    public let redirect: String

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
        self.redirect = redirect
        self.state = state
        issuer = server.issuer
        requiresIssuer = server.namesIssuer
        self.pkce = pkce
    }

    /// The code in the URL that the browser was sent back to.
    ///
    /// Throws `.unauthorized` with an ``OAuthError`` where the server or the person refused, and `.invalidResponse`
    /// where it is not the answer to this request: another state or issuer, or neither a code nor an error.
    ///
    /// - Parameter redirected: The whole URL, as the app or the listener got it.
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

extension AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "AuthorizationRequest(\(url.origin), <redacted>)" }
    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A code that can be exchanged for a token, once and soon. It describes itself without its secrets.
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

extension AuthorizationCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "AuthorizationCode(<redacted>)" }
    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The proof that who exchanges a code is who asked for it (RFC 7636, with S256 alone).
///
/// The challenge goes out with the authorization request, the verifier with the exchange of the code: a code that was
/// stolen on the way is worth nothing. It describes itself without the verifier.
public struct PKCE: Sendable, Hashable {
    /// The secret: 43 to 128 unreserved characters.
    public let verifier: String

    /// The verifier's SHA-256, in the Base64 of URLs.
    public let challenge: String

    /// Makes a verifier of 256 random bits.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Makes a verifier of 256 bits from a generator, which has to be cryptographically secure.
    ///
    /// - Parameter generator: The generator; a test's own makes the verifier repeatable.
    public init(using generator: inout some RandomNumberGenerator) {
        self.init(unchecked: RandomText.make(using: &generator))
    }

    /// Takes a verifier that was made elsewhere; nil where it is not 43 to 128 of `A-Z a-z 0-9 - . _ ~`.
    ///
    /// - Parameter verifier: The verifier (RFC 7636 section 4.1).
    public init?(verifier: String) {
        let isLegal = verifier.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-._~".utf8.contains(byte)
            }
        }
        guard isLegal, (43...128).contains(verifier.utf8.count) else { return nil }
        self.init(unchecked: verifier)
    }

    private init(unchecked verifier: String) {
        self.verifier = verifier
        challenge = Base64URL.encode(SHA256.digest(verifier.utf8))
    }
}

extension PKCE: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type alone, without the verifier.
    public var description: String { "PKCE(<redacted>)" }
    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Values that nobody can guess.
enum RandomText {
    /// 256 bits as 43 characters that may stand in a URL.
    static func make(using generator: inout some RandomNumberGenerator) -> String {
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(.random(in: .min ... .max, using: &generator)) }
        return Base64URL.encode(bytes)
    }
}
