import ContentReaderKit
import Godwit
import GodwitUI
import Observation

/// The screens that the page shows, and its actions on them.
@Observable @MainActor
final class ReaderPageModel {
    let reader: Reader
    let network: SimulatedNetwork

    /// The article that is open.
    private(set) var article: ArticleScreen?

    /// The form that is open.
    private(set) var editor: EditorScreen?

    /// Counts the forms, so that the page knows when to fill in another one.
    private(set) var editorNumber = 0

    @ObservationIgnored private var listening: Task<Void, Never>?

    init(_ reader: Reader, _ network: SimulatedNetwork) {
        (self.reader, self.network) = (reader, network)
    }

    /// Performs an action. Returns at once; the state shows what comes of it.
    func perform(_ action: PageAction) {
        switch action.action {
        case .signIn: signIn(action.login ?? Login())
        case .signOut: signOut()
        case .loadMore: start { [list = reader.list.list] in await list.loadMore() }
        case .refresh: refresh()
        case .retry: retry()
        case .search: reader.list.search.text = action.text ?? ""
        case .open: open(action.id)
        case .close: (article, editor) = (nil, nil)
        case .reload: start { [article] in await article?.reading.refresh() }
        case .remove: article?.removal.start()
        case .resolve: resolve(action.choice)
        case .edit: edit(article?.editor())
        case .create: edit(reader.newArticle())
        case .save: save(action.form)
        case .discard: editor = nil
        case .network: if let condition = action.condition { change(to: condition) }
        }
    }

    /// Uploads a picture of the user.
    func upload(_ picture: Data) {
        reader.account.upload(SlowBody(data: picture).request)
    }

    /// Loads what a signed-in user sees first, and listens to the news.
    func appear() {
        guard reader.account.isSignedIn else { return }
        start { [list = reader.list.list] in await list.load() }
        listen()
    }

    private func signIn(_ login: Login) {
        reader.account.login = login
        reader.account.signIn()
        start { [weak self, account = reader.account] in
            await account.signingIn.settled()
            self?.appear()
        }
    }

    private func signOut() {
        (article, editor) = (nil, nil)
        listening?.cancel()
        reader.signOut()
    }

    private func refresh() {
        start { [screen = reader.list] in
            await screen.isSearching ? screen.search.refresh() : screen.list.refresh()
        }
    }

    private func retry() {
        start { [screen = reader.list, article] in
            await article?.reading.retry()
            await screen.search.retry()
            await screen.list.retry()
        }
    }

    private func open(_ id: Int?) {
        guard let id else { return }
        let screen = reader.article(id)
        (article, editor) = (screen, nil)
        start { await screen.reading.load() }
    }

    private func resolve(_ choice: ArticleScreen.Choice?) {
        guard let choice, let article else { return }
        editor = nil
        start { await article.resolve(choice) }
    }

    private func edit(_ screen: EditorScreen?) {
        guard let screen else { return }
        editor = screen
        editorNumber += 1
    }

    private func save(_ form: PageAction.Form?) {
        guard let form, let editor else { return }
        (editor.form.title, editor.form.body, editor.form.tagLine) = (form.title, form.body, form.tagLine)
        editor.save()
        start { [weak self, reader] in
            await editor.saving.settled()
            guard let self, let saved = editor.saved, self.editor === editor else { return }
            self.editor = nil
            if editor.article == nil { await reader.list.list.refresh() }
            if article?.id != saved.id { return open(saved.id) }
            if article?.isWaiting == false { await article?.reading.refresh() }
        }
    }

    private func change(to condition: SimulatedNetwork.Condition) {
        network.condition = condition
        if condition == .online { listen() } else { listening?.cancel() }
    }

    private func listen() {
        listening?.cancel()
        listening = Task { [news = reader.news] in await news.run() }
    }

    private func start(_ work: @escaping @MainActor () async -> Void) {
        Task { await work() }
    }
}

extension ActionModel {
    /// Returns when the action is over.
    fileprivate func settled() async {
        while isRunning {
            let (changes, tell) = AsyncStream.makeStream(of: Void.self)
            guard withObservationTracking({ isRunning }, onChange: { tell.yield() }) else { return }
            for await _ in changes { break }
        }
    }
}
