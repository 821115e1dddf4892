/// Writes tests of credentials: that they are sent, and that a refused token is refreshed once.
struct CredentialTestWriter: Sendable {
    let plan: ClientPlan
    let examples: ExampleSet

    /// The forms whose requests show them.
    private var forms: [(name: String, form: CredentialForm)] {
        plan.credentials.compactMap { credential in
            guard let form = CredentialForm(credential.scheme), form.proof != nil else { return nil }
            return (credential.name, form)
        }
    }

    func count(with sample: SampleCall) -> Int {
        guard sample.operation.authentication != .unneeded else { return 0 }
        return forms.count + (session(with: sample) == nil ? 0 : 1) + (together == nil ? 0 : 1)
    }

    /// The refreshing operation with an example of its tokens, unless it is what tests call.
    private func session(with sample: SampleCall) -> (plan: SessionPlan, example: ExampleSet.Entry)? {
        guard let session = SessionPlan(in: plan), session.operation.name != sample.operation.name,
            let example = examples.responses[session.operation.name]
        else { return nil }
        return (session, example)
    }

    func write(_ sample: SampleCall, to text: inout SourceText) {
        guard count(with: sample) > 0 else { return }
        for (name, form) in forms {
            text.line()
            text.wrapped("@Test(\"the credential \(name) is sent\")")
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
        if let together { several(together, &text) }
        if let session = session(with: sample) { refresh(session.plan, session.example, sample, &text) }
    }

    /// Credentials that an operation needs at once, and that requests show in different places.
    private var together: [(name: String, form: CredentialForm)]? {
        for names in CredentialWriter.together(in: plan) {
            let found = plan.credentials.filter { names.contains($0.scheme.name) }.compactMap { credential in
                forms.first { $0.name == credential.name }
            }
            let places = Set(found.map { $0.form.proof?.prefix { $0 != "=" } })
            if found.count == names.count, places.count == names.count { return found }
        }
        return nil
    }

    private func several(_ together: [(name: String, form: CredentialForm)], _ text: inout SourceText) {
        text.line()
        text.line("@Test(\"several credentials are sent at once\")")
        text.block("func sendsSeveral() async throws") { text in
            text.line("let mock = \(plan.name)Server.transport()")
            let values = together.map { $0.form.value($0.name) }.joined(separator: ", ")
            text.line("let credential = \(plan.name)Credential.all([\(values)])")
            text.line("let api = \(plan.name)Server.client(over: mock, credential: credential)")
            text.line("try await send(with: api)")
            text.line("let request = try #require(mock.requests.first)")
            for form in together.compactMap(\.form.proof) { text.line("#expect(request.\(form))") }
        }
    }

    private func refresh(
        _ session: SessionPlan, _ example: ExampleSet.Entry, _ sample: SampleCall, _ text: inout SourceText
    ) {
        let route = MockRoutePlan(session.operation)
        let name = plan.credentials.contains { $0.name == "session" } ? "tokenStore" : "session"
        text.line()
        text.line("@Test(\"a refused token is refreshed once, and the request is sent again\")")
        text.block("func refresh() async throws") { text in
            text.line("let mock = MockTransport { route in")
            text.indented { text in
                text.line("route.\(ServerWriter.matcher(route))")
                text.indented { $0.wrapped(".reply(\(reply(example)))") }
                if let answer = examples.responses[sample.operation.name] {
                    text.wrapped("let answer = MockResponse\(reply(answer))")
                    text.line("route.any(\"*\").replies([.status(401), answer])")
                } else {
                    text.line("route.any(\"*\").replies([.status(401), .status(204)])")
                }
            }
            text.line("}")
            text.line("let store = MemoryTokenStore(AccessToken(access: \"old\", refresh: \"refresh\"))")
            text.wrapped("let api = \(plan.name)Server.client(over: mock, credential: .\(name)(store))")
            text.line("try await send(with: api)")
            text.line("let refreshes = mock.requests.filter { $0.path == \(SwiftLiteral.string(route.pattern)) }")
            text.line("#expect(refreshes.count == 1)")
            text.line("#expect(mock.requests.count == 3)")
        }
    }

    private func reply(_ example: ExampleSet.Entry) -> String {
        let text = "\(plan.name)Examples.\(SwiftLiteral.identifier(example.name))"
        return ".bytes(Data(\(text).utf8), contentType: \"application/json\")"
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
