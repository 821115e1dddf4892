/// Why an authorization server gave no token, in its own words (RFC 6749 sections 4.1.2.1 and 5.2).
///
/// It is the ``NetworkError/underlying`` error of what ``OAuth2`` throws.
///
/// ```swift
/// if (error.underlying as? OAuthError)?.code == "invalid_scope" { … }
/// ```
public struct OAuthError: Error, Sendable, Hashable {
    /// The server's word: `access_denied`, `invalid_grant`, `invalid_client` and the like.
    public let code: String

    /// What the server says to developers; nil where it says nothing.
    public let detail: String?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The code of RFC 6749, such as `invalid_grant`.
    ///   - detail: The server's words for a developer.
    public init(code: String, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// Whether the grant itself is refused (RFC 6749 section 5.2): a refresh token that got this is of no more use.
    var refusesGrant: Bool { code == "invalid_grant" }

    /// Whether the program or its request is refused, whoever the user is (RFC 6749 section 5.2).
    var refusesClient: Bool {
        ["invalid_client", "invalid_request", "invalid_scope", "unauthorized_client", "unsupported_grant_type"]
            .contains(code)
    }

    /// Whether nobody is let in this way: `.unauthorized` for the caller.
    var refusesSignIn: Bool {
        ["access_denied", "expired_token", "invalid_client", "invalid_grant", "unauthorized_client"].contains(code)
    }
}

extension OAuthError: Decodable {
    private enum CodingKeys: String, CodingKey {
        case code = "error"
        case detail = "error_description"
    }
}

extension OAuthError {
    /// What the body of an error response says; `nil` if it is not one of OAuth 2.
    init?(json body: Data) {
        guard let error = try? JSONDecoder().decode(OAuthError.self, from: body) else { return nil }
        self = error
    }
}

extension OAuthError: CustomStringConvertible, LocalizedError {
    /// The word, and the text where there is one.
    public var description: String {
        detail.map { "\(code): \($0)" } ?? code
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}
