/// Writes the models of screens: an observable class with a loader for each list and detail.
struct ScreenWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package

    private var access: String { options.accessPrefix }

    var files: [GeneratedFile] {
        guard options.makesScreens else { return [] }
        let views = ViewWriter(plan: plan, options: options, layout: layout)
        return ScreenPlan.all(of: plan, options: options).flatMap { [file($0), views.file($0)] }
    }

    private func file(_ screen: ScreenPlan) -> GeneratedFile {
        var text = SourceText()
        for module in ["Godwit", "GodwitUI", "Observation"] { text.line(options.importLine(module)) }
        text.line()
        text.doc(screen.operation.summary ?? "The result of `\(screen.operation.name)`.")
        text.line("@Observable @MainActor")
        text.block("\(access)final class \(screen.name)") { text in
            let (name, type) = screen.loader
            text.docLine("Loads when the screen appears, and again when a network is available after a failure.")
            text.line("\(access)let \(name): \(type)")
            text.line()
            text.docLine("- Parameter monitor: Reports when the network is available again.")
            text.list(
                "\(access)init(",
                ["_ api: APIClient"] + screen.arguments.map(\.declarationWithDefault)
                    + ["monitor: (any PathMonitor)? = nil"], ") {")
            text.indented { text in create(screen, name, &text) }
            text.line("}")
        }
        return GeneratedFile(path: layout.source("Screens/\(screen.name).swift", in: plan), text: text.text)
    }

    private func create(_ screen: ScreenPlan, _ name: String, _ text: inout SourceText) {
        switch screen.content {
        case .pages(let paged):
            let items = screen.arguments.map { $0.passing(SwiftLiteral.identifier($0.name)) }
            text.wrapped(
                "\(name) = PageLoader(api.\(paged.name)(\(items.joined(separator: ", "))), retryingWith: monitor)")
        case .list, .detail:
            let endpoint = OperationCall(screen.operation).endpoint { SwiftLiteral.identifier($0.name) }
            text.wrapped("\(name) = Loader(api, \(endpoint), retryingWith: monitor)")
        }
    }
}

extension ScreenPlan {
    /// The name and type of the property with the loader.
    var loader: (name: String, type: String) {
        switch content {
        case .pages(let paged): ("list", "PageLoader<\(paged.item.text)>")
        case .list(let item): ("list", "Loader<[\(item.text)]>")
        case .detail(let type): ("detail", "Loader<\(type.text)>")
        }
    }

    /// What the screen needs to know.
    var arguments: [Argument] {
        switch content {
        case .pages(let paged): paged.arguments
        case .list, .detail: OperationCall(operation).arguments
        }
    }
}
