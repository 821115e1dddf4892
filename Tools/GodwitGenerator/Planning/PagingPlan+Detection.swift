extension PagingPlan {
    /// The paging of a list operation; `nil` if it isn't recognized.
    init?(of operation: OperationPlan, _ index: ModelIndex) {
        guard operation.method == "GET", case .json(let type) = operation.response, !type.isOptional,
            let list = PageShape(of: type, index), let found = Self.kind(of: operation, list)
        else { return nil }
        self.init(
            kind: found.kind, items: list.items, item: list.item,
            reason: "`\(operation.name)` has pages: " + found.reason)
    }

    private static func kind(of operation: OperationPlan, _ list: PageShape) -> (kind: Kind, reason: String)? {
        cursor(of: operation, list) ?? lastElement(of: operation, list) ?? urls(list) ?? numbers(of: operation, list)
            ?? offsets(of: operation) ?? links(of: operation)
    }

    /// A parameter of the query. Only a cursor may be required: the document can't mean that of the first page.
    private static func parameter(
        of operation: OperationPlan, _ names: Set<String>, _ types: Set<SwiftType>, isOptional: Bool = true
    ) -> ParameterPlan? {
        operation.parameters.first { parameter in
            let key = parameter.key.lowercased().filter { $0.isLetter }
            return parameter.location == .query && names.contains(key) && types.contains(parameter.type.unwrapped)
                && (parameter.type.isOptional || !isOptional)
        }
    }

    private static func cursor(of operation: OperationPlan, _ list: PageShape) -> (kind: Kind, reason: String)? {
        guard let cursor = parameter(of: operation, cursorNames, [.string], isOptional: false),
            let next = list.cursor(for: cursor.name)
        else { return nil }
        let path = next.map { $0.replacing("?", with: "") }.joined(separator: ".")
        return (
            .cursor(parameter: cursor.name, next: next),
            "its parameter `\(cursor.key)` takes `\(path)` of the page before"
        )
    }

    private static func lastElement(of operation: OperationPlan, _ list: PageShape) -> (kind: Kind, reason: String)? {
        guard let id = list.id, let hasMore = list.hasMore,
            let cursor = parameter(of: operation, ["startingafter", "after", "afterid", "sinceid"], [.string])
        else { return nil }
        return (
            .lastElement(parameter: cursor.name, id: id, hasMore: hasMore),
            "its parameter `\(cursor.key)` takes `\(id)` of the last element"
        )
    }

    private static func urls(_ list: PageShape) -> (kind: Kind, reason: String)? {
        guard let next = list.url else { return nil }
        let path = next.map { $0.replacing("?", with: "") }.joined(separator: ".")
        return (.urls(next: next), "`\(path)` is the URL of the next one")
    }

    private static func numbers(of operation: OperationPlan, _ list: PageShape) -> (kind: Kind, reason: String)? {
        let names: Set<String> = ["page", "pagenumber", "pageindex", "pageno", "pagenum"]
        guard let page = parameter(of: operation, names, [.integer, .builtin("Int64")]), page.type.unwrapped == .integer
        else { return nil }
        let first = operation.source.parameters.first { $0.name == page.key }?.schema.defaultValue?.integer
        return (
            .numbers(parameter: page.name, first: first, until: list.isLast),
            "its parameter `\(page.key)` is a number"
        )
    }

    private static func offsets(of operation: OperationPlan) -> (kind: Kind, reason: String)? {
        guard let offset = parameter(of: operation, ["offset", "skip", "start", "startindex", "startat"], [.integer])
        else { return nil }
        let limits: Set<String> = ["limit", "count", "take", "pagesize", "perpage", "size", "maxresults", "top"]
        return (
            .offsets(offset: offset.name, limit: parameter(of: operation, limits, [.integer])?.name),
            "its parameter `\(offset.key)` is the number of elements to skip"
        )
    }

    private static func links(of operation: OperationPlan) -> (kind: Kind, reason: String)? {
        let headers = operation.source.successes.flatMap(\.headers)
        guard headers.contains(where: { $0.name.lowercased() == "link" }) else { return nil }
        return (.links, "its response has a `Link` field")
    }

    /// In lower case, letters only.
    private static let cursorNames: Set<String> = [
        "cursor", "after", "pagetoken", "startingafter", "nexttoken", "continuation", "continuationtoken", "next",
        "startcursor", "marker", "pagecursor", "aftercursor", "nextcursor", "nextpagetoken", "bookmark", "startkey",
    ]
}
