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
    public internal(set) var outbox: Outbox?

    /// Why the token can't be read, the outbox can't be opened, or a change couldn't be kept.
    public internal(set) var failure: NetworkError?

    /// The articles that are open, the visible one last.
    public var path: [ArticleScreen] = []

    /// The form that is open.
    ///
    /// If the session ends otherwise than by signing out, a changed form stays for the same user.
    public var form: EditorScreen?

    @ObservationIgnored public let queries: QueryStore
    @ObservationIgnored let clock: any Clock<Duration>
    @ObservationIgnored let outboxFolder: URL
    @ObservationIgnored var lastNews: Int?
    private var formOwner: User.ID?
    @ObservationIgnored private var opening: Task<Void, Never>?
    @ObservationIgnored private var tasks: [Task<Void, Never>] = []

    /// Where files of the reader are.
    public struct Folders: Sendable {
        /// Values and responses, which the system may remove.
        public let caches: URL
        /// The user's changes, which must not be lost.
        public let changes: URL

        public init(caches: URL, changes: URL) {
            (self.caches, self.changes) = (caches, changes)
        }
    }

    /// - Parameters:
    ///   - tokens: Where the token is kept, for example in the keychain.
    ///   - folders: Where values and changes are kept across launches. Only the app may have access to them.
    ///   - monitor: Reports when the network is available again.
    ///   - clock: Measures the pauses between attempts to open the outbox.
    ///   - configure: Changes the client's configuration.
    /// - Throws: `.file` if a folder can't be used.
    public init(
        baseURL: some HTTPURLConvertible, tokens: some TokenStore, in folders: Folders,
        monitor: any PathMonitor = SystemPathMonitor.shared, clock: any Clock<Duration> = ContinuousClock(),
        _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws(NetworkError) {
        let models = try DiskModelStore(directory: folders.caches)
        let preset = ClientConfiguration.reader(tokens: tokens, models: models, cache: try .disk(folders.caches))
        let api = APIClient(baseURL: baseURL, preset: preset, configure: configure)
        queries = QueryStore(api, models: models, retryingWith: monitor)
        (outboxFolder, self.clock) = (folders.changes, clock)
        account = AccountScreen(queries)
        connectivity = ConnectivityModel(monitor)
        list = ArticleListScreen(queries)
        news = LiveFeed(api, .live, as: ArticleNews.self, limit: 20) {
            // A proxy's or the server's bad moment doesn't end the feed.
            $0.statuses = [429, 502, 503, 504]
            // The API sends a comment every 15 seconds.
            $0.idleTimeout = .seconds(45)
        }
        start(monitor)
    }

    deinit {
        for task in tasks { task.cancel() }
        opening?.cancel()
    }

    private func start(_ monitor: any PathMonitor) {
        tasks = [
            Task { [weak self, session = queries.api.session] in
                for await state in session { self?.follow(state) }
            },
            Task { [weak self, paths = monitor.paths] in
                for await path in paths where path.status == .satisfied { self?.keepOutboxOpen() }
            },
            Task { [weak self] in
                // Not with the load: without a network, the value of the last launch is there long before it ends.
                await observe({ self.map { $0.account.user.value } }, { self?.follow($0) })
            },
            Task { [weak self] in
                await observe({ self.map { $0.path.last?.article.value } }, { await self?.follow($0) })
            },
            Task { [weak self] in
                await observe({ self.map { $0.news.elements.last?.number } }, { _ in await self?.followNews() })
            },
            Task { [weak self] in
                await observe({ self?.settledConflicts }, { await self?.discard(settled: $0) })
            },
        ]
        Task { await readAccount() }
    }

    /// Closes the outbox and ends all calls. The reader can't be used any more.
    public func stop() async {
        for task in tasks { task.cancel() }
        opening?.cancel()
        news.stop()
        await outbox?.close()
        await queries.api.shutdown(.cancelling)
    }
}

// The account.
extension Reader {
    /// Reads the token, to know whether somebody is signed in. Sets ``failure`` if it can't be read.
    public func readAccount() async {
        guard account.isSignedIn == nil else { return }
        failure = nil
        await account.user.load()
        // The session reports whether somebody is signed in, unless the token can't be read.
        if account.isSignedIn == nil, case .file = account.user.error?.kind { failure = account.user.error }
    }

    private func follow(_ state: AccountSession.State) {
        guard case .ended(let reason) = state else {
            (account.isSignedIn, account.ending, account.login.password) = (true, nil, "")
            return keepOutboxOpen()
        }
        opening?.cancel()
        (account.isSignedIn, path, failure) = (false, [], nil)
        account.clear()
        if case .refused(let error) = reason {
            // The user may sign in again, and continue to write.
            account.ending = error
            if form?.isChanged != true { form = nil }
        } else {
            form = nil
        }
    }

    private func follow(_ user: User?) {
        guard let user else { return }
        if let formOwner, formOwner != user.id { form = nil }
        formOwner = user.id
        account.show(user)
        keepOutboxOpen()
    }

    /// Whether the open form may be shown: its user is signed in.
    public var showsForm: Bool { account.isSignedIn == true && account.user.value?.id == formOwner && form != nil }

    /// Opens the outbox, and tries again with pauses while that fails.
    func keepOutboxOpen() {
        guard account.isSignedIn == true, !isOutboxOpen else { return }
        opening?.cancel()
        opening = Task { [weak self, clock] in
            var pause = Duration.seconds(2)
            while let reader = self, !Task.isCancelled, !reader.isOutboxOpen {
                _ = try? await reader.openOutbox()
                guard !reader.isOutboxOpen, (try? await clock.sleep(for: pause)) != nil else { return }
                pause = min(pause * 2, .seconds(60))
            }
        }
    }
}
