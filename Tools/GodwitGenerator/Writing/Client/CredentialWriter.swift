/// Writes `NAMECredential.swift`: the ways to prove who calls.
struct CredentialWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package

    private var access: String { options.accessPrefix }
    private var type: String { plan.name + "Credential" }

    /// The ways that can be sent, with the plan's names.
    private var forms: [(plan: CredentialPlan, form: CredentialForm)] {
        plan.credentials.compactMap { credential in
            CredentialForm(credential.scheme).map { (credential, $0) }
        }
    }

    /// Tokens that the API itself refreshes, with the name of the case.
    private var session: (plan: SessionPlan, name: String)? {
        SessionPlan(in: plan).map { session in
            (session, plan.credentials.contains { $0.name == "session" } ? "tokenStore" : "session")
        }
    }

    /// Whether an operation needs several credentials at once.
    var allowsSeveral: Bool { forms.count > 1 && !CredentialWriter.together(in: plan).isEmpty }

    /// The requirements for several schemes at once, by the names of the schemes.
    static func together(in plan: ClientPlan) -> [[String]] {
        let requirements = plan.security + plan.operations.flatMap { $0.source.security ?? [] }
        return requirements.map { $0.schemes.map(\.name) }.filter { $0.count > 1 }
    }

    /// Whether there is any way to prove who calls.
    var isNeeded: Bool { !forms.isEmpty || session != nil }

    /// A credential for an example in a doc comment: the one that most operations need.
    var sample: String? {
        if let session { return ".\(session.name)(tokenStore)" }
        return (forms.first { $0.plan.isDefault } ?? forms.first).map { $0.form.sample($0.plan.name) }
    }

    var files: [GeneratedFile] {
        guard isNeeded else { return [] }
        var text = SourceText()
        text.line(showsGodwit ? options.importLine("Godwit") : "import Godwit")
        if usesOAuth { text.line(options.importLine("GodwitOAuth")) }
        text.line()
        text.docLine("Proves to the API who calls. Its description leaves out the secret.")
        text.block("nonisolated \(access)enum \(type): Sendable") { text in
            cases(&text)
            text.line()
            apply(&text)
            if allowsSeveral { adding(&text) }
        }
        text.line()
        text.block("nonisolated extension \(type): CustomStringConvertible, CustomReflectable") { text in
            text.line("\(access)var description: String { \"\(type)(<redacted>)\" }")
            text.line()
            text.docLine("Empty, so that printing by reflection shows no secret.")
            text.line("\(access)var customMirror: Mirror { Mirror(self, children: []) }")
        }
        for entry in forms {
            OAuthWriter(plan: plan, options: options).write(entry.form, of: entry.plan, to: &text)
        }
        if let session { token(session.plan.pair, &text) }
        return [GeneratedFile(path: layout.source("\(type).swift", in: plan), text: text.text)]
    }

    /// Whether types of Godwit appear in declarations that others see.
    private var showsGodwit: Bool { session != nil || usesOAuth }

    /// Whether a token comes from an OAuth 2 server, by the product `GodwitOAuth`.
    var usesOAuth: Bool {
        forms.contains { entry in
            switch entry.form {
            case .tokens, .openID: true
            case .bearer, .basic, .digest, .field, .queryItem, .cookie: false
            }
        }
    }

    private func cases(_ text: inout SourceText) {
        for (plan, form) in forms {
            text.doc(plan.scheme.summary ?? form.summary)
            text.line("case \(form.declaration(plan.name))")
        }
        if allowsSeveral {
            text.docLine("Several credentials at once, for operations that need them together.")
            text.line("case all([\(type)])")
        }
        guard let session else { return }
        text.docLine(
            "Stored tokens, refreshed by ``Endpoint/\(session.plan.operation.name)`` once for all waiting calls.")
        text.line("case \(session.name)(any TokenStore)")
    }

    private func apply(_ text: inout SourceText) {
        text.docLine("Makes clients send the credential.")
        let allowsSeveral = allowsSeveral
        let environment = allowsSeveral ? ", _ environment: APIEnvironment" : ""
        text.block("func apply(to configuration: inout ClientConfiguration\(environment))") { text in
            text.line("switch self {")
            for (plan, form) in forms {
                text.line("case \(form.pattern(plan.name)):")
                text.indented { text in text.line(form.statement(isOneOfSeveral: allowsSeveral)) }
            }
            if allowsSeveral {
                text.line("case .all(let credentials):")
                text.indented {
                    $0.line("for credential in credentials { credential.apply(to: &configuration, environment) }")
                }
            }
            if let session {
                text.line("case .\(session.name)(let store):")
                text.indented { text in refresh(session.plan, &text) }
            }
            text.line("}")
        }
    }

    /// The first credential is that of the client; a middleware adds each of the others.
    private func adding(_ text: inout SourceText) {
        text.line()
        text.line("private static func add(")
        text.indented {
            $0.line(
                "_ credential: Credential, to configuration: inout ClientConfiguration, _ environment: APIEnvironment")
        }
        text.line(") {")
        text.indented { text in
            text.block("guard configuration.authentication != nil else") { text in
                text.line("configuration.authentication = .credential(credential)")
                text.line("return")
            }
            text.line("let origins = (try? HTTPURL(environment.baseURL).origin).map { [$0] } ?? []")
            text.line("configuration.middleware.append(Authentication(credential, for: origins))")
        }
        text.line("}")
    }

    private func refresh(_ session: SessionPlan, _ text: inout SourceText) {
        text.line("configuration.authentication = .refreshing(store) { api, old in")
        text.indented { text in
            let body = "\(session.body.text)(\(SwiftLiteral.argument(session.token)): old.refresh ?? \"\")"
            let call = OperationCall(session.operation)
            text.line("let tokens = try await api.send(\(call.endpoint { $0.isRequired ? body : nil }))")
            text.line("return AccessToken(tokens)")
        }
        text.line("}")
    }
}

