import Godwit

// snippet: cursor-page
struct ArticlePage: Decodable, CursorPage {
    let items: [Article]
    let nextCursor: String?
}
// end

extension Endpoint {
    fileprivate static func articles(after cursor: String?) -> Endpoint<ArticlePage> {
        .get("articles", query: ["after": cursor])
    }

    fileprivate static func articles(offset: Int, limit: Int) -> Endpoint<[Article]> {
        .get("articles", query: ["offset": offset, "limit": limit])
    }
}

enum PaginationSnippets {
    static func paging(_ api: APIClient) async throws {
        // snippet: paging
        for try await article in api.pages(.cursor { .articles(after: $0) }).elements { print(article.title) }
        for try await page in api.pages(.numbers { .articles(page: $0) }) { print(page.count) }
        for try await article in api.pages(.offsets(limit: 50) { .articles(offset: $0, limit: 50) }).elements {
            print(article)
        }
        for try await article in api.pages(.links(from: .articles(page: 1))).elements { print(article) }
        // end
    }
}
