import ContentReaderKit
import Godwit
import GodwitUI
import Observation

/// The screens that the page shows, and its actions on them.
@Observable @MainActor
final class ReaderPageModel {
    let reader: Reader
    let network: SimulatedNetwork

    /// Counts the forms, so that the page knows when to fill in another one.
    private(set) var editorNumber = 0

    // What SwiftUI's `.task` would run while a view is visible.
    @ObservationIgnored private var session: Task<Void, Never>?
    @ObservationIgnored private var listing: Task<Void, Never>?
    @ObservationIgnored private var listening: Task<Void, Never>?
    @ObservationIgnored private var reading: Task<Void, Never>?

    init(_ reader: Reader, _ network: SimulatedNetwork) {
        (self.reader, self.network) = (reader, network)
        session = Task { [weak self, session = reader.queries.api.session] in
            for await state in session { self?.follow(state) }
        }
    }

    deinit {
        session?.cancel()
    }

    /// Shows the lists of a user who has signed in, and nothing of one who has signed out.
    private func follow(_ state: AccountSession.State) {
        if case .ended = state {
            reading?.cancel()
            listing?.cancel()
            listening?.cancel()
            listing = nil
        } else if listing == nil {
            listing = Task { [list = reader.list.list] in await list.keepFresh() }
            listen()
        }
    }

    private func listen() {
        listening?.cancel()
        listening = Task { [news = reader.news] in await news.run() }
    }
}

// Actions.
extension ReaderPageModel {
    /// Performs an action. Returns at once; the state shows what comes of it.
    func perform(_ action: PageAction) {
        switch action.action {
        case .signIn: signIn(action.login ?? Login())
        case .signOut: reader.account.signingOut.start()
        case .loadMore: start { [list = reader.list.list] in await list.loadMore() }
        case .refresh: refresh()
        case .retry: retry()
        case .search: reader.list.search.text = action.text ?? ""
        case .open: if let id = action.id { open(id) }
        case .close: close()
        case .reload: start { [reader] in await reader.path.last?.article.refresh() }
        case .remove: reader.path.last?.remove()
        case .edit: fillIn { reader.edit() }
        case .create: fillIn { reader.write() }
        case .save: if let form = action.form { save(form) }
        case .cancel: reader.form = nil
        case .resend: if let change = action.change { reader.retry(change) }
        case .discard: if let change = action.change { reader.discard(change) }
        case .network: if let condition = action.condition { change(to: condition) }
        }
    }

    /// Uploads a picture of the user.
    func upload(_ picture: Data) {
        reader.account.avatar.start(SlowBody(data: picture).request)
    }

    private func signIn(_ login: Login) {
        reader.account.login = login
        reader.account.signIn()
    }

    private func refresh() {
        start { [screen = reader.list] in
            await screen.isSearching ? screen.search.refresh() : screen.list.refresh()
        }
    }

    private func retry() {
        start { [reader, screen = reader.list, path = reader.path] in
            await reader.openOutbox()
            await path.last?.article.retry()
            await screen.search.retry()
            await screen.list.retry()
        }
    }

    private func open(_ id: Article.ID) {
        close()
        reader.open(id)
        reading = Task { [screen = reader.path.last] in
            await screen?.load()
            await screen?.article.keepFresh()
        }
    }

    private func close() {
        reading?.cancel()
        (reader.path, reader.form) = ([], nil)
    }

    private func fillIn(_ open: () -> Void) {
        open()
        editorNumber += 1
    }

    private func save(_ form: PageAction.Form) {
        guard let editor = reader.form else { return }
        (editor.form.title, editor.form.body, editor.form.tagLine) = (form.title, form.body, form.tagLine)
        guard editor.canSave else { return }
        start { [weak self] in
            guard let saved = await editor.saving.run(editor.form), let self, reader.form === editor else { return }
            if reader.path.last?.id == saved { reader.form = nil } else { open(saved) }
        }
    }

    private func change(to condition: SimulatedNetwork.Condition) {
        network.condition = condition
        if condition == .online { listen() } else { listening?.cancel() }
    }

    private func start(_ work: @escaping @MainActor () async -> Void) {
        Task { await work() }
    }
}
