/// Writes the tests of endpoints: method, path, query and body of each operation as they are sent.
struct EndpointTestWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package
    let calls: SampleCalls

    var files: [GeneratedFile] {
        let hidden = MockRoutePlan.hidden(in: plan)
        return plan.catalogs.compactMap { catalog in
            let tests = catalog.operations.compactMap { calls[$0] }
            return tests.isEmpty ? nil : file(catalog, tests, hidden)
        }
    }

    /// The number of tests.
    var count: Int { plan.operations.count { calls[$0] != nil } }

    /// Operations that no call could be made for.
    var notes: [Note] {
        plan.operations.filter { calls[$0] == nil }.map { operation in
            Note(
                .omission, "`\(operation.name)` has no test: no value could be made for an argument or its response",
                at: operation.source.place)
        }
    }

    private func file(_ catalog: CatalogPlan, _ tests: [SampleCall], _ hidden: Set<String>) -> GeneratedFile {
        var text = SourceText(testing: plan, options, with: "GodwitTesting")
        text.line("@Suite(\"Endpoints about \(catalog.name)\")")
        text.block("struct \(catalog.name)EndpointTests") { text in
            for test in tests {
                text.space()
                write(test, mayFail: hidden.contains(test.operation.name), &text)
            }
        }
        return GeneratedFile(
            path: layout.test("Endpoints/\(catalog.name)EndpointTests.swift", in: plan), text: text.text)
    }

    private func write(_ test: SampleCall, mayFail: Bool, _ text: inout SourceText) {
        let operation = test.operation
        text.wrapped("@Test(\(SwiftLiteral.string("\(operation.name): \(operation.method) \(operation.source.path)")))")
        text.block("func \(SwiftLiteral.identifier(operation.name))() async throws") { text in
            text.line("let mock = \(plan.name)Server.transport()")
            text.line("let api = \(plan.name)Server.client(over: mock)")
            test.write(mayFail: mayFail, to: &text)
            text.line("let request = try #require(mock.requests.first)")
            let method =
                operation.hasNamedMethod
                ? " == \(operation.methodExpression)" : ".rawValue == \(SwiftLiteral.string(operation.method))"
            text.line("#expect(request.method\(method))")
            if let path = test.path { text.line("#expect(request.path == \(SwiftLiteral.string(path)))") }
            for item in test.query { expectation(item, &text) }
            body(test, &text)
            server(test, &text)
        }
    }

    /// The base URL of the operation alone, with a client for the document's environment.
    private func server(_ test: SampleCall, _ text: inout SourceText) {
        guard let url = test.operation.server?.defaultURL, EnvironmentPlan.isAbsolute(url),
            !url.contains(where: { "{}<>".contains($0) }),
            let standard = EnvironmentWriter(plan: plan, options: options).names.first,
            !test.operation.ownEnvironments.map(SwiftLiteral.string).contains(standard),
            !test.operation.response.isStream
        else { return }
        text.line("let servers = MockTransport { $0.any(\"*\").reply(.status(500)) }")
        text.wrapped("let real = \(plan.name)API.client(transport: servers) { $0.retry.maximumAttempts = 1 }")
        text.wrapped("_ = try? await real.send(\(test.endpoint))")
        let start = SwiftLiteral.string(url.hasSuffix("/") ? url : url + "/")
        text.line("let target = servers.requests.first?.url?.absoluteString")
        text.line("#expect(target?.hasPrefix(\(start)) == true)")
    }

    private func expectation(_ item: SampleCall.QueryItem, _ text: inout SourceText) {
        let value = "request.queryValue(\(SwiftLiteral.string(item.key)))"
        text.line("#expect(\(value) \(item.text.map { "== \(SwiftLiteral.string($0))" } ?? "!= nil"))")
    }

    private func body(_ test: SampleCall, _ text: inout SourceText) {
        guard let body = test.operation.body, test.sendsBody else { return }
        let type = "request.fields[.contentType]"
        switch body.kind {
        case .json(let bodyType, let mediaType):
            let expected = mediaType == "*/*" ? "application/json" : mediaType
            text.line("#expect(\(type) == \(SwiftLiteral.string(expected)))")
            let decoded = "request.decoded(as: \(bodyType.unwrapped.text).self, coding: \(plan.name)API.coding)"
            guard let name = test.bodyName else { return }
            let whole = "#expect(try \(decoded) == \(name))"
            if text.fits(whole) { return text.line(whole) }
            text.wrapped("let sentValue = try \(decoded)")
            text.line("#expect(sentValue == \(name))")
        case .form: text.line("#expect(\(type)?.hasPrefix(\"application/x-www-form-urlencoded\") == true)")
        case .multipart: text.line("#expect(\(type)?.hasPrefix(\"multipart/form-data\") == true)")
        case .text(let mediaType), .stream(let mediaType), .lines(_, let mediaType):
            guard !OperationPlanner.isChosen(mediaType) else { return text.line("#expect(\(type) != nil)") }
            text.line("#expect(\(type)?.hasPrefix(\(SwiftLiteral.string(mediaType))) == true)")
        }
    }
}
