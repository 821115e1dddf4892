/// What a page of a list has: its elements, and what leads to the next page.
struct PageShape {
    /// The name of an optional property `items`: pages have one that isn't optional.
    static let renamedItems = "pageItems"

    private let index: ModelIndex
    /// The path of properties to the elements; empty for an array.
    private(set) var items: [String] = []
    private(set) var item: SwiftType
    private var page: StructurePlan?

    /// `nil` if it isn't clear which elements are meant.
    init?(of type: SwiftType, _ index: ModelIndex) {
        self.index = index
        if case .array(let item) = index.resolved(type) {
            guard !item.isOptional else { return nil }
            self.item = item
            return
        }
        guard let page = index.structure(type), let array = Self.array(in: page) else { return nil }
        (self.page, items, item) = (page, [array.name], array.item)
    }

    private static func array(in page: StructurePlan) -> (name: String, item: SwiftType)? {
        let arrays = page.properties.compactMap { property -> (name: String, item: SwiftType)? in
            guard case .array(let item) = property.type.unwrapped, !item.isOptional else { return nil }
            return (property.name, item)
        }
        let known = [
            "items", "data", "results", "entries", "records", "values", "content", "value", "members", renamedItems,
        ]
        return arrays.first { known.contains($0.name) } ?? (arrays.count == 1 ? arrays.first : nil)
    }

    /// The path to the cursor of the next page.
    var cursor: [String]? {
        path(
            to: [
                "nextCursor", "nextPageToken", "nextToken", "continuationToken", "endCursor", "cursor", "lastId",
                "next",
                "nextMarker", "marker", "nextPage", "nextPageCursor", "bookmark", "after", "lastEvaluatedKey",
            ], [.string])
    }

    /// The path to the URL of the next page.
    var url: [String]? {
        path(
            to: [
                "nextPageUri", "nextPageUrl", "nextUrl", "nextUri", "nextLink", "odataNextLink", "next", "nextHref",
            ], [.string, .builtin("URL")])
    }

    /// The property that identifies an element.
    var id: String? {
        let property = index.structure(item)?.properties.first { $0.name == "id" }
        return property?.type == .string ? property?.name : nil
    }

    /// Whether a page `$0` has another one after it, as an expression.
    var hasMore: String? {
        flag(["hasMore", "hasNext", "hasNextPage", "more"]).map { more in
            more.isOptional ? "$0.\(more.name) == true" : "$0.\(more.name)"
        }
    }

    /// Whether a page `$0` is the last one, as an expression.
    var isLast: String? {
        if let last = flag(["last", "isLast", "isLastPage", "lastPage"]) {
            return last.isOptional ? "$0.\(last.name) ?? $0.items.isEmpty" : "$0.\(last.name)"
        }
        return flag(["hasMore", "hasNext", "hasNextPage", "more"]).map { more in
            more.isOptional ? "$0.\(more.name).map { !$0 } ?? $0.items.isEmpty" : "!$0.\(more.name)"
        }
    }

    private func flag(_ names: [String]) -> (name: String, isOptional: Bool)? {
        let property = page?.properties.first { names.contains($0.name) && $0.type.unwrapped == .builtin("Bool") }
        return property.map { (SwiftLiteral.identifier($0.name), $0.type.isOptional) }
    }

    /// The path to the first of some properties, in the page or in an object that says where it is.
    private func path(to names: [String], _ types: Set<SwiftType>) -> [String]? {
        guard let page else { return nil }
        if let name = Self.property(of: page, names, types) { return [name] }
        let groups = [
            "meta", "pagination", "paging", "pageInfo", "cursors", "links", "responseMetadata", "page", "nextPage",
        ]
        for group in page.properties where groups.contains(group.name) {
            guard let inner = index.structure(group.type.unwrapped), let name = Self.property(of: inner, names, types)
            else { continue }
            return [group.name + (group.type.isOptional ? "?" : ""), name]
        }
        return nil
    }

    private static func property(of page: StructurePlan, _ names: [String], _ types: Set<SwiftType>) -> String? {
        names.first { name in
            page.properties.contains { $0.name == name && types.contains($0.type.unwrapped) }
        }
    }
}

extension TypePlanner {
    /// Renames a property `items` of a page that is optional; false if the page has none.
    mutating func renameOptionalItems(of page: SwiftType) -> Bool {
        guard case .model(let name) = index.resolved(page), case .structure(var plan) = models[name]?.kind,
            let place = plan.properties.firstIndex(where: { $0.name == "items" && $0.type.isOptional }),
            !plan.properties.contains(where: { $0.name == PageShape.renamedItems })
        else { return false }
        plan.properties[place].name = PageShape.renamedItems
        update(name, .structure(plan))
        return true
    }
}
