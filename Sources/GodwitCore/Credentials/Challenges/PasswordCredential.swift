/// A name and a password. Describes itself without the password.
public struct PasswordCredential: Sendable, Hashable {
    /// The name.
    public let user: String

    /// The password.
    public let password: String

    /// Makes a credential.
    ///
    /// - Parameters:
    ///   - user: The name.
    ///   - password: The password.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension PasswordCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "PasswordCredential(\(user), <redacted>)" }
    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
