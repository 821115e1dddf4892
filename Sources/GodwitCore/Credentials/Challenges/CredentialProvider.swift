/// Provides the names and passwords that servers request: a table, a keychain, a dialog.
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
    /// The credential to answer with, or `nil` to return the 401.
    ///
    /// Called for each refused request, concurrently if several were sent.
    func credential(for question: CredentialQuestion) async -> PasswordCredential?
}

/// A server's request for credentials.
public struct CredentialQuestion: Sendable, Hashable {
    /// How a credential is sent.
    public enum Scheme: String, Sendable, Hashable {
        /// Sends the user name and password readably, in Base64 (RFC 7617).
        case basic
        /// Sends a hash of the password that is useless for other requests (RFC 7616).
        case digest
    }

    /// The server. Always https, or this machine.
    public let origin: Origin

    /// The server's name for the protected part; may be empty.
    public let realm: String

    /// How the credential would be sent.
    public let scheme: Scheme

    /// How many credentials for this request the server has already refused.
    public let failureCount: Int

    /// Creates a question, for tests of a provider.
    ///
    /// - Parameters:
    ///   - origin: The server.
    ///   - realm: The server's name for the protected part.
    ///   - scheme: How the credential would be sent.
    ///   - failureCount: How many credentials were refused in this call. 0 by default.
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

extension AnswerableChallenge {
    var scheme: CredentialQuestion.Scheme {
        if case .basic = self { .basic } else { .digest }
    }
}

/// The credential that one request carries.
struct ChallengeAnswer: Sendable {
    /// The space when the request was sent.
    let space: ProtectionSpace
    let attachment: Credential.Attachment
    /// Whether the server accepted the credential before.
    var isKept = true

    init(with space: inout ProtectionSpace, to request: HTTPRequest) {
        attachment = space.attachment(for: request)
        self.space = space
    }

    /// Adds the credential to a call, which also knows the password then.
    func attached(to call: Call) throws(NetworkError) -> Call {
        var call = try attachment.attached(to: call)
        call.request.note(.value(space.credential.password))
        return call
    }

    /// Whether the credential was right, and only its nonce too old.
    func isOutdated(by challenge: AnswerableChallenge?) -> Bool {
        guard let challenge else { return false }
        return challenge.isStale && space.scheme == .digest && challenge.realm == space.realm
    }
}

/// A name and a password. Its description leaves out the password.
public struct PasswordCredential: Sendable, Hashable {
    /// The user name.
    public let user: String
    /// The password, which descriptions and reflection leave out.
    public let password: String

    /// Creates a credential from a user name and a password.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension PasswordCredential: CustomStringConvertible, CustomReflectable {
    public var description: String { "PasswordCredential(\(user), <redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
