public import Godwit
public import GodwitUI
public import Observation

/// An article with its author and comments, and its actions.
@Observable @MainActor
public final class ArticleScreen {
    public let id: Int

    /// The article with its author and comments.
    public let reading: Loader<ArticleRepository.Reading>

    /// Removes the article.
    public let removal: ActionModel<Void, Void>

    @ObservationIgnored private let api: APIClient

    /// - Parameter monitor: Reports when the network is available again.
    public init(_ api: APIClient, id: Int, monitor: (any PathMonitor)? = nil) {
        self.api = api
        self.id = id
        let articles = ArticleRepository(api)
        reading = Loader(retryingWith: monitor) { try await articles.reading(id) }
        removal = ActionModel { try await articles.remove(id) }
    }

    /// Whether the article was removed, which closes the screen.
    public var isRemoved: Bool { removal.state.isLoaded }

    /// A screen that edits the article; `nil` before it is loaded.
    public func editor() -> EditorScreen? {
        reading.value.map { EditorScreen(api, changing: $0.article) }
    }
}
