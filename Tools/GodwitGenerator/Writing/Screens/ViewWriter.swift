/// Writes a SwiftUI view for a screen, to start from: rows with a title, or the values of a detail.
struct ViewWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package

    /// As many values of a detail are shown.
    private static let rowLimit = 10

    func file(_ screen: ScreenPlan) -> GeneratedFile {
        let access = options.accessPrefix
        var text = SourceText()
        text.line("#if canImport(SwiftUI)")
        text.line("import Godwit")
        text.line("import GodwitUI")
        text.line(options.importLine("SwiftUI"))
        text.line()
        text.doc("Shows a ``\(screen.name)``.")
        text.block("\(access)struct \(screen.viewName): View") { text in
            text.line("@State private var screen: \(screen.name)")
            text.line()
            text.block("\(access)init(_ screen: \(screen.name))") { $0.line("_screen = State(wrappedValue: screen)") }
            text.line()
            text.block("\(access)var body: some View") { text in body(screen, &text) }
            text.line()
            row(screen, &text)
        }
        text.line("#endif")
        return GeneratedFile(path: layout.source("Screens/\(screen.viewName).swift", in: plan), text: text.text)
    }

    private func body(_ screen: ScreenPlan, _ text: inout SourceText) {
        let title = SwiftName.words(of: String(screen.name.dropLast("Screen".count))).joined(separator: " ")
        switch screen.content {
        case .pages:
            text.line("InfiniteList(screen.list) { row($0) }")
            return text.indented { $0.line(".navigationTitle(\(SwiftLiteral.string(title)))") }
        case .list:
            text.line("AsyncContentView(screen.list) { items in")
            text.indented { text in
                text.block("List") { text in text.line("ForEach(items) { row($0) }") }
            }
            text.line("}")
        case .detail(let type):
            text.line("AsyncContentView(screen.detail) { value in")
            text.indented { text in
                text.block("List") { text in values(of: type, &text) }
            }
            text.line("}")
        }
        text.line(".navigationTitle(\(SwiftLiteral.string(title)))")
    }

    private func values(of type: SwiftType, _ text: inout SourceText) {
        let properties = plan.index.structure(type)?.properties ?? []
        let shown = properties.filter { Self.isShown($0.type.unwrapped) }.prefix(Self.rowLimit)
        for property in shown {
            let title = SwiftName.words(of: property.key).joined(separator: " ")
            let label = title.prefix(1).uppercased() + title.dropFirst()
            text.line("row(\(SwiftLiteral.string(label)), value.\(SwiftLiteral.identifier(property.name)))")
        }
        if shown.isEmpty { text.line("row(\"Value\", String(describing: value))") }
    }

    private func row(_ screen: ScreenPlan, _ text: inout SourceText) {
        guard let item = screen.item else {
            text.block("private func row(_ title: String, _ value: (some CustomStringConvertible)?) -> some View") {
                text in
                text.block("VStack(alignment: .leading)") { text in
                    text.line("Text(title).font(.caption)")
                    text.line("Text(value?.description ?? \"–\")")
                }
            }
            return
        }
        text.block("private func row(_ item: \(item.text)) -> some View") { text in
            text.line("Text(\(title(of: item)))")
        }
    }

    /// An expression for the text of a row: the property that a person would look for.
    private func title(of item: SwiftType) -> String {
        let properties = plan.index.structure(item)?.properties ?? []
        let names = ["name", "title", "displayName", "label", "subject", "summary", "text", "message", "description"]
        for name in names {
            guard let property = properties.first(where: { $0.name == name && $0.type.unwrapped == .string }) else {
                continue
            }
            return "item.\(SwiftLiteral.identifier(name))" + (property.type.isOptional ? " ?? \"–\"" : "")
        }
        return "String(describing: item.id)"
    }

    private static func isShown(_ type: SwiftType) -> Bool {
        switch type {
        case .builtin(let name): name != "Data" && name != "JSONValue"
        case .open: true
        default: false
        }
    }
}

extension ScreenPlan {
    /// The type of a row; `nil` for a detail.
    var item: SwiftType? {
        switch content {
        case .pages(let paged): paged.item
        case .list(let item): item
        case .detail: nil
        }
    }
}
