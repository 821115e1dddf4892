/// Writes `APIClient+Pages.swift`: the lists of an API as asynchronous sequences of pages.
struct PagesWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package

    private var access: String { options.accessPrefix }

    /// In document order.
    var operations: [PagedOperation] {
        let index = plan.index
        var elements: [SwiftType: PagedOperation.Elements?] = [:]
        return plan.operations.compactMap { operation in
            guard let paged = PagedOperation(operation, in: index) else { return nil }
            // A type conforms once.
            let known = elements[paged.page] ?? paged.elements
            elements[paged.page] = known
            return known == paged.elements ? paged : nil
        }
    }

    var files: [GeneratedFile] {
        let operations = operations
        guard !operations.isEmpty else { return [] }
        var text = SourceText()
        text.line(options.importLine("Godwit"))
        text.line()
        text.line("// Lists as sequences, which load a page when a loop needs it.")
        text.block("nonisolated extension APIClient") { text in
            for operation in operations {
                text.space()
                method(operation, &text)
            }
        }
        var conforming: Set<SwiftType> = []
        for operation in operations where conforming.insert(operation.page).inserted {
            conformance(operation, &text)
        }
        return [GeneratedFile(path: layout.source("APIClient+Pages.swift", in: plan), text: text.text)]
    }

    var notes: [Note] {
        let written = Set(operations.map(\.operation.name))
        return plan.operations.compactMap { operation in
            guard let paging = operation.paging else { return nil }
            guard written.contains(operation.name) else {
                return Note(
                    .omission, "The pages of `\(operation.name)` aren't a sequence: call it once for each page",
                    at: operation.source.place)
            }
            return Note(.guess, paging.reason, at: operation.source.place)
        }
    }

    private func method(_ operation: PagedOperation, _ text: inout SourceText) {
        let summary = operation.operation.summary ?? "All pages of ``Endpoint/\(operation.operation.name)``."
        text.doc(summary)
        if operation.operation.isDeprecated { text.docDeprecation(after: summary) }
        text.list(
            "\(access)func \(operation.name)(", operation.arguments.map(\.declarationWithDefault),
            ") -> Pages<\(operation.page.text)> {")
        text.indented { text in body(operation, &text) }
        text.line("}")
    }

    private func body(_ operation: PagedOperation, _ text: inout SourceText) {
        let call = OperationCall(operation.operation)
        // An argument can have the name of the method.
        let pages = operation.arguments.contains { $0.name == "pages" } ? "self.pages" : "pages"
        switch operation.paging {
        case .links:
            let items = call.items { SwiftLiteral.identifier($0.name) }
            guard !items.isEmpty else { return text.line("\(pages)(.links(from: \(call.head)))") }
            text.call("\(pages)(.links(from: \(call.head)(", items, ")))")
        case .urls(let next):
            let items = call.items { SwiftLiteral.identifier($0.name) }
            let endpoint = call.head + (items.isEmpty ? "" : "(\(items.joined(separator: ", ")))")
            text.line("\(pages)(")
            text.indented { $0.wrapped(".urls(from: \(endpoint), next: { \(next) }))") }
        case .closure(let head, let parameter):
            let page = operation.arguments.contains { $0.name == "page" } ? "place" : "page"
            let items = call.items { $0.name == parameter ? page : SwiftLiteral.identifier($0.name) }
            text.line("\(pages)(")
            text.indented { text in
                text.line("\(head) { \(page) in")
                text.indented { text in text.call("\(call.head)(", items, ")") }
                text.line("})")
            }
        }
    }

    private func conformance(_ operation: PagedOperation, _ text: inout SourceText) {
        switch operation.elements {
        case nil: break
        case .property:
            text.line()
            text.line("nonisolated extension \(operation.page.text): ElementPage {}")
        case .expression(let expression):
            text.line()
            text.block("nonisolated extension \(operation.page.text): ElementPage") { text in
                text.line("\(access)var items: [\(operation.item.text)] { \(expression) }")
            }
        }
    }
}
