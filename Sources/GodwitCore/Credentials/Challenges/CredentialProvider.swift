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

/// A challenge that we can answer.
enum AnswerableChallenge: Sendable {
    case basic(realm: String)
    case digest(DigestChallenge)

    /// The strongest of a response's challenges: Digest before Basic, SHA-256 before MD5.
    ///
    /// A client chooses the best it has (RFC 9110 section 11.6.1); a server that offers Basic too does not weaken it.
    static func best(in head: HTTPResponseHead) -> AnswerableChallenge? {
        let challenges = AuthenticationChallenge.parse(head.fields.values(of: .wwwAuthenticate))
        let digests = challenges.compactMap { DigestChallenge($0) }
        if let strongest = digests.reversed().max(by: { $0.algorithm < $1.algorithm }) { return .digest(strongest) }
        return challenges.first { $0.scheme == "basic" }.map { .basic(realm: $0.parameters["realm"] ?? "") }
    }

    var realm: String {
        switch self {
        case .basic(let realm): realm
        case .digest(let challenge): challenge.realm
        }
    }

    var scheme: CredentialQuestion.Scheme {
        if case .basic = self { .basic } else { .digest }
    }

    /// Whether the credential was right, and only its nonce too old.
    var isStale: Bool {
        if case .digest(let challenge) = self { challenge.isStale } else { false }
    }
}

/// A credential on its way with one request.
struct ChallengeAnswer: Sendable {
    /// The space as it was when the request went out.
    let space: ProtectionSpace
    let attachment: Credential.Attachment
    /// Whether it is kept already, as it was accepted before.
    var isKept = true

    init(with space: inout ProtectionSpace, to request: HTTPRequest) {
        attachment = space.attachment(for: request)
        self.space = space
    }
}

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
