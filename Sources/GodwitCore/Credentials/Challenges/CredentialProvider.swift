/// Knows the names and passwords that servers ask for: a table, a keychain, a person.
///
/// ```swift
/// struct Keychain: CredentialProvider {
///     func credential(for question: CredentialQuestion) async -> PasswordCredential? {
///         guard question.failureCount == 0 else { return nil }
///         return passwords[question.origin]
///     }
/// }
/// ```
public protocol CredentialProvider: Sendable {
    /// The credential to answer with, or nil to leave the 401 as it is.
    ///
    /// Asked once for each refused request, by several of them at once where several were sent.
    func credential(for question: CredentialQuestion) async -> PasswordCredential?
}

/// What a server wants credentials for.
public struct CredentialQuestion: Sendable, Hashable {
    /// A way to send them.
    public enum Scheme: String, Sendable, Hashable {
        /// As they are, in Base64 (RFC 7617).
        case basic
        /// As a hash that is of no use for another request (RFC 7616).
        case digest
    }

    /// Who asks. Always https, or this machine.
    public let origin: Origin

    /// The name of the part of the server that asks, in the server's words; may be empty.
    public let realm: String

    /// How they would be sent.
    public let scheme: Scheme

    /// How many credentials for this request the server has refused already.
    public let failureCount: Int

    /// Makes a question; for tests of a provider.
    ///
    /// - Parameters:
    ///   - origin: Who asks.
    ///   - realm: What the server calls the space that it protects.
    ///   - scheme: How the credential would be sent.
    ///   - failureCount: How many credentials were refused in this call.
    public init(origin: Origin, realm: String, scheme: Scheme, failureCount: Int = 0) {
        self.origin = origin
        self.realm = realm
        self.scheme = scheme
        self.failureCount = failureCount
    }
}

/// A closure as a provider.
struct CredentialClosure: CredentialProvider {
    let answer: @Sendable (CredentialQuestion) async -> PasswordCredential?

    func credential(for question: CredentialQuestion) async -> PasswordCredential? {
        await answer(question)
    }
}
