public import GodwitCore

/// The tokens that an authorization server grants (RFC 6749 section 5.1). The description leaves them out.
///
/// ```swift
/// let response = try await oauth.signIn(scopes: ["articles"]) { page in print("Open", page) }
/// try await tokens.signIn(response.token)
/// ```
public struct OAuthTokenResponse: Sendable, Hashable {
    /// The token, with its expiry and refresh token.
    public let token: AccessToken

    /// The granted scopes. `nil` means the requested scopes.
    public let scopes: [String]?

    /// The ID token of an OpenID Connect server. Its signature isn't verified.
    public let idToken: String?
}

extension OAuthTokenResponse {
    /// 100 years, in seconds.
    private static let maximumLifetime = 3_155_760_000.0

    /// Throws `.decoding` for what can't be sent as a bearer token (RFC 6749 sections 5.1 and 7.1), or as one that is bound to
    /// a key if the request had a proof (RFC 9449 section 5).
    init(_ grant: Grant, at now: Date, isBound: Bool) throws(NetworkError) {
        guard Self.isToken(grant.access_token) else { throw Self.unusable("access_token", "it isn't a token") }
        let refresh = grant.refresh_token.flatMap { $0.isEmpty ? nil : $0 }
        guard refresh.map(Self.isToken) ?? true else {
            throw Self.unusable("refresh_token", "it isn't a token")
        }
        let type = grant.token_type?.lowercased() ?? "bearer"
        guard type == "bearer" || isBound && type == "dpop" else {
            throw Self.unusable(
                "token_type", type == "dpop" ? "a DPoP token needs OAuth2(dpop:)" : "only bearer tokens are supported")
        }
        let lifetime = grant.expires_in?.value.flatMap { $0 >= 0 ? min($0, Self.maximumLifetime) : nil }
        token = AccessToken(
            access: grant.access_token, refresh: refresh, expiry: lifetime.map(now.addingTimeInterval),
            type: type == "dpop" ? "DPoP" : grant.token_type ?? "Bearer")
        scopes = grant.scope.map { $0.split(separator: " ").map(String.init) }
        idToken = grant.id_token
    }

    /// Visible characters and spaces (RFC 6749 appendix A.12). Spaces at the ends are no part of a field's value.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.trimmingBlanks == text && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func unusable(_ member: String, _ reason: String) -> NetworkError {
        NetworkError(.decoding(.init(path: member, reason: reason)), phase: .decoding)
    }

    /// The names are those of RFC 6749 section 5.1 and OpenID Connect Core section 3.1.3.3.
    struct Grant: Decodable {
        let access_token: String
        let token_type: String?
        let expires_in: Seconds?
        let refresh_token: String?
        let scope: String?
        let id_token: String?
    }

    /// A number of seconds, which some servers send as a string.
    struct Seconds: Decodable {
        let value: Double?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let number =
                if let number = try? container.decode(Double.self) { number as Double? } else {
                    Double(try container.decode(String.self))
                }
            value = number.flatMap { $0.isFinite ? $0 : nil }
        }
    }
}

extension OAuthTokenResponse: CustomStringConvertible, CustomReflectable {
    /// The scopes, without the tokens.
    public var description: String {
        "OAuthTokenResponse(\(token), scopes: \(scopes?.joined(separator: " ") ?? "as requested"))"
    }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
