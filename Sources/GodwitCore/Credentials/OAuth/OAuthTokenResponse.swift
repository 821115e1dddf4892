/// What an authorization server grants (RFC 6749 section 5.1). It describes itself without its secrets.
///
/// ```swift
/// let response = try await oauth.signIn(scopes: ["articles"]) { page in print("Open", page) }
/// try await tokens.signIn(response.token)
/// ```
public struct OAuthTokenResponse: Sendable, Hashable {
    /// The token, with its expiry and what it is refreshed with.
    public let token: AccessToken

    /// What the token is good for; nil where the server does not say, which means: for what was asked.
    public let scopes: [String]?

    /// The signed statement about who signed in, of an OpenID Connect server. Its signature is not checked.
    public let idToken: String?
}

extension OAuthTokenResponse {
    /// The most seconds that a lifetime is taken for: 100 years.
    private static let longest = 3_155_760_000.0

    init(_ grant: Grant, at now: Date) {
        let lifetime = grant.expires_in?.value.flatMap { $0 >= 0 ? min($0, Self.longest) : nil }
        token = AccessToken(
            access: grant.access_token, refresh: grant.refresh_token, expiry: lifetime.map(now.addingTimeInterval),
            type: grant.token_type ?? "Bearer")
        scopes = grant.scope.map { $0.split(separator: " ").map(String.init) }
        idToken = grant.id_token
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

    /// A number of seconds, which some servers write as a text.
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

extension OAuthTokenResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What was granted, without the tokens.
    public var description: String {
        "OAuthTokenResponse(\(token), scopes: \(scopes?.joined(separator: " ") ?? "as asked"))"
    }

    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
