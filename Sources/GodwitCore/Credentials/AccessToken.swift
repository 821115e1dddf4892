/// A token that stands for a user or program, and what is needed to replace it (RFC 6749 section 5.1).
///
/// It describes itself without its secrets; encoding it, as stores do, writes them.
public struct AccessToken: Sendable, Hashable, Codable, Nonisolated {
    /// What requests carry.
    public var access: String

    /// What a new token is asked for with; nil where there is none.
    public var refresh: String?

    /// When it stops working; nil where nobody knows.
    public var expiry: Date?

    /// How requests carry it, such as `Bearer`: the word before it in `Authorization`.
    public var type: String

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - access: What is sent with requests.
    ///   - refresh: What a new token is asked for with; nil where there is none.
    ///   - expiry: When the server takes it no longer; nil where nobody knows, and then only a 401 tells.
    ///   - type: The scheme in the `Authorization` field.
    public init(access: String, refresh: String? = nil, expiry: Date? = nil, type: String = "Bearer") {
        self.access = access
        self.refresh = refresh
        self.expiry = expiry
        self.type = type
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type and expiry, without the secrets.
    public var description: String {
        let end =
            expiry.map { "expires at \(Int64(saturating: $0.timeIntervalSince1970)) s after 1970" } ?? "no known expiry"
        return "AccessToken(<redacted>, \(refresh == nil ? "no refresh token" : "refresh token <redacted>"), \(end))"
    }

    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
