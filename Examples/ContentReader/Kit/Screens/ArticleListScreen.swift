import Godwit
public import GodwitUI

/// The first screen: all articles, newest first, loaded as they are scrolled, and a search.
@MainActor
public final class ArticleListScreen {
    /// All articles.
    public let list: PageLoader<Article>

    /// The newest articles that have each word of a text in their title, or as a tag.
    public let search: SearchModel<[Article]>

    /// - Parameter clock: Measures the pause after typing.
    public init(_ queries: QueryStore, clock: any Clock<Duration> = ContinuousClock()) {
        list = PageLoader(queries, .cursor { .articles(after: $0) })
        search = SearchModel(queries, clock: clock) { .search($0) }
    }

    /// The articles to show: those found, or all.
    public var articles: [Article] { isSearching ? search.value ?? [] : list.items }

    /// Whether the found articles are shown instead of all.
    public var isSearching: Bool { !search.text.allSatisfy(\.isWhitespace) }

    /// The text that nothing was found for; `nil` otherwise.
    public var nothingFound: String? {
        guard case .loaded = search.state, articles.isEmpty else { return nil }
        return search.searchedText
    }
}
