public import Godwit
public import GodwitUI
public import Observation

/// An article with its author and comments, and what can be done with it.
@Observable @MainActor
public final class ArticleScreen {
    public let id: Int

    /// The article with all that is shown around it.
    public let reading: Loader<ArticleRepository.Reading>

    /// Removes the article.
    public let removal: ActionModel<Void, Void>

    @ObservationIgnored private let api: APIClient

    /// - Parameter monitor: Knows when the network is back.
    public init(_ api: APIClient, id: Int, monitor: (any PathMonitor)? = nil) {
        self.api = api
        self.id = id
        let articles = ArticleRepository(api)
        reading = Loader(retryingWith: monitor) { try await articles.reading(id) }
        removal = ActionModel { try await articles.remove(id) }
    }

    /// Whether the article is gone, and the screen with it.
    public var isRemoved: Bool { removal.state.isLoaded }

    /// A screen to change the article on; nil before it is there.
    public func editor() -> EditorScreen? {
        reading.value.map { EditorScreen(api, changing: $0.article) }
    }
}
