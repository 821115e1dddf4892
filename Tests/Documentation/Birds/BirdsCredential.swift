import Godwit

/// Proves to the API who calls. Its description leaves out the secret.
nonisolated enum BirdsCredential: Sendable {
    /// A token, sent as `Authorization: Bearer`.
    case token(String)

    /// Makes clients send the credential.
    func apply(to configuration: inout ClientConfiguration) {
        switch self {
        case .token(let token):
            configuration.authentication = .credential(.bearer(token))
        }
    }
}

nonisolated extension BirdsCredential: CustomStringConvertible, CustomReflectable {
    var description: String { "BirdsCredential(<redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    var customMirror: Mirror { Mirror(self, children: []) }
}
