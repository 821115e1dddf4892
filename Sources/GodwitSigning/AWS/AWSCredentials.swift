public import GodwitCore

/// An access key of AWS. Its description leaves out the secrets.
///
/// ```swift
/// AWSCredentials(accessKeyID: key, secretAccessKey: secret)                        // of a user
/// AWSCredentials(accessKeyID: key, secretAccessKey: secret, sessionToken: token)   // of a role, for a while
/// ```
public struct AWSCredentials: Sendable, Hashable, Nonisolated {
    /// The name of the key, which requests carry.
    public let accessKeyID: String
    /// The key itself, which is never sent.
    public let secretAccessKey: String
    /// The token of temporary credentials, which requests carry.
    public let sessionToken: String?

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - accessKeyID: The name of the key.
    ///   - secretAccessKey: The key itself.
    ///   - sessionToken: The token of temporary credentials. `nil` by default.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension AWSCredentials: CustomStringConvertible, CustomReflectable {
    /// The name of the key.
    public var description: String { "AWSCredentials(\(accessKeyID), <redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
