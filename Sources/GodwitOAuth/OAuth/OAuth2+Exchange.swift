public import GodwitCore

// Token exchange (RFC 8693).
extension OAuth2 {
    /// A token to exchange. Its description leaves it out.
    public struct ExchangeToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        let value: String
        let type: String

        /// Creates a token to exchange from its text and type.
        ///
        /// - Parameters:
        ///   - value: The token.
        ///   - type: Its type (RFC 8693 section 3), such as `urn:ietf:params:oauth:token-type:jwt`.
        public init(_ value: String, type: String) {
            self.value = value
            self.type = type
        }

        /// An access token to exchange.
        public static func access(_ token: AccessToken) -> ExchangeToken {
            ExchangeToken(token.access, type: "urn:ietf:params:oauth:token-type:access_token")
        }

        /// An ID token of OpenID Connect to exchange.
        public static func id(_ token: String) -> ExchangeToken {
            ExchangeToken(token, type: "urn:ietf:params:oauth:token-type:id_token")
        }

        /// The type of the token, without the token.
        public var description: String { "ExchangeToken(\(type), <redacted>)" }

        /// Empty, so that printing by reflection shows no secret.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Exchanges a token for another, such as one for a service behind this one (RFC 8693).
    ///
    /// ```swift
    /// let response = try await oauth.exchange(.access(accessToken), audience: "tides", scopes: ["read"])
    /// ```
    ///
    /// - Parameters:
    ///   - subject: The token of the user or program that the new token is for.
    ///   - actor: The token of the party that acts for it. `nil` by default.
    ///   - audience: The name of the service that the new token is for.
    ///   - resource: The URL of that service.
    ///   - scopes: The requested scopes. Without any, the server decides.
    /// - Throws: `.unauthorized` if the server refuses, `.decoding` if it issues something else than an access token.
    public func exchange(
        _ subject: ExchangeToken, actor: ExchangeToken? = nil, audience: String? = nil, resource: String? = nil,
        scopes: [String] = []
    ) async throws(NetworkError) -> OAuthTokenResponse {
        var form: QueryItems = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": subject.value,
            "subject_token_type": subject.type, "actor_token": actor?.value, "actor_token_type": actor?.type,
            "requested_token_type": "urn:ietf:params:oauth:token-type:access_token", "audience": audience,
            "resource": resource,
        ]
        form.append(contentsOf: Self.scope(scopes))
        return try await grant(form)
    }
}
