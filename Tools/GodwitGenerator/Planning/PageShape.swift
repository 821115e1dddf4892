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
        self.page = page
        items = [array.name]
        item = array.item
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

    /// The path to the cursor of the next page: a member that says so, then one named like the parameter that takes it.
    ///
    /// A URL isn't a cursor: it is followed as it is.
    func cursor(for parameter: String) -> [String]? {
        let next = "next" + parameter.prefix(1).uppercased() + parameter.dropFirst()
        return path(to: ["nextCursor", "nextPageToken", "nextToken", "nextMarker", "nextPageCursor", next]) {
            $0.isCursor
        } ?? path(to: [parameter]) { $0.isCursor }
            ?? path(
                to: [
                    "continuationToken", "endCursor", "cursor", "lastId", "next", "marker", "nextPage", "bookmark",
                    "after",
                    "lastEvaluatedKey",
                ]) { $0.isCursor }
    }

    /// The path to the URL of the next page.
    var url: [String]? {
        path(
            to: [
                "nextPageUri", "nextPageUrl", "nextUrl", "nextUri", "nextLink", "odataNextLink", "next", "nextHref",
            ]) { [.string, .builtin("URL")].contains($0.type.unwrapped) }
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

    /// The path to the first of some properties that fits, in the page or in an object that says where it is.
    private func path(to names: [String], where fits: (PropertyPlan) -> Bool) -> [String]? {
        page.flatMap { path(to: names, in: $0, depth: 0, where: fits) }
    }

    private func path(
        to names: [String], in page: StructurePlan, depth: Int, where fits: (PropertyPlan) -> Bool
    ) -> [String]? {
        let found = names.first { name in page.properties.contains { $0.name == name && fits($0) } }
        if let found { return [found] }
        guard depth < 2 else { return nil }
        for group in page.properties where Self.groups.contains(group.name) {
            guard let inner = index.structure(group.type.unwrapped),
                let rest = path(to: names, in: inner, depth: depth + 1, where: fits)
            else { continue }
            return [group.name + (group.type.isOptional ? "?" : "")] + rest
        }
        return nil
    }

    /// Members that say where the page is.
    private static let groups: Set<String> = [
        "meta", "pagination", "paging", "pageInfo", "cursors", "links", "responseMetadata", "page", "nextPage",
    ]
}

extension PropertyPlan {
    /// Whether it can be a cursor: a text that its words don't call a URL.
    fileprivate var isCursor: Bool {
        guard type.unwrapped == .string else { return false }
        let words = Set((summary ?? "").lowercased().split { !$0.isLetter }.map(String.init))
        return words.isDisjoint(with: ["url", "uri", "href", "hyperlink", "https"])
            || !words.isDisjoint(with: ["cursor", "token", "marker"])
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
