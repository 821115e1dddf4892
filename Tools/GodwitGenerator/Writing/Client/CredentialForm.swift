import GodwitWire

/// How a credential of the plan is given and sent.
enum CredentialForm: Sendable, Hashable {
    case bearer
    case basic
    case digest
    case field(String)
    case queryItem(String)
    case cookie(String)
    /// Tokens of OAuth, which are refreshed; with a factory for `OAuth2` if the flow has one.
    case tokens(OAuthFlow)
    /// Tokens of OpenID Connect, whose server publishes its URLs. The issuer.
    case openID(String)

    /// The form of a scheme; `nil` if it can't be sent.
    init?(_ scheme: SecurityScheme) {
        switch scheme.kind {
        case .bearer: self = .bearer
        case .basic: self = .basic
        case .digest: self = .digest
        case .apiKey(let name, let location):
            guard let form = Self.key(name, location) else { return nil }
            self = form
        case .oauth(let flows): self = Self.oauth(flows)
        case .openID(let url):
            let suffix = "/.well-known/openid-configuration"
            self = url.hasSuffix(suffix) ? .openID(String(url.dropLast(suffix.count))) : .bearer
        case .other: return nil
        }
    }

    private static func key(_ name: String, _ location: Parameter.Location) -> CredentialForm? {
        switch location {
        case .header: Token.isValid(name) ? .field(name) : nil
        case .query: .queryItem(name)
        case .cookie: Token.isValid(name) ? .cookie(name) : nil
        case .path: nil
        }
    }

    /// Flows that the library has come first; the others leave a token that the caller must get.
    private static func oauth(_ flows: [OAuthFlow]) -> CredentialForm {
        let order: [OAuthFlow.Kind] = [.authorizationCode, .deviceAuthorization, .clientCredentials]
        let flow = order.lazy.compactMap { kind in flows.first { $0.kind == kind && $0.tokenURL != nil } }.first
        return flow.map(CredentialForm.tokens) ?? .bearer
    }

    /// The case of the enum, without `case`.
    func declaration(_ name: String) -> String {
        let name = SwiftLiteral.identifier(name)
        switch self {
        case .bearer: return "\(name)(String)"
        case .basic, .digest: return "\(name)(user: String, password: String)"
        case .field, .queryItem, .cookie: return "\(name)(String)"
        case .tokens, .openID: return "\(name)(TokenRefresher)"
        }
    }

    /// What the credential is, if the document has no words for it.
    var summary: String {
        switch self {
        case .bearer: "A token, sent as `Authorization: Bearer`."
        case .basic: "A name and a password, sent with each request."
        case .digest: "A name and a password, of which only a digest is sent."
        case .field(let name): "A key in the field `\(name)`."
        case .queryItem(let name): "A key in the query, as `\(name)`."
        case .cookie(let name): "A key in the cookie `\(name)`."
        case .tokens, .openID: "Tokens of OAuth 2, which are refreshed."
        }
    }

    /// The pattern of the case with its values bound.
    func pattern(_ name: String) -> String {
        let name = SwiftLiteral.identifier(name)
        switch self {
        case .bearer: return ".\(name)(let token)"
        case .basic, .digest: return ".\(name)(let user, let password)"
        case .field, .queryItem, .cookie: return ".\(name)(let key)"
        case .tokens, .openID: return ".\(name)(let tokens)"
        }
    }

    /// The statement that sets the credential of a configuration.
    ///
    /// - Parameter isOneOfSeveral: Whether the configuration may have another one already.
    func statement(isOneOfSeveral: Bool) -> String {
        guard let credential else {
            return "configuration.challenges = Challenges { _ in PasswordCredential(user: user, password: password) }"
        }
        return isOneOfSeveral
            ? "Self.add(\(credential), to: &configuration, environment)"
            : "configuration.authentication = .credential(\(credential))"
    }

    /// The value of type `Credential`; `nil` for one that only answers challenges.
    private var credential: String? {
        switch self {
        case .bearer: ".bearer(token)"
        case .basic: ".basic(user: user, password: password)"
        case .digest: nil
        case .field(let name): ".apiKey(key, field: \(SwiftLiteral.string(name)))"
        case .queryItem(let name): ".apiKey(key, queryItem: \(SwiftLiteral.string(name)))"
        case .cookie(let name): ".apiKey(\"\(name)=\\(key)\", field: \"Cookie\")"
        case .tokens, .openID: ".tokens(tokens)"
        }
    }

    /// An example of the case, for doc comments.
    func sample(_ name: String) -> String {
        let name = SwiftLiteral.identifier(name)
        switch self {
        case .bearer: return ".\(name)(token)"
        case .basic, .digest: return ".\(name)(user: \"ann\", password: password)"
        case .field, .queryItem, .cookie: return ".\(name)(key)"
        case .tokens, .openID: return ".\(name)(tokens)"
        }
    }
}
