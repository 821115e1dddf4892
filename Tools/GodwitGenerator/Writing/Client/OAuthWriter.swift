/// Writes how tokens of OAuth are obtained: the server's URLs and its scopes.
struct OAuthWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions

    private var access: String { options.accessPrefix }

    /// Adds an extension of the credential for a flow that the library has; nothing for other credentials.
    func write(_ form: CredentialForm, of credential: CredentialPlan, to text: inout SourceText) {
        switch form {
        case .tokens(let flow):
            text.line()
            text.block("nonisolated extension \(plan.name)Credential") { text in
                server(flow, credential, &text)
                scopes(flow, credential, &text)
            }
        case .openID(let issuer):
            text.line()
            text.block("nonisolated extension \(plan.name)Credential") { text in
                discovery(issuer, credential, &text)
            }
        case .bearer, .basic, .digest, .field, .queryItem, .cookie: break
        }
    }

    private func server(_ flow: OAuthFlow, _ credential: CredentialPlan, _ text: inout SourceText) {
        let urls: [(label: String, url: String?)] = [
            ("tokenURL", flow.tokenURL), ("authorizationURL", flow.authorizationURL),
            ("deviceAuthorizationURL", flow.deviceAuthorizationURL),
        ]
        let given = urls.compactMap { entry in entry.url.map { (entry.label, $0) } }
        let isRelative = given.contains { !EnvironmentPlan.isAbsolute($0.1) }
        comment(flow.kind, credential, &text)
        text.list(
            "\(access)static func \(credential.name)Server(",
            (isRelative ? ["at environment: APIEnvironment"] : [])
                + ["client: OAuthClient", "over transport: some HTTPTransport"], ") throws(InvalidURL) -> OAuth2 {")
        text.indented { text in
            if isRelative { text.line("let base = try HTTPURL(environment.baseURL)") }
            text.call("let server = OAuthServer(", given.map { "\($0.0): \(Self.url($0.1))" }, ")")
            text.line("return OAuth2(server, client: client, over: transport)")
        }
        text.line("}")
    }

    private static func url(_ url: String) -> String {
        let literal = SwiftLiteral.string(url)
        return EnvironmentPlan.isAbsolute(url) ? "try HTTPURL(\(literal))" : "try base.resolving(\(literal))"
    }

    private func comment(_ kind: OAuthFlow.Kind, _ credential: CredentialPlan, _ text: inout SourceText) {
        let call =
            switch kind {
            case .authorizationCode: "signIn(scopes:) { page in … }"
            case .deviceAuthorization: "deviceAuthorization(scopes:)"
            case .clientCredentials, .password, .implicit: "clientCredentials(scopes:)"
            }
        text.docLine("The server that issues tokens for `\(credential.name)`.")
        text.docLine("")
        text.docLine("Get a token with `\(call)`, and keep it in `refresher(store:)` of the result.")
    }

    private func scopes(_ flow: OAuthFlow, _ credential: CredentialPlan, _ text: inout SourceText) {
        guard !flow.scopes.isEmpty else { return }
        text.line()
        text.docLine("What tokens for `\(credential.name)` can allow:")
        text.docLine("")
        for scope in flow.scopes { text.doc("- `\(scope.name)`: \(scope.summary)") }
        text.array(
            "\(access)static let \(credential.name)Scopes = [", flow.scopes.map { SwiftLiteral.string($0.name) }, "]")
    }

    private func discovery(_ issuer: String, _ credential: CredentialPlan, _ text: inout SourceText) {
        text.docLine("Reads where the server that issues tokens for `\(credential.name)` has its URLs.")
        text.list(
            "\(access)static func \(credential.name)Server(",
            ["client: OAuthClient", "over transport: some HTTPTransport"], ") async throws(NetworkError) -> OAuth2 {")
        text.indented { text in
            text.line(
                "let server = try await OAuthServer.discover(issuer: \(SwiftLiteral.string(issuer)), over: transport)")
            text.line("return OAuth2(server, client: client, over: transport)")
        }
        text.line("}")
    }
}