extension CredentialWriter {
    private func token(_ pair: SessionPlan.TokenPair, _ text: inout SourceText) {
        text.line()
        text.block("nonisolated extension AccessToken") { text in
            text.docLine("The tokens of a response, to sign in with: `try await api.signIn(AccessToken(tokens))`.")
            text.block("\(access)init(_ tokens: \(pair.type.text))") { text in
                let access = "access: tokens.\(SwiftLiteral.identifier(pair.access))"
                let refresh = "refresh: tokens.\(SwiftLiteral.identifier(pair.refresh.name))"
                text.call("self.init(", [access, refresh] + expiry(of: pair), ")")
            }
        }
    }

    private func expiry(of pair: SessionPlan.TokenPair) -> [String] {
        switch pair.expiry {
        case nil: return []
        case .date(let property): return ["expiry: tokens.\(SwiftLiteral.identifier(property.name))"]
        case .seconds(let property):
            let name = "tokens.\(SwiftLiteral.identifier(property.name))"
            guard property.type.isOptional else { return ["expiry: Date(timeIntervalSinceNow: TimeInterval(\(name)))"] }
            return ["expiry: \(name).map { Date(timeIntervalSinceNow: TimeInterval($0)) }"]
        }
    }

    /// What can't be sent, and what was concluded.
    var notes: [Note] {
        var notes: [Note] = []
        for credential in plan.credentials {
            switch CredentialForm(credential.scheme) {
            case nil:
                notes.append(
                    Note(.omission, "The credential `\(credential.scheme.name)` can't be sent: add it in `configure`"))
            case .bearer where credential.scheme.kind != .bearer:
                notes.append(
                    Note(
                        .omission,
                        "`\(credential.scheme.name)` has no flow that the library signs in with: pass the token"))
            default: break
            }
        }
        if let session {
            notes.append(
                Note(
                    .guess,
                    "`\(session.plan.operation.name)` refreshes tokens: it sends `\(session.plan.token)` and returns "
                        + "`\(session.plan.pair.access)` and `\(session.plan.pair.refresh.name)`",
                    at: session.plan.operation.source.place))
        }
        return notes + combined
    }

    /// Operations that need several credentials at once.
    private var combined: [Note] {
        let known = Set(forms.map(\.plan.scheme.name))
        return plan.operations.compactMap { operation in
            let alternatives = operation.source.security ?? plan.security
            let isPossible = alternatives.contains { $0.schemes.allSatisfy { known.contains($0.name) } }
            guard !alternatives.isEmpty, !isPossible, let needed = alternatives.first else { return nil }
            let names = needed.schemes.map { "`\($0.name)`" }.joined(separator: " and ")
            return Note(
                .omission, "`\(operation.name)` needs \(names), which can't be sent: add it in `configure`",
                at: operation.source.place)
        }
    }
}
