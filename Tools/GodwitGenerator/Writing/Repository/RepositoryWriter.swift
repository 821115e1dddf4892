/// Writes the repositories: protocols that features depend on, with a live and a mock implementation.
struct RepositoryWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package

    private var access: String { options.accessPrefix }

    var repositories: [RepositoryPlan] { RepositoryPlan.all(of: plan, options: options) }

    var files: [GeneratedFile] {
        let repositories = repositories
        let hasStreams = repositories.contains { $0.methods.contains { $0.kind != .call } }
        return repositories.flatMap { [live($0), mock($0)] } + (hasStreams ? [sequence] : [])
    }

    private func file(_ name: String, _ text: SourceText) -> GeneratedFile {
        GeneratedFile(path: layout.source("\(name).swift", in: plan), text: text.text)
    }

    private func live(_ repository: RepositoryPlan) -> GeneratedFile {
        var text = SourceText()
        text.line(options.importLine("Godwit"))
        text.line()
        interface(repository, &text)
        shortcuts(repository, &text)
        text.line()
        text.docLine("Calls the API.")
        text.block("nonisolated \(access)struct Live\(repository.name): \(repository.name)") { text in
            text.line("private let api: APIClient")
            text.line()
            text.block("\(access)init(_ api: APIClient)") { $0.line("self.api = api") }
            for method in repository.methods {
                text.line()
                method.declare(access, " {", &text)
                text.indented { text in text.wrapped(method.live) }
                text.line("}")
            }
        }
        return file(repository.folder + repository.name, text)
    }

    private func interface(_ repository: RepositoryPlan, _ text: inout SourceText) {
        text.doc(repository.summary)
        text.docLine("")
        text.docLine("Features depend on this protocol; tests and previews give them a ``Mock\(repository.name)``.")
        text.block("nonisolated \(access)protocol \(repository.name): Sendable") { text in
            for method in repository.methods {
                text.space()
                comment(method, &text)
                method.declare("", "", &text)
            }
        }
    }

    private func comment(_ method: RepositoryMethod, _ text: inout SourceText) {
        switch method.kind {
        case .elements: text.docLine("All elements of `\(method.operation.name)`, loaded page by page.")
        case .call, .stream:
            text.doc(method.operation.summary ?? "`\(method.operation.method) \(method.operation.source.path)`")
        }
        if case .data = method.operation.response {
            text.docLine("")
            text.docLine("For a large response, use `APIClient.download(_:to:)` with the endpoint.")
        }
    }

    /// Methods with the required arguments only, as a protocol has no defaults.
    private func shortcuts(_ repository: RepositoryPlan, _ text: inout SourceText) {
        let methods = repository.methods.filter { $0.arguments.contains { !$0.isRequired } }
        guard !methods.isEmpty else { return }
        text.line()
        text.line("// The same, with defaults for all optional arguments.")
        text.block("nonisolated extension \(repository.name)") { text in
            for method in methods {
                text.space()
                shortcut(method, &text)
            }
        }
    }

    private func shortcut(_ method: RepositoryMethod, _ text: inout SourceText) {
        let name = SwiftLiteral.identifier(method.name)
        let required = method.arguments.filter(\.isRequired)
        text.doc(method.operation.summary ?? "`\(method.operation.method) \(method.operation.source.path)`")
        text.list("\(access)func \(name)(", required.map(\.declaration), ")\(method.effects) {")
        text.indented { text in
            // An argument can have the name of the method.
            let isHidden = method.arguments.contains { $0.name == method.name }
            text.call(
                (method.kind == .call ? "try await " : "") + (isHidden ? "self." : "") + "\(name)(",
                method.arguments.map { $0.passing($0.defaultValue ?? SwiftLiteral.identifier($0.name)) }, ")")
        }
        text.line("}")
    }
}

