public import GodwitCore
import GodwitSupport

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
    /// The page to open, with the state and the challenge in its query.
    public let url: HTTPURL

    /// The URL that the browser is redirected to.
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

    /// The code in the URL that the browser was redirected to.
    ///
    /// - Parameter redirected: The complete URL.
    /// - Throws: `.unauthorized` with an ``OAuthError`` if the server or the person refused, and `.invalidResponse` if
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

/// Proves that a code is exchanged by the program that requested it (RFC 7636, with S256 only).
///
/// The authorization request contains the challenge, the exchange of the code the verifier: a stolen code alone is
/// useless. The description leaves out the verifier.
package struct PKCE: Sendable, Hashable {
    /// The secret: 43 to 128 unreserved characters.
    package let verifier: String

    /// The verifier's SHA-256 digest, in Base64URL.
    package let challenge: String

    /// Creates a verifier of 256 random bits.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Creates a verifier of 256 bits from a generator.
    ///
    /// - Parameter generator: Must be cryptographically secure, except in tests.
    package init(using generator: inout some RandomNumberGenerator) {
        self.init(unchecked: RandomText.make(using: &generator))
    }

    /// Uses an existing verifier; `nil` if it isn't 43 to 128 characters of `A-Z a-z 0-9 - . _ ~`.
    ///
    /// - Parameter verifier: The verifier (RFC 7636 section 4.1).
    package init?(verifier: String) {
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

extension PKCE: CustomStringConvertible, CustomReflectable {
    /// Without the verifier.
    package var description: String { "PKCE(<redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Generates unguessable texts.
enum RandomText {
    /// 256 bits as 43 characters that are valid in a URL.
    static func make(using generator: inout some RandomNumberGenerator) -> String {
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(.random(in: .min ... .max, using: &generator)) }
        return Base64URL.encode(bytes)
    }
}
