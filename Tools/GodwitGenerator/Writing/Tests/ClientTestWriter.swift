/// Writes `ClientTests.swift`: what calls throw when the server refuses, fails or can't be reached, and who they say calls.
struct ClientTestWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    let layout: OutputLayout
    let examples: ExampleSet
    /// The call that tests make: of the operation that needs the least.
    private let sample: SampleCall?

    init(
        plan: ClientPlan, options: GeneratorOptions, layout: OutputLayout, examples: ExampleSet, calls: SampleCalls
    ) {
        self.plan = plan
        self.options = options
        self.layout = layout
        self.examples = examples
        let usable = plan.operations.filter { !$0.response.isStream && $0.method != "HEAD" }.compactMap { calls[$0] }
        sample = usable.min { Self.cost($0) < Self.cost($1) }
    }

    private struct Case {
        var title: String
        var name: String
        /// The route's reply.
        var reply: String
        /// The kind of the error, as a pattern or as a value.
        var kind: String
        var isPattern = false
    }

    private static let cases = [
        Case(title: "404 is not found", name: "notFound", reply: ".reply(.status(404))", kind: ".notFound"),
        Case(title: "403 is forbidden", name: "forbidden", reply: ".reply(.status(403))", kind: ".forbidden"),
        Case(
            title: "422 names the fields", name: "invalidFields",
            reply: ".reply(json: [\"errors\": [\"name\": [\"is too short\"]]], status: .unprocessableContent)",
            kind: ".validationFailed([NetworkError.FieldError(field: \"name\", messages: [\"is too short\"])])"),
        Case(
            title: "429 says when to try again", name: "rateLimited",
            reply: ".reply(MockResponse.status(429).field(.retryAfter, \"2\"))",
            kind: ".rateLimited(retryAfter: .seconds(2))"),
        Case(
            title: "500 is a failure of the server", name: "serverFailure", reply: ".reply(.status(500))",
            kind: ".server(status: 500)"),
        Case(
            title: "no network is offline", name: "offline", reply: ".fail(.offline(.noPath))",
            kind: ".offline(.noPath)"),
    ]

    private static let malformed = Case(
        title: "malformed JSON can't be decoded", name: "malformed",
        reply: ".reply(.bytes(Data(\"{\".utf8), contentType: \"application/json\"))", kind: ".decoding", isPattern: true
    )

    private static func cost(_ call: SampleCall) -> Int {
        var cost = OperationCall(call.operation).required.count
        if call.operation.method != "GET" { cost += 20 }
        if case .json = call.operation.response {} else { cost += 10 }
        if call.operation.authentication == .unneeded { cost += 5 }
        return cost
    }

    private var cases: [Case] {
        guard case .json(let type) = sample?.operation.response, !type.isOptional else { return Self.cases }
        return Self.cases + [Self.malformed]
    }

    private var credentials: CredentialTestWriter { CredentialTestWriter(plan: plan, examples: examples) }

    /// The number of tests.
    var count: Int { sample.map { cases.count + credentials.count(with: $0) } ?? 0 }

    var files: [GeneratedFile] {
        guard let sample else { return [] }
        var text = SourceText(testing: plan, options, with: "GodwitTesting")
        text.line("@Suite(\"Failures and credentials\")")
        text.block("struct ClientTests") { text in
            text.docLine("A client of a server that answers each request alike.")
            text.block("private func client(_ route: (MockRoute) -> Void) -> APIClient") { text in
                text.line("\(plan.name)Server.client(over: MockTransport { route($0.any(\"*\")) })")
            }
            text.line()
            text.docLine("Sends a request.")
            text.block("private func send(with api: APIClient) async throws") { text in sample.write(to: &text) }
            for item in cases {
                text.line()
                test(item, &text)
            }
            credentials.write(sample, to: &text)
        }
        return [GeneratedFile(path: layout.test("ClientTests.swift", in: plan), text: text.text)]
    }

    private func test(_ item: Case, _ text: inout SourceText) {
        text.line("@Test(\"\(item.title)\")")
        text.block("func \(item.name)() async") { text in
            text.line("let api = client { $0\(item.reply) }")
            text.line("let error = await #expect(throws: NetworkError.self) { try await send(with: api) }")
            if item.isPattern {
                text.line("guard case \(item.kind)? = error?.kind else {")
                text.indented { text in
                    text.line("Testing.Issue.record(\"not the error expected: \\(String(describing: error))\")")
                    text.line("return")
                }
                text.line("}")
            } else {
                text.line("#expect(error?.kind == \(item.kind))")
            }
        }
    }
}
