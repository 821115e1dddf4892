public import Godwit

/// A page of a list.
nonisolated public struct Page<Item: Decodable & Sendable>: Decodable, Sendable {
    public let items: [Item]
    public let page: Int
    public let perPage: Int
    public let total: Int
}

nonisolated extension Page: Encodable where Item: Encodable {}

nonisolated extension Page: ElementPage {
    /// Whether this is the last page.
    public var isLast: Bool { page * perPage >= total }
}

/// The articles after a cursor, newest first.
nonisolated public struct ArticleBatch: Codable, Sendable, CursorPage {
    public let items: [Article]
    public let nextCursor: String?
    public let total: Int
}

extension APIClient {
    /// All articles, newest first.
    public func newestArticles(limit: Int = 20) -> Pages<ArticleBatch> {
        pages(.cursor { .articles(after: $0, limit: limit) })
    }
}

/// A page of comments; in an extension of `Paging`, `Page` is another type.
public typealias CommentPage = Page<Comment>

nonisolated extension Paging where Page == CommentPage {
    /// The comments on an article, oldest first.
    public static func comments(on id: Article.ID) -> Self {
        .numbers(until: { $0.isLast }) { .comments(on: id, page: $0) }
    }
}
