import GodwitSupport

/// A token that authenticates a user or program, with the refresh token that replaces it (RFC 6749 section 5.1).
///
/// Its description leaves out the secrets; its encoding, which stores write, contains them.
public struct AccessToken: Sendable, Hashable, Codable, Nonisolated {
    /// The text that requests carry.
    public var access: String

    /// The text that a new token is requested with; `nil` if there is none.
    public var refresh: String?

    /// When the server stops accepting the token; `nil` if unknown.
    public var expiry: Date?

    /// The scheme in the `Authorization` field, such as `Bearer`.
    public var type: String

    /// Creates a token from its text, as a bearer token by default.
    ///
    /// - Parameters:
    ///   - access: The text that requests carry.
    ///   - refresh: The refresh token. `nil` by default.
    ///   - expiry: When the server stops accepting the token. With `nil`, the default, only a 401 shows that it has expired.
    ///   - type: The scheme in the `Authorization` field. `Bearer` by default.
    public init(access: String, refresh: String? = nil, expiry: Date? = nil, type: String = "Bearer") {
        self.access = access
        self.refresh = refresh
        self.expiry = expiry
        self.type = type
    }

    /// The value of `Authorization`.
    package var authorization: String {
        // Some servers issue "bearer" and expect "Bearer".
        "\(type.asciiLowercased == "bearer" ? "Bearer" : type) \(access)"
    }

    /// The old refresh token stays if the server sent no new one.
    package func keeping(_ refresh: String?) -> AccessToken {
        var token = self
        token.refresh = token.refresh ?? refresh
        return token
    }

    /// Unavailable: a label says which token it is.
    @available(*, unavailable, message: "write AccessToken(access: …)")
    public init(_ access: String) { self.init(access: access) }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// The type and expiry, without the secrets.
    public var description: String {
        let end =
            expiry.map { "expires at \(Int64(saturating: $0.timeIntervalSince1970)) s after 1970" } ?? "no known expiry"
        return "AccessToken(<redacted>, \(refresh == nil ? "no refresh token" : "refresh token <redacted>"), \(end))"
    }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
