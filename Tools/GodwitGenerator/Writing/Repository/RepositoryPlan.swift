/// A protocol with the operations of an API, or of one of its catalogs.
struct RepositoryPlan: Sendable, Hashable {
    /// More operations than these are split by catalog.
    static let largestCount = 24

    /// `MuseumRepository`, or `TicketsRepository` of a catalog.
    var name: String
    var summary: String
    var methods: [RepositoryMethod]
    /// The folder of its files, with `/`; empty for none.
    var folder: String

    static func all(of plan: ClientPlan, options: GeneratorOptions) -> [RepositoryPlan] {
        let pages = PagesWriter(plan: plan, options: options).operations
        guard plan.operations.count > largestCount, plan.catalogs.count > 1 else {
            let methods = methods(of: plan.operations, pages)
            let summary = "The operations of \(plan.title)."
            guard !methods.isEmpty else { return [] }
            return [RepositoryPlan(name: "\(plan.name)Repository", summary: summary, methods: methods, folder: "")]
        }
        return plan.catalogs.filter { !$0.operations.isEmpty }.map { catalog in
            // A model can have the name.
            let isTaken = plan.models.contains { $0.name.text == catalog.name + "Repository" }
            return RepositoryPlan(
                name: "\(isTaken ? plan.name : "")\(catalog.name)Repository",
                summary: catalog.summary ?? "The operations about \(catalog.name).",
                methods: methods(of: catalog.operations, pages), folder: "Repositories/")
        }
    }

    private static func methods(of operations: [OperationPlan], _ pages: [PagedOperation]) -> [RepositoryMethod] {
        var taken = Set(operations.map(\.name))
        return operations.flatMap { operation in
            var methods = [RepositoryMethod(OperationCall(operation))]
            if let paged = pages.first(where: { $0.operation.name == operation.name }) {
                var name = allName(operation.name)
                while !taken.insert(name).inserted { name += "Items" }
                methods.append(RepositoryMethod(paged, named: name))
            }
            return methods
        }
    }

    /// `allArticles` for `articles` and `listArticles`.
    private static func allName(_ name: String) -> String {
        let verb = ["list", "get", "fetch", "find"].first { verb in
            name.hasPrefix(verb) && name.dropFirst(verb.count).first?.isUppercase == true
        }
        let rest = name.dropFirst(verb?.count ?? 0)
        return "all" + rest.prefix(1).uppercased() + rest.dropFirst()
    }

    /// The name of a mock's closure for a method.
    func closureName(of method: RepositoryMethod) -> String {
        let name = "on" + method.name.prefix(1).uppercased() + method.name.dropFirst()
        return methods.contains { $0.name == name } ? name + "Called" : name
    }
}
