public import Godwit
public import GodwitUI
public import Observation

/// The whole app: what its screens share.
///
/// The views on Apple platforms and the web page show the same one.
@Observable @MainActor
public final class Reader {
    public let account: AccountScreen
    public let connectivity: ConnectivityModel
    public let list: ArticleListScreen

    /// The changes of all articles, as they happen.
    public let news: LiveFeed<ArticleNews>

    /// The user's changes that the server hasn't confirmed; `nil` until the user is known.
    public private(set) var outbox: Outbox?

    /// Why the outbox can't be opened, or a change couldn't be kept.
    public private(set) var failure: NetworkError?

    /// The articles that are open, the visible one last.
    public var path: [ArticleScreen] = []

    /// The form that is open.
    public var form: EditorScreen?

    @ObservationIgnored public let queries: QueryStore
    @ObservationIgnored private let folder: URL
    @ObservationIgnored private var tasks: [Task<Void, Never>] = []

    /// - Parameters:
    ///   - tokens: Where the token is kept, for example in the keychain.
    ///   - folder: Where values and changes are kept across launches. Only the app may have access to it.
    ///   - monitor: Reports when the network is available again.
    ///   - configure: Changes the client's configuration.
    /// - Throws: `.file` if the folder can't be used.
    public init(
        baseURL: some HTTPURLConvertible, tokens: some TokenStore, in folder: URL,
        monitor: any PathMonitor = SystemPathMonitor.shared, _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws(NetworkError) {
        let models = try DiskModelStore(directory: folder)
        let preset = ClientConfiguration.reader(tokens: tokens, models: models, cache: try .disk(folder))
        let api = APIClient(baseURL: baseURL, preset: preset, configure: configure)
        queries = QueryStore(api, models: models, retryingWith: monitor)
        self.folder = folder.appending(path: "outbox")
        account = AccountScreen(queries)
        connectivity = ConnectivityModel(monitor)
        list = ArticleListScreen(queries)
        news = LiveFeed(api, .live, as: ArticleNews.self, limit: 20)
        tasks = [
            Task { [weak self, session = api.session] in
                for await state in session { await self?.follow(state) }
            },
            Task { [weak self, paths = monitor.paths] in
                for await path in paths where path.status == .satisfied { await self?.openOutbox() }
            },
        ]
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    private func follow(_ state: AccountSession.State) async {
        if case .ended = state {
            account.isSignedIn = false
            (path, form) = ([], nil)
        } else {
            account.isSignedIn = true
            await openOutbox()
        }
    }

    /// Opens the user's outbox, unless it is open. Without a network, the user is the one of the last launch.
    public func openOutbox() async {
        guard account.isSignedIn == true, outbox?.isClosed ?? true else { return }
        await account.user.load()
        failure = account.user.error
        guard let user = account.user.value, outbox?.isClosed ?? true else { return }
        do throws(NetworkError) {
            outbox = try Outbox(
                queries, in: folder, for: "\(user.id)", sending: [EditArticle.self, DeleteArticle.self])
            failure = nil
        } catch {
            failure = error
        }
    }
}

// Screens. They are held here, as a view is made again whenever something changes.
extension Reader {
    /// Opens an article.
    public func open(_ id: Article.ID) { path.append(ArticleScreen(self, id: id)) }

    /// Opens a form for the visible article, or for its refused change.
    public func edit() { form = path.last?.editor() }

    /// Opens a form for a new article.
    public func write() { form = account.user.value.map { EditorScreen(queries, list.list, author: $0.id) } }

    /// The URL of an article's picture.
    public func picture(of id: Article.ID) -> HTTPURL? { try? queries.api.request(for: .picture(of: id)).url }
}

// The user's changes.
extension Reader {
    /// The changes that the server hasn't confirmed, oldest first.
    public var changes: [OutboxItem] { outbox?.items ?? [] }

    /// Those of an article.
    public func changes(of id: Article.ID) -> [OutboxItem] { changes.filter { $0.articleID == id } }

    /// Removes an article.
    public func remove(_ id: Article.ID) { change { try await $0.add(DeleteArticle(id: id)) } }

    /// Sends a refused change again. After a conflict, the user's version replaces the server's.
    public func retry(_ change: OutboxItem.ID) { self.change { try await $0.retry(change) } }

    /// Gives up a change. After a conflict, the server's version stays.
    public func discard(_ change: OutboxItem.ID) {
        let id = changes.first { $0.id == change }?.articleID
        self.change { [self] outbox in
            await outbox.discard(change)
            if let id { showInList(id) }
        }
    }

    /// Shows in the list the version of an article that was loaded by itself, which may be newer.
    ///
    /// A change that waits is shown in both already. The article's own value stays, and with it its ETag.
    func showInList(_ id: Article.ID) {
        guard changes(of: id).allSatisfy(\.needsDecision), let article = queries.value(of: .article(id: id)) else {
            return
        }
        queries.set { [list = list.list] changes in
            guard let row = changes[list].firstIndex(where: { $0.id == id }), changes[list][row] != article else {
                return
            }
            changes[list][row] = article
        }
    }

    private func change(_ change: @escaping @MainActor (Outbox) async throws -> Void) {
        guard let outbox else { return }
        failure = nil
        Task {
            do { try await change(outbox) } catch { failure = error as? NetworkError }
        }
    }
}
