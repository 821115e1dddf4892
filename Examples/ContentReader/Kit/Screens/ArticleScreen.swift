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

    @ObservationIgnored private let edits: ArticleEdits

    /// - Parameter monitor: Reports when the network is available again.
    public init(_ api: APIClient, id: Int, edits: ArticleEdits, monitor: (any PathMonitor)? = nil) {
        (self.id, self.edits) = (id, edits)
        let articles = ArticleRepository(api)
        reading = Loader(retryingWith: monitor) { try await articles.reading(id) }
        removal = ActionModel { try await edits.remove(id) }
    }

    /// The article with the user's changes.
    public var article: Article? { reading.value.map { edits.applied(to: $0.article) } }

    /// Whether a change waits for a network.
    public var isWaiting: Bool { edits.waiting.contains { $0.id == id } }

    /// The version of somebody else that is in the way of the user's.
    public var conflict: ArticleConflict? { edits.conflicts.first { $0.id == id } }

    /// Whether the article was removed, which closes the screen.
    public var isRemoved: Bool { removal.state.isLoaded }

    /// A screen that edits the article; `nil` before it is loaded.
    public func editor() -> EditorScreen? {
        guard let reading = reading.value, let article else { return nil }
        return EditorScreen(edits, changing: article, etag: reading.etag)
    }

    /// Resolves the conflict with one of the two versions, and reads the article again.
    public func resolve(_ choice: Choice) async {
        guard let conflict else { return }
        switch choice {
        case .theirs: edits.keepTheirs(conflict)
        // A failure shows as a new conflict, or leaves the server's version.
        case .mine: _ = try? await edits.keepMine(conflict)
        }
        await reading.refresh()
    }

    /// A version of an article.
    public enum Choice: String, Codable, Sendable {
        case mine, theirs
    }
}
