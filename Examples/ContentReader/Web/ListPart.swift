import ContentReaderKit
import Godwit
import GodwitUI

/// The list, as a change of the one sent before: `rows` follow the first `keep` rows.
struct ListPart: Encodable {
    struct Row: Encodable {
        let id: Int
        let title: String
        let tags: [String]
        let change: String?
    }

    let keep: Int
    let rows: [Row]
    let isLoading: Bool
    let isRefreshing: Bool
    let isStale: Bool
    let hasMore: Bool
    let error: String?
    let search: String
    let searchMessage: String?
    let isSearching: Bool

    /// - Parameters:
    ///   - articles: The articles to show.
    ///   - former: Those sent before.
    @MainActor init(_ screen: ArticleListScreen, _ articles: [Shown], after former: [Shown]) {
        keep = zip(articles, former).prefix { $0 == $1 }.count
        rows = articles.dropFirst(keep).map {
            Row(id: $0.article.id, title: $0.article.title, tags: $0.article.tags, change: $0.change.map { "\($0)" })
        }
        isSearching = screen.isSearching
        isLoading = screen.isSearching ? screen.search.state.isLoading : screen.list.isLoading
        isRefreshing = if case .refreshing = screen.list.state { true } else { false }
        isStale = screen.list.isStale && !screen.isSearching
        hasMore = screen.list.hasMore && !screen.isSearching
        error = (screen.isSearching ? screen.search.state.error : screen.list.error)?.userMessage
        search = screen.search.text
        searchMessage = screen.searchMessage
    }

    /// An article, and how far its change is.
    struct Shown: Equatable {
        let article: Article
        let change: OutboxItem.State?
    }
}

extension Reader {
    /// The articles of the list.
    var shownArticles: [ListPart.Shown] {
        let changes = Dictionary(changes.map { ($0.articleID, $0.state) }) { first, _ in first }
        return list.articles.map { ListPart.Shown(article: $0, change: changes[$0.id]) }
    }
}
