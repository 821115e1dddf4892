/// An operation whose pages follow each other in a way that the library has.
struct PagedOperation: Sendable, Hashable {
    let operation: OperationPlan
    /// The name of the method that returns the pages: `articlesPages`.
    let name: String
    /// Those of the operation without the one that selects the page.
    let arguments: [Argument]
    let page: SwiftType
    let item: SwiftType
    /// How the elements are read from a page; `nil` if the page is an array.
    let elements: Elements?
    /// The argument of `pages(_:)`.
    let paging: Paging

    enum Elements: Sendable, Hashable {
        /// The page has a property `items`.
        case property
        /// An expression for `items`.
        case expression(String)
    }

    enum Paging: Sendable, Hashable {
        /// A factory with a closure that gets the value of a parameter: `.numbers(from: 0)`.
        case closure(head: String, parameter: String)
        case links
        /// An expression for the URL of the page after `$0`.
        case urls(String)
    }

    init?(_ operation: OperationPlan, in index: ModelIndex) {
        guard let plan = operation.paging, case .json(let page) = operation.response else { return nil }
        let call = OperationCall(operation)
        guard let elements = Self.elements(of: page, plan, in: index),
            let paging = Self.paging(plan, call, page, in: index)
        else { return nil }
        let selected: String? = if case .closure(_, let parameter) = paging { parameter } else { nil }
        self.operation = operation
        name = operation.name + "Pages"
        arguments = call.arguments.filter { $0.name != selected }
        self.page = page
        item = plan.item
        self.elements = elements.first
        self.paging = paging
    }

    /// No element for an array, one for a type that needs a conformance; `nil` if the elements can't be reached.
    private static func elements(of page: SwiftType, _ plan: PagingPlan, in index: ModelIndex) -> [Elements]? {
        if case .array = index.resolved(page) { return plan.items.isEmpty ? [] : nil }
        guard let structure = index.structure(page), let member = index.member(plan.items, of: page, in: ""),
            case .array(plan.item) = member.type.unwrapped, !plan.items.isEmpty
        else { return nil }
        if plan.items == ["items"], !member.type.isOptional { return [.property] }
        guard !structure.properties.contains(where: { $0.name == "items" }) else { return nil }
        return [.expression(member.expression.dropFirst() + (member.type.isOptional ? " ?? []" : ""))]
    }

    private static func paging(
        _ plan: PagingPlan, _ call: OperationCall, _ page: SwiftType, in index: ModelIndex
    ) -> Paging? {
        func argument(_ name: String, _ type: SwiftType) -> Argument? {
            call.arguments.first { $0.name == name && $0.type.unwrapped == type }
        }
        switch plan.kind {
        case .links: return .links
        case .urls(let next):
            guard let member = index.member(next, of: page, in: "$0") else { return nil }
            guard member.type.unwrapped == .builtin("URL") else { return .urls(member.expression) }
            return .urls(member.expression + (member.type.isOptional ? "?" : "") + ".absoluteString")
        case .numbers(let name, let first, let until):
            guard let argument = argument(name, .integer) else { return nil }
            let start = first ?? argument.defaultValue.flatMap { Int($0) } ?? 1
            let items = (start == 1 ? [] : ["from: \(start)"]) + (until.map { ["until: { \($0) }"] } ?? [])
            return .closure(
                head: ".numbers" + (items.isEmpty ? "" : "(\(items.joined(separator: ", ")))"), parameter: name)
        case .lastElement(let name, let id, let hasMore):
            guard let argument = argument(name, .string), argument.type.isOptional,
                let member = index.member(plan.items, of: page, in: "$0")
            else { return nil }
            let last = member.expression + (member.type.isOptional ? "?" : "") + ".last?.\(SwiftLiteral.identifier(id))"
            return .closure(head: ".cursor(next: { \(hasMore) ? \(last) : nil })", parameter: name)
        case .offsets(let name, let limit):
            guard argument(name, .integer) != nil else { return nil }
            let count = limit.flatMap { argument($0, .integer) }
            let size = count.map { SwiftLiteral.identifier($0.name) + ($0.type.isOptional ? " ?? 1" : "") } ?? "1"
            return .closure(head: ".offsets(limit: \(size))", parameter: name)
        case .cursor(let name, let next):
            guard let argument = argument(name, .string), argument.type.isOptional,
                let member = index.member(next, of: page, in: "$0"), member.type.unwrapped == .string
            else { return nil }
            return .closure(head: ".cursor(next: { \(member.expression) })", parameter: name)
        }
    }
}
