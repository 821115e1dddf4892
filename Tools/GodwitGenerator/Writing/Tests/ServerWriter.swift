/// Writes `NAMEServer.swift`: routes that answer every operation with its example.
struct ServerWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package
    let examples: ExampleSet

    /// As many routes are in one function.
    private static let countLimit = 40

    private var type: String { plan.name + "Server" }
    private var hasCredential: Bool { CredentialWriter(plan: plan, options: options).isNeeded }

    var files: [GeneratedFile] {
        let routes = MockRoutePlan.all(of: plan)
        let parts = stride(from: 0, to: routes.count, by: Self.countLimit).map { start in
            Array(routes[start..<min(start + Self.countLimit, routes.count)])
        }
        var text = SourceText()
        text.line("import Godwit")
        text.line("import GodwitTesting")
        text.line(options.testImportLine(of: plan))
        text.line()
        text.docLine("Answers all operations with examples: for tests, demos and previews.")
        text.docLine("")
        text.docLine("```swift")
        text.docLine("let server = try await \(type).start()")
        text.docLine("let environment = APIEnvironment(name: \"mock\", baseURL: server.url.absoluteString)")
        text.docLine("let api = \(plan.name)API.client(environment)")
        text.docLine("```")
        text.block("nonisolated enum \(type)") { text in
            entryPoints(&text, partCount: parts.count)
            for (number, part) in parts.enumerated() {
                text.line()
                write(part, number: number + 1, &text)
            }
            text.line()
            text.block("private static func json(_ text: String, status: Int = 200) -> MockResponse") { text in
                let status = "HTTPStatus(status) ?? .ok"
                text.line(".bytes(Data(text.utf8), contentType: \"application/json\", status: \(status))")
            }
        }
        return [GeneratedFile(path: layout.test("\(type).swift", in: plan), text: text.text)]
    }

    private func entryPoints(_ text: inout SourceText, partCount: Int) {
        text.docLine("The base URL of ``client(over:)``. Nothing is sent there.")
        text.line("static let environment = APIEnvironment(name: \"mock\", baseURL: \"https://mock.example.com\")")
        text.line()
        text.docLine("A server on this machine.")
        text.block("static func start() async throws(NetworkError) -> MockServer") { text in
            text.line("try await MockServer { routes($0) }")
        }
        text.line()
        text.docLine("A transport without a network, and its requests.")
        text.block("static func transport() -> MockTransport") { text in
            text.line("MockTransport { routes($0) }")
        }
        text.line()
        text.docLine("A client that tries each call once.")
        text.list(
            "static func client(",
            ["over transport: some HTTPTransport"]
                + (hasCredential ? ["credential: \(plan.name)Credential? = nil"] : []),
            ") -> APIClient {")
        text.indented { text in
            let credential = hasCredential ? ["credential: credential"] : []
            let arguments = (["environment"] + credential + ["transport: transport"]).joined(separator: ", ")
            text.line("\(plan.name)API.client(\(arguments)) {")
            text.indented { $0.line("$0.retry.maximumAttempts = 1") }
            text.line("}")
        }
        text.line("}")
        text.line()
        text.block("private static func routes(_ route: MockRoutes)") { text in
            for number in 1...max(partCount, 1) where partCount > 0 { text.line("routes\(number)(route)") }
        }
    }

    private func write(_ routes: [MockRoutePlan], number: Int, _ text: inout SourceText) {
        text.block("private static func routes\(number)(_ route: MockRoutes)") { text in
            for route in routes { write(route, &text) }
        }
    }

    private func write(_ route: MockRoutePlan, _ text: inout SourceText) {
        text.line("route.\(Self.matcher(route))")
        text.indented { text in
            if let condition = condition(of: route) { text.line(".where { \(condition) }") }
            text.wrapped(".reply(\(reply(to: route.operation)))")
        }
    }

    /// The start of a route: `get("/articles/:id")`.
    static func matcher(_ route: MockRoutePlan) -> String {
        let path = SwiftLiteral.string(route.pattern)
        let method = route.operation.method
        let known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]
        if known.contains(method) { return "\(method.lowercased())(\(path))" }
        return route.operation.hasNamedMethod ? "when(\(route.operation.methodExpression), \(path))" : "any(\(path))"
    }

    private func condition(of route: MockRoutePlan) -> String? {
        var conditions: [String] = []
        let method = route.operation.method
        if !route.operation.hasNamedMethod {
            conditions.append("$0.method.rawValue == \(SwiftLiteral.string(method))")
        }
        if let ending = route.ending { conditions.append("$0.path.hasSuffix(\(SwiftLiteral.string(ending)))") }
        conditions += route.operation.fixedQuery.map {
            "$0.queryValue(\(SwiftLiteral.string($0.key))) == \(SwiftLiteral.string($0.value))"
        }
        if let type = route.neededType(in: plan) {
            conditions.append("$0.fields[.accept]?.contains(\(SwiftLiteral.string(type))) == true")
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " && ")
    }

    // MARK: Replies

    private func reply(to operation: OperationPlan) -> String {
        let status = Self.status(of: operation)
        let example = examples.responses[operation.name].map {
            "\(plan.name)Examples.\(SwiftLiteral.identifier($0.name))"
        }
        switch operation.response {
        case .none: return ".status(\(status))"
        case .json:
            guard let example else { return "json(\"null\")" }
            return "json(\(example)\(status == 200 ? "" : ", status: \(status)"))"
        case .byStatus(let plan): return reply(to: plan, status, example)
        case .text(let mediaType): return Self.bytes("text", mediaType)
        case .data(let mediaType): return Self.bytes("data", mediaType)
        case .events(let type, let marker):
            let first = type == nil ? "\"text\"" : example.map { "ServerSentEvent(data: \($0))" }
            let events = [first, marker.map(SwiftLiteral.string)].compactMap(\.self)
            return ".events([\(events.joined(separator: ", "))])"
        case .lines(let type):
            let line = type == nil ? "{}" : examples.responses[operation.name]?.line ?? ""
            return Self.bytes(line + "\n", "application/x-ndjson")
        }
    }

    /// The response of the status that the server answers with.
    private func reply(to plan: ResponsesPlan, _ status: Int, _ example: String?) -> String {
        let item = plan.item(for: status)
        switch item?.body {
        case .json?: return "json(\(example ?? "\"null\"")\(status == 200 ? "" : ", status: \(status)"))"
        case .text?: return Self.bytes("text", "text/plain", status)
        case .data?: return Self.bytes("data", "application/octet-stream", status)
        case .some(.none), nil: return ".status(\(status))"
        }
    }

    private static func bytes(_ text: String, _ mediaType: String, _ status: Int = 200) -> String {
        let type = mediaType.contains("*") ? "application/octet-stream" : mediaType
        let ending = status == 200 ? "" : ", status: HTTPStatus(\(status)) ?? .ok"
        return ".bytes(Data(\(SwiftLiteral.string(text)).utf8), contentType: \(SwiftLiteral.string(type))\(ending))"
    }

    /// The first status that means success, and that has a body if the endpoint returns one.
    static func status(of operation: OperationPlan) -> Int {
        let successes = operation.source.successes
        let hasBody = operation.response != .none && successes.contains { !$0.contents.isEmpty }
        for response in successes where !hasBody || !response.contents.isEmpty {
            if case .code(let code) = response.status, code >= 200 { return code }
        }
        if case .none = operation.response { return 204 }
        return 200
    }
}