extension RepositoryWriter {
    private func mock(_ repository: RepositoryPlan) -> GeneratedFile {
        var text = SourceText()
        let type = "Mock\(repository.name)"
        text.line(options.importLine("Godwit"))
        text.line()
        text.docLine(
            "Answers with closures, for tests and previews. A closure that isn't set throws `.invalidRequest`.")
        text.docLine("")
        text.docLine("```swift")
        text.docLine("var repository = \(type)()")
        if let method = repository.methods.first {
            text.docLine("repository.\(repository.closureName(of: method)) = { … }")
        }
        text.docLine("```")
        text.block("nonisolated \(access)struct \(type): \(repository.name)") { text in
            for method in repository.methods {
                method.declareClosure("\(access)var \(repository.closureName(of: method))", &text)
            }
            text.line()
            text.line("\(access)init() {}")
            for method in repository.methods {
                text.line()
                answer(method, of: repository, &text)
            }
            text.line()
            text.block("private static func unset(_ closure: String) -> NetworkError") { text in
                let reason = "\(type).\\(closure) isn't set"
                text.wrapped("NetworkError(.invalidRequest(reason: \"\(reason)\"), phase: .building)")
            }
        }
        return file(repository.folder + type, text)
    }

    private func answer(_ method: RepositoryMethod, of repository: RepositoryPlan, _ text: inout SourceText) {
        let name = repository.closureName(of: method)
        let error = "Self.unset(\(SwiftLiteral.string(name)))"
        method.declare(access, " {", &text)
        text.indented { text in
            switch method.kind {
            case .call: text.guarding("let \(name)", "throw \(error)")
            case .stream, .elements:
                let type = "\(sequenceName)<\(method.value ?? "JSONValue")>"
                text.guarding("let \(name)", "return \(type)([], error: \(error))")
            }
            text.call(
                (method.kind == .call ? "return try await " : "return ") + name + "(",
                method.arguments.map { SwiftLiteral.identifier($0.name) }, ")")
        }
        text.line("}")
    }

    private var sequenceName: String { plan.name + "Sequence" }

    /// A sequence for mocks of streams and lists.
    private var sequence: GeneratedFile {
        var text = SourceText()
        text.line(options.importLine("Godwit"))
        text.line()
        text.docLine("Elements as an asynchronous sequence, for mocks of streams and lists.")
        text.block("nonisolated \(access)struct \(sequenceName)<Element: Sendable>: AsyncSequence, Sendable") { text in
            text.line("private let elements: [Element]")
            text.line("private let error: NetworkError?")
            text.line()
            text.docLine("- Parameter error: Thrown after the last element; `nil` to end without an error.")
            text.block("\(access)init(_ elements: [Element], error: NetworkError? = nil)") { text in
                text.line("self.elements = elements")
                text.line("self.error = error")
            }
            text.line()
            text.block("\(access)func makeAsyncIterator() -> AsyncIterator") { text in
                text.line("AsyncIterator(elements: elements.makeIterator(), error: error)")
            }
            text.line()
            iterator(&text)
        }
        return file(sequenceName, text)
    }

    private func iterator(_ text: inout SourceText) {
        text.block("\(access)struct AsyncIterator: AsyncIteratorProtocol") { text in
            text.line("fileprivate var elements: IndexingIterator<[Element]>")
            text.line("fileprivate let error: NetworkError?")
            text.line()
            text.block("\(access)mutating func next() async throws(NetworkError) -> Element?") { text in
                text.line("try advance()")
            }
            text.line()
            text.list(
                "\(access)mutating func next(", ["isolation actor: isolated (any Actor)?"],
                ") async throws(NetworkError) -> Element? {")
            text.indented { $0.line("try advance()") }
            text.line("}")
            text.line()
            text.block("private mutating func advance() throws(NetworkError) -> Element?") { text in
                text.line("if let element = elements.next() { return element }")
                text.line("if let error { throw error }")
                text.line("return nil")
            }
        }
    }
}
