public import Godwit

nonisolated extension Page: ElementPage {
    /// Whether this is the last page.
    public var isLast: Bool { page * perPage >= total }
}

extension APIClient {
    /// All articles, newest first.
    public func newestArticles(limit: Int = 20) -> Pages<ArticlePart> {
        pages(.cursor { .articles(after: $0, limit: limit) })
    }

    /// All articles, page by page.
    public func articlePages(perPage: Int = 20) -> Pages<Page<Article>> {
        pages(.numbers(until: { $0.isLast }) { .articles(page: $0, perPage: perPage) })
    }
}
