public import Godwit
public import GodwitUI
public import Observation

/// The first screen: all articles, loaded as they are scrolled, and a search by tag.
@Observable @MainActor
public final class ArticleListScreen {
    /// All articles.
    public let list: PageLoader<Article>

    /// The articles of a tag.
    public let search: SearchModel<[Article]>

    /// - Parameters:
    ///   - monitor: Reports when the network is available again.
    ///   - clock: Measures the pause after typing.
    public init(
        _ api: APIClient, monitor: (any PathMonitor)? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) {
        list = PageLoader(api.articlePages(), retryingWith: monitor)
        search = SearchModel(clock: clock) { tag in
            try await api.send(.articles(perPage: 100, tag: tag.lowercased())).items
        }
    }

    /// Whether the articles of a tag are shown instead of all.
    public var isSearching: Bool { !search.text.isEmpty }

    /// The message for a search without results; `nil` otherwise.
    public var searchMessage: String? {
        guard case .loaded(let articles) = search.state, articles.isEmpty else { return nil }
        return "No articles about “\(search.searchedText ?? "")”"
    }
}
