/// Writes tests of credentials: that they are sent, and that a refused token is refreshed once.
struct CredentialTestWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions

    /// The forms whose requests show them.
    private var forms: [(name: String, form: CredentialForm)] {
        plan.credentials.compactMap { credential in
            guard let form = CredentialForm(credential.scheme), form.proof != nil else { return nil }
            return (credential.name, form)
        }
    }

    func count(with sample: SampleCall) -> Int {
        guard sample.operation.authentication != .unneeded else { return 0 }
        return forms.count + (session == nil ? 0 : 1)
    }

    private var session: SessionPlan? { SessionPlan(in: plan) }

    func write(_ sample: SampleCall, to text: inout SourceText) {
        guard count(with: sample) > 0 else { return }
        for (name, form) in forms {
            text.line()
            text.line("@Test(\"the credential \(name) is sent\")")
            let function = "sends" + name.prefix(1).uppercased() + name.dropFirst()
            text.block("func \(function)() async throws") { text in
                text.line("let mock = \(plan.name)Server.transport()")
                let credential = form.value(name)
                text.wrapped("let api = \(plan.name)Server.client(over: mock, credential: \(credential))")
                text.line("try await send(with: api)")
                text.line("let request = try #require(mock.requests.first)")
                if let proof = form.proof { text.line("#expect(request.\(proof))") }
            }
        }
        if let session { refresh(session, sample, &text) }
    }

    private func refresh(_ session: SessionPlan, _ sample: SampleCall, _ text: inout SourceText) {
        let route = MockRoutePlan(session.operation)
        let name = plan.credentials.contains { $0.name == "session" } ? "tokenStore" : "session"
        guard let pair = ExampleMaker(models: ModelIndex(plan)).value(of: .model(session.pair.type), .required) else {
            return
        }
        text.line()
        text.line("@Test(\"a refused token is refreshed once, and the request is sent again\")")
        text.block("func refresh() async throws") { text in
            text.line("let mock = MockTransport { route in")
            text.indented { text in
                let method = session.operation.method.lowercased()
                text.line("route.\(method)(\(SwiftLiteral.string(route.pattern)))")
                text.indented { text in
                    let literal = SwiftLiteral.string(pair.json)
                    text.wrapped(".reply(.bytes(Data(\(literal).utf8), contentType: \"application/json\"))")
                }
                text.line("route.any(\"*\").replies([.status(401), .status(204)])")
            }
            text.line("}")
            text.line("let store = MemoryTokenStore(AccessToken(access: \"old\", refresh: \"refresh\"))")
            text.wrapped("let api = \(plan.name)Server.client(over: mock, credential: .\(name)(store))")
            text.line("_ = try? await send(with: api)")
            text.line("let tokens = mock.requests.filter { $0.path == \(SwiftLiteral.string(route.pattern)) }")
            text.line("#expect(tokens.count == 1)")
            text.line("#expect(mock.requests.count == 3)")
        }
    }
}

extension CredentialForm {
    /// A case with a made value.
    fileprivate func value(_ name: String) -> String {
        let name = SwiftLiteral.identifier(name)
        switch self {
        case .bearer, .field, .queryItem, .cookie: return ".\(name)(\"secret\")"
        case .basic, .digest: return ".\(name)(user: \"ann\", password: \"secret\")"
        case .tokens, .openID: return ".\(name)(tokens)"
        }
    }

    /// What a request with the made value has, as an expression after `request.`; `nil` if that takes a server.
    fileprivate var proof: String? {
        switch self {
        case .bearer: "fields[.authorization] == \"Bearer secret\""
        case .basic: "fields[.authorization] == \"Basic YW5uOnNlY3JldA==\""
        case .field(let name): "fields[\(SwiftLiteral.string(name))] == \"secret\""
        case .queryItem(let name): "queryValue(\(SwiftLiteral.string(name))) == \"secret\""
        case .cookie(let name): "fields[\"Cookie\"] == \"\(name)=secret\""
        case .digest, .tokens, .openID: nil
        }
    }
}
