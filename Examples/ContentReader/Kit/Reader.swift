public import Godwit
public import GodwitUI
public import Observation

/// The state of the whole app: the account, the network, and the screens.
///
/// The views on Apple platforms and the web page show the same one.
@Observable @MainActor
public final class Reader {
    public let account: AccountScreen
    public let connectivity: ConnectivityModel
    public let edits: ArticleEdits
    public let list: ArticleListScreen

    /// The changes of all articles, as they happen.
    public let news: LiveFeed<ArticleNews>

    @ObservationIgnored public let api: APIClient
    @ObservationIgnored private let monitor: any PathMonitor

    /// - Parameters:
    ///   - api: A client with ``ClientConfiguration/reader(tokens:)``.
    ///   - monitor: Reports when the network is available again.
    public init(_ api: APIClient, monitor: any PathMonitor = SystemPathMonitor.shared) {
        (self.api, self.monitor) = (api, monitor)
        account = AccountScreen(api, monitor: monitor)
        connectivity = ConnectivityModel(monitor)
        edits = ArticleEdits(api, monitor: monitor)
        list = ArticleListScreen(api, edits: edits, monitor: monitor)
        news = LiveFeed(api, .live, as: ArticleNews.self, limit: 20)
    }

    /// A screen for an article. Hold it while the article is shown.
    public func article(_ id: Int) -> ArticleScreen {
        ArticleScreen(api, id: id, edits: edits, monitor: monitor)
    }

    /// A screen for a new article; `nil` if no user is signed in.
    public func newArticle() -> EditorScreen? {
        account.user.value.map { EditorScreen(api, authorId: $0.id) }
    }

    /// Signs out and forgets the user's changes.
    public func signOut() {
        edits.removeAll()
        account.signingOut.start()
    }
}
