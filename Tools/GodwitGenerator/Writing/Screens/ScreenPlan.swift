/// A screen that shows the result of an operation: a list or a detail.
struct ScreenPlan: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        /// A list that loads page by page.
        case pages(PagedOperation)
        /// A list that loads at once, with the path of properties to its elements in an expression.
        case list(item: SwiftType)
        case detail(SwiftType)
    }

    /// `ArticlesScreen`, of `listArticles`.
    let name: String
    let operation: OperationPlan
    let content: Content

    var viewName: String { String(name.dropLast("Screen".count)) + "View" }

    /// The screens of an API, in document order.
    static func all(of plan: ClientPlan, options: GeneratorOptions) -> [ScreenPlan] {
        let index = plan.index
        let pages = PagesWriter(plan: plan, options: options).operations
        var names = NameTable.types(plan.models.map(\.name.text))
        return plan.operations.compactMap { operation in
            guard operation.method == "GET", let content = content(of: operation, pages, index) else { return nil }
            return ScreenPlan(name: name(of: operation, &names), operation: operation, content: content)
        }
    }

    private static func content(
        of operation: OperationPlan, _ pages: [PagedOperation], _ index: ModelIndex
    ) -> Content? {
        guard case .json(let type) = operation.response else { return nil }
        if let paged = pages.first(where: { $0.operation.name == operation.name }),
            index.structure(paged.item)?.identifier != nil
        {
            return .pages(paged)
        }
        if case .array(let item) = index.resolved(type) {
            return index.structure(item)?.identifier == nil ? nil : .list(item: item)
        }
        return index.structure(type) == nil ? nil : .detail(type)
    }

    /// `articlesScreen` for `listArticles`, with a number if there are several.
    private static func name(of operation: OperationPlan, _ names: inout NameTable) -> String {
        let verb = ["list", "get", "fetch", "find", "read", "retrieve"].first { verb in
            operation.name.hasPrefix(verb) && operation.name.dropFirst(verb.count).first?.isUppercase == true
        }
        let rest = operation.name.dropFirst(verb?.count ?? 0)
        let base = rest.prefix(1).uppercased() + rest.dropFirst()
        var candidate = base
        // The screen and its view both need the name. Ends: there are fewer names than numbers.
        for number in 2... {
            if names.isFree(candidate + "Screen"), names.isFree(candidate + "View") { break }
            candidate = base + "\(number)"
        }
        _ = names.take(candidate + "View")
        return names.take(candidate + "Screen")
    }
}
