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

    /// Whether someone has to sign in anew, or the client is not accepted: `.unauthorized` for whoever waits.
    var endsSession: Bool {
        ["access_denied", "expired_token", "invalid_client", "invalid_grant", "unauthorized_client"].contains(code)
    }
}

extension OAuthError: Decodable {
    private enum CodingKeys: String, CodingKey {
        case code = "error"
        case detail = "error_description"
    }
}

extension OAuthError: CustomStringConvertible {
    /// The word, and the text where there is one.
    public var description: String {
        detail.map { "\(code): \($0)" } ?? code
    }
}
