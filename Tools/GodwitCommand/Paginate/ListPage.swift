import Godwit

/// A page of a list as `paginate` prints it.
struct ListPage: ElementPage, Sendable {
    let items: [OrderedJSON]
    let whole: OrderedJSON
    /// The URL or the cursor of the next page; `nil` at the end.
    let next: String?
    /// Whether the page says how the list continues, or that it ends.
    let namesNext: Bool

    private static let nextURLs = [
        MemberPath(names: "next"), MemberPath(names: "links", "next"), MemberPath(names: "_links", "next"),
        MemberPath(names: "@odata.nextLink"), MemberPath(names: "nextLink"), MemberPath(names: "next_url"),
        MemberPath(names: "next_page_url"), MemberPath(names: "paging", "next"), MemberPath(names: "info", "next"),
        MemberPath(names: "pagination", "next"), MemberPath(names: "pagination", "next_url"),
        MemberPath(names: "meta", "next"),
    ]
    private static let cursors = [
        MemberPath(names: "nextCursor"), MemberPath(names: "next_cursor"), MemberPath(names: "nextPageToken"),
        MemberPath(names: "next_page_token"), MemberPath(names: "meta", "next_cursor"),
        MemberPath(names: "pagination", "next_cursor"), MemberPath(names: "response_metadata", "next_cursor"),
        MemberPath(names: "paging", "cursors", "after"), MemberPath(names: "meta", "cursor", "next"),
        MemberPath(names: "cursor"), MemberPath(names: "next"),
    ]
    private static let usualItems = ["items", "data", "results", "value", "records", "entries", "rows", "list"]

    init(_ data: Data, _ head: HTTPResponseHead, _ arguments: PageArguments) throws(NetworkError) {
        let root: JSONElement
        do throws(JSONSyntaxError) {
            root = try JSONDocument(parsing: data).root
        } catch {
            throw Self.fault("the page is not JSON: \(error)")
        }
        whole = OrderedJSON(root)
        items = try Self.items(root, arguments)
        (next, namesNext) = try Self.next(root, head, arguments)
    }

    private static func items(_ root: JSONElement, _ arguments: PageArguments) throws(NetworkError) -> [OrderedJSON] {
        if let path = arguments.items {
            guard let array = path.find(in: root), array.kind == .array else {
                throw fault("the page has no array at \(path.text)")
            }
            return array.elements.map(OrderedJSON.init)
        }
        if root.kind == .array { return root.elements.map(OrderedJSON.init) }
        let arrays = root.members.filter { $0.value.kind == .array }
        let usual = usualItems.lazy.compactMap { name in arrays.first { $0.key == name } }.first
        if let array = arrays.count == 1 ? arrays.first : usual { return array.value.elements.map(OrderedJSON.init) }
        if arguments.printsPages { return [] }
        let names = arrays.prefix(5).map { TerminalText.escaped(".\($0.key)") }.joined(separator: ", ")
        throw fault(
            "where the elements are is not clear; write --items .PATH"
                + (names.isEmpty ? "; the body has no array at its top" : "; the body has \(names)"))
    }

    private static func next(
        _ root: JSONElement, _ head: HTTPResponseHead, _ arguments: PageArguments
    ) throws(NetworkError) -> (String?, Bool) {
        let isCursor: Bool
        switch arguments.way {
        case .numbers, .offsets: return (nil, true)
        case .cursor: isCursor = true
        case .links: isCursor = false
        }
        if let path = arguments.next {
            let found = path.find(in: root)
            return (found.flatMap { isCursor ? cursor($0) : $0.string }, true)
        }
        if !isCursor, let link = head.fields.link(rel: "next") { return (link.target, true) }
        let places = (isCursor ? cursors : nextURLs).compactMap { $0.find(in: root) }
        let found = places.lazy.compactMap { isCursor ? cursor($0) : url($0) }.first
        return (found, !places.isEmpty || head.fields.contains(.link))
    }

    /// A text, or a number as it is spelled.
    private static func cursor(_ value: JSONElement) -> String? {
        let text = value.kind == .number ? String(decoding: value.source, as: UTF8.self) : value.string
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A URL or an absolute path, also as `{"href": …}`. Any other text under these names is not followed.
    private static func url(_ value: JSONElement) -> String? {
        guard let text = value.string ?? value["href"]?.string else { return nil }
        return text.hasPrefix("/") || text.hasPrefix("?") || text.contains("://") ? text : nil
    }

    private static func fault(_ reason: String) -> NetworkError {
        NetworkError(.invalidResponse(reason: reason), phase: .validating)
    }
}
