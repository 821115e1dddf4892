public import Godwit
public import GodwitUI
public import Observation

/// The first screen: all articles, newest first, loaded as they are scrolled, and a search.
@Observable @MainActor
public final class ArticleListScreen {
    /// All articles.
    public let list: PageLoader<Article>

    /// The articles that a text is found in.
    public let search: SearchModel<[Article]>

    @ObservationIgnored private let edits: ArticleEdits

    /// - Parameters:
    ///   - monitor: Reports when the network is available again.
    ///   - clock: Measures the pause after typing.
    public init(
        _ api: APIClient, edits: ArticleEdits, monitor: (any PathMonitor)? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.edits = edits
        list = PageLoader(api.newestArticles(), retryingWith: monitor)
        search = SearchModel(clock: clock) { text in try await api.send(.search(text)) }
    }

    /// The articles with the user's changes: those found, or all.
    public var articles: [Article] {
        edits.applied(to: isSearching ? search.value ?? [] : list.items)
    }

    /// Whether the found articles are shown instead of all.
    public var isSearching: Bool { !search.text.isEmpty }

    /// The message for a search without results; `nil` otherwise.
    public var searchMessage: String? {
        guard case .loaded(let articles) = search.state, articles.isEmpty else { return nil }
        return "No articles about “\(search.searchedText ?? "")”"
    }
}
