/// An error response of an authorization server (RFC 6749 sections 4.1.2.1 and 5.2).
///
/// `OAuth2` throws it as ``NetworkError/underlying``.
///
/// ```swift
/// if (error.underlying as? OAuthError)?.code == "invalid_scope" { … }
/// ```
public struct OAuthError: Error, Sendable, Hashable {
    /// The error code, such as `access_denied`, `invalid_grant` or `invalid_client`.
    public let code: String

    /// The server's explanation for developers, if any.
    public let detail: String?

    /// Creates an error from an OAuth error code.
    ///
    /// - Parameters:
    ///   - code: The error code, such as `invalid_grant`.
    ///   - detail: The explanation for developers. `nil` by default.
    public init(code: String, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// Whether the server refuses the grant, so that a refresh token becomes invalid (RFC 6749 section 5.2).
    var refusesGrant: Bool { Self.grantCodes.contains(code) }

    /// Whether the server refuses the program or its request, for any user (RFC 6749 section 5.2).
    var refusesClient: Bool { Self.clientCodes.contains(code) }

    /// Whether the caller gets `.unauthorized`.
    package var refusesSignIn: Bool { refusesGrant || Self.signInCodes.contains(code) }

    // The codes of RFC 6749 first, then those of GitHub and Slack.
    private static let grantCodes: Set = ["invalid_grant", "bad_refresh_token", "invalid_refresh_token"]
    private static let clientCodes: Set = [
        "invalid_client", "invalid_request", "invalid_scope", "unauthorized_client", "unsupported_grant_type",
        "incorrect_client_credentials", "redirect_uri_mismatch", "device_flow_disabled", "bad_client_secret",
        "invalid_client_id",
    ]
    private static let signInCodes: Set = [
        "access_denied", "expired_token", "invalid_client", "unauthorized_client", "bad_verification_code",
        "incorrect_client_credentials", "incorrect_device_code", "device_flow_disabled", "unverified_user_email",
        "invalid_code", "bad_client_secret", "invalid_client_id",
    ]
}

extension OAuthError: Decodable {
    private enum CodingKeys: String, CodingKey {
        case code = "error"
        case detail = "error_description"
    }
}

extension OAuthError {
    /// Reads the body of an error response; `nil` if it isn't one of OAuth 2.
    package init?(json body: Data) {
        guard let error = try? JSONModelDecoder().decode(OAuthError.self, from: body), !error.code.isEmpty else {
            return nil
        }
        self = error
    }
}

extension OAuthError: CustomStringConvertible, LocalizedError {
    /// The code, with the explanation if there is one.
    public var description: String {
        detail.map { "\(code): \($0)" } ?? code
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

extension OAuthError: LibraryError {
    package func quoting(_ shown: (String?) -> String?) -> any Error {
        OAuthError(code: code, detail: shown(detail))
    }
}
