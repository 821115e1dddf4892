import GodwitCore

/// An element of a list, as the tests' servers give it out.
struct Row: Codable, Sendable, Identifiable, Equatable {
    let id: Int
}

/// A page of them that names the next one.
struct RowPage: Codable, Sendable, CursorPage {
    let items: [Row]
    let nextCursor: String?

    /// A page of the rows with these ids.
    init(_ ids: some Sequence<Int>, next: String?) {
        items = ids.map { Row(id: $0) }
        nextCursor = next
    }
}

extension Endpoint {
    static func rows(after cursor: String?) -> Endpoint<RowPage> { .get("rows", query: ["after": cursor]) }
}
