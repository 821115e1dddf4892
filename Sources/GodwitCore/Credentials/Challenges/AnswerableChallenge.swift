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
