/// Writes `NAMEAPI.swift`: the base URLs, the coding and the clients of an API.
struct APIWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package

    private var access: String { options.accessPrefix }
    private var environments: EnvironmentWriter { EnvironmentWriter(plan: plan, options: options) }
    private var credentials: CredentialWriter { CredentialWriter(plan: plan, options: options) }
    private var hasCredential: Bool { credentials.isNeeded }
    private var failure: FailureWriter { FailureWriter(plan: plan, options: options, layout: layout) }

    var files: [GeneratedFile] {
        var text = SourceText()
        text.line(options.importLine("Godwit"))
        text.line()
        comment(&text)
        text.block("nonisolated \(access)enum \(plan.name)API") { text in
            environments.write(to: &text)
            text.space()
            client(&text, transport: false)
            text.line()
            client(&text, transport: true)
            text.line()
            configuration(&text)
            text.line()
            text.docLine("How JSON is read and written.")
            text.line("\(access)static var coding: JSONCoding { \(coding) }")
        }
        return [GeneratedFile(path: layout.source("\(plan.name)API.swift", in: plan), text: text.text)]
    }

    var notes: [Note] { environments.notes }

    private var coding: String {
        switch plan.keys {
        case .asWritten: "JSONCoding()"
        case .snakeCase: "JSONCoding(keys: .snakeCase)"
        }
    }

    private func comment(_ text: inout SourceText) {
        text.doc(plan.version.map { "\(plan.title), version \($0)." } ?? "\(plan.title).")
        if let summary = plan.summary, !summary.allSatisfy(\.isWhitespace) {
            text.docLine("")
            text.doc(summary)
        }
        if let words = plan.security.words {
            text.docLine("")
            text.doc("Operations need \(words), unless they say something else.")
        }
        text.docLine("")
        text.docLine("```swift")
        let credential = credentials.sample.map { "credential: \($0)" }
        let environment = environments.defaultName == nil ? "environment" : nil
        let arguments = [environment, credential].compactMap(\.self).joined(separator: ", ")
        text.docLine("let api = \(plan.name)API.client(\(arguments))")
        if let sample { text.docLine(sample) }
        text.docLine("```")
    }

    /// A call for the doc comment: of an operation that needs no argument.
    private var sample: String? {
        let calls = plan.operations.lazy.map(OperationCall.init)
        guard
            let call = calls.first(where: { call in
                if case .json = call.operation.response {
                    call.operation.method == "GET" && call.required.isEmpty
                } else {
                    false
                }
            })
        else { return nil }
        return "let value = try await api.send(\(call.head)\(call.arguments.isEmpty ? "" : "()"))"
    }
}

extension APIWriter {
    private var parameters: [String] {
        let environment = environments.defaultName.map { " = \($0)" } ?? ""
        return ["_ environment: APIEnvironment\(environment)"]
            + (hasCredential ? ["credential: \(plan.name)Credential? = nil"] : [])
    }

    private func client(_ text: inout SourceText, transport: Bool) {
        text.docLine(
            transport
                ? "Creates a client that sends its requests with a transport, such as a mock." : "Creates a client.")
        text.docLine("")
        text.docLine("- Parameters:")
        text.docLine("  - environment: The base URL.")
        if hasCredential { text.docLine("  - credential: Proves who calls; `nil` for operations that need no proof.") }
        if transport { text.docLine("  - transport: Sends the requests.") }
        text.docLine("  - configure: Changes the configuration, such as timeouts and the cache.")
        text.list(
            "\(access)static func client(",
            parameters + (transport ? ["transport: some HTTPTransport"] : [])
                + ["configure: (inout ClientConfiguration) -> Void = { _ in }"], ") -> APIClient {")
        let settings =
            hasCredential ? "configuration(environment, credential: credential)" : "configuration(environment)"
        text.indented { text in
            text.call(
                "APIClient(",
                ["baseURL: environment.baseURL"] + (transport ? ["transport: transport"] : [])
                    + ["preset: \(settings)", "configure: configure"], ")")
        }
        text.line("}")
    }

    /// Operations with base URLs of their own keep to that of the client if it is another one than the document's.
    private func servers(_ text: inout SourceText) {
        let urls = plan.operations.compactMap(\.server?.defaultURL)
        let names = environments.names
        guard !urls.isEmpty, !names.isEmpty else { return }
        let known = urls.filter(EnvironmentPlan.isAbsolute).once
        text.array(
            "let servers = OperationServers(environment, ", ["[" + names.joined(separator: ", ") + "]"], ")")
        text.block("if let servers") { text in
            text.line("configuration.middleware.append(servers)")
            guard hasCredential, !known.isEmpty else { return }
            let origins = known.map(SwiftLiteral.string)
            let head = "configuration.authentication?.origins.formUnion("
            let list = "OperationServers.origins(["
            if text.fits(head + list + origins.joined(separator: ", ") + "]))") {
                return text.array(head + list, origins, "]))")
            }
            text.line(head)
            text.indented { $0.array(list, origins, "]))") }
        }
    }

    private var severalArgument: String {
        credentials.allowsSeveral ? ", environment" : ""
    }

    private func configuration(_ text: inout SourceText) {
        text.docLine("The configuration of clients, to change it or to use it for several.")
        text.list("\(access)static func configuration(", parameters, ") -> ClientConfiguration {")
        text.indented { text in
            text.line("var configuration = ClientConfiguration(environment)")
            text.line("configuration.json = coding")
            let readers = failure.readers
            if readers.count == 1 {
                text.line("configuration.errorBodies.append(\(readers[0]))")
            } else if !readers.isEmpty {
                text.array("configuration.errorBodies += [", readers, "]")
            }
            if hasCredential { text.line("credential?.apply(to: &configuration\(severalArgument))") }
            servers(&text)
            text.line("return configuration")
        }
        text.line("}")
    }
}
