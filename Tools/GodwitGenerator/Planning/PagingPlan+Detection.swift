extension PagingPlan {
    /// The paging of a list operation; `nil` if it isn't recognized.
    init?(of operation: OperationPlan, _ models: [TypeName: ModelPlan]) {
        guard operation.method == "GET", case .json(let type) = operation.response,
            let list = Self.list(in: type.unwrapped, models)
        else { return nil }
        let query = operation.parameters.filter { $0.location == .query && $0.type.isOptional }
        guard let found = Self.kind(query, list.next, operation) else { return nil }
        self.init(kind: found.kind, items: list.items, item: list.item, reason: found.reason)
    }

    private static func kind(
        _ query: [ParameterPlan], _ next: [String]?, _ operation: OperationPlan
    ) -> (kind: Kind, reason: String)? {
        func parameter(_ names: Set<String>, _ types: Set<SwiftType>) -> ParameterPlan? {
            query.first { names.contains($0.key.lowercased()) && types.contains($0.type.unwrapped) }
        }
        let name = "`\(operation.name)`"
        if let next, let cursor = parameter(cursorNames, [.string]) {
            return (
                .cursor(parameter: cursor.name, next: next),
                "\(name) has pages: its parameter `\(cursor.key)` takes `\(next.joined(separator: "."))` of the page before"
            )
        }
        let integers: Set<SwiftType> = [.integer, .builtin("Int64")]
        if let page = parameter(["page", "page_number", "pagenumber", "page_index"], [.integer]) {
            return (.numbers(parameter: page.name), "\(name) has pages: its parameter `\(page.key)` is a number")
        }
        if let offset = parameter(["offset", "skip", "start"], integers), offset.type.unwrapped == .integer {
            let limit = parameter(["limit", "count", "take", "page_size", "per_page"], [.integer])
            return (
                .offsets(offset: offset.name, limit: limit?.name),
                "\(name) has pages: its parameter `\(offset.key)` is the number of elements to skip"
            )
        }
        let headers = operation.source.responses.filter(\.isSuccess).flatMap(\.headers)
        guard headers.contains(where: { $0.name.lowercased() == "link" }) else { return nil }
        return (.links, "\(name) has pages: its response has a `Link` field")
    }

    private static let cursorNames: Set<String> = [
        "cursor", "after", "page_token", "pagetoken", "starting_after", "next_token", "nexttoken", "continuation",
        "continuation_token", "next", "start_cursor", "marker",
    ]

    /// The elements of a list, and the path to the cursor of the next page.
    private static func list(
        in type: SwiftType, _ models: [TypeName: ModelPlan]
    ) -> (items: [String], item: SwiftType, next: [String]?)? {
        if case .array(let item) = type { return item.isOptional ? nil : ([], item, nil) }
        guard case .model(let name) = type, case .structure(let plan) = models[name]?.kind else { return nil }
        let arrays = plan.properties.compactMap { property -> (String, SwiftType)? in
            guard case .array(let item) = property.type, !item.isOptional else { return nil }
            return (property.name, item)
        }
        let known = ["items", "data", "results", "entries", "records", "values", "content"]
        guard let array = arrays.first(where: { known.contains($0.0) }) ?? (arrays.count == 1 ? arrays.first : nil)
        else { return nil }
        return ([array.0], array.1, next(in: plan, models, depth: 0))
    }

    private static func next(in plan: StructurePlan, _ models: [TypeName: ModelPlan], depth: Int) -> [String]? {
        let names: Set<String> = [
            "nextCursor", "nextPageToken", "nextToken", "continuationToken", "endCursor", "cursor", "lastId", "next",
        ]
        if let property = plan.properties.first(where: { names.contains($0.name) && $0.type.unwrapped == .string }) {
            return [property.name]
        }
        guard depth < 1 else { return nil }
        for property in plan.properties {
            let groups = ["meta", "pagination", "paging", "pageInfo", "cursors", "links"]
            guard groups.contains(property.name), case .model(let name) = property.type.unwrapped,
                case .structure(let inner) = models[name]?.kind,
                let path = next(in: inner, models, depth: depth + 1)
            else { continue }
            return [property.name + (property.type.isOptional ? "?" : "")] + path
        }
        return nil
    }
}
