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

    /// What the user has to confirm, because something written would be lost.
    private(set) var question: Question?

    enum Question {
        /// To leave a form that was changed.
        case form(PageAction)
        /// To sign out, though changes wait.
        case changes(Int)
    }

    // What SwiftUI's `.task` would run while a view is visible.
    @ObservationIgnored private var session: Task<Void, Never>?
    @ObservationIgnored private var listing: Task<Void, Never>?
    @ObservationIgnored private var listening: Task<Void, Never>?
    @ObservationIgnored private var reading: Task<Void, Never>?
    @ObservationIgnored private var work: [Int: Task<Void, Never>] = [:]
    @ObservationIgnored private var lastWork = 0

    init(_ reader: Reader, _ network: SimulatedNetwork) {
        (self.reader, self.network) = (reader, network)
        session = Task { [weak self, session = reader.queries.api.session] in
            for await state in session { self?.follow(state) }
        }
    }

    deinit {
        for task in [session, listing, listening, reading] { task?.cancel() }
    }

    /// Ends all that the page runs.
    func stop() async {
        for task in [session, listing, listening, reading] + Array(work.values) { task?.cancel() }
        await reader.stop()
    }

    /// Shows the lists of a user who has signed in, and nothing of one who has signed out.
    private func follow(_ state: AccountSession.State) {
        if case .ended = state {
            for task in [reading, listing, listening] { task?.cancel() }
            (listing, question) = (nil, nil)
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
        case .open, .close, .edit, .create, .cancel: leaveForm(for: action)
        case .signOut: askToSignOut()
        case .confirm: confirm()
        case .stay: question = nil
        case .input: if let form = action.form { fill(form) }
        case .save: if let form = action.form { save(form) }
        case .resend: if let change = action.change { start { [reader] in await reader.retry(change) } }
        case .discard: if let change = action.change { start { [reader] in await reader.discard(change) } }
        case .network: if let condition = action.condition { change(to: condition) }
        case .focus: reader.queries.hasFocus = action.isVisible ?? true
        case .listen: listen()
        case .signIn: signIn(action.login ?? Login())
        default: performOnLists(action)
        }
    }

    private func performOnLists(_ action: PageAction) {
        switch action.action {
        case .loadMore: start { [list = reader.list.list] in await list.loadMore() }
        case .refresh: refresh()
        case .retry: retry()
        case .search: reader.list.search.text = action.text ?? ""
        case .reload: start { [reader] in await reader.path.last?.article.refresh() }
        case .remove: start { [screen = reader.path.last] in await screen?.remove() }
        case .moreComments: start { [screen = reader.path.last] in await screen?.comments.loadMore() }
        default: break
        }
    }

    /// Uploads a picture of the user.
    func upload(_ picture: Data) {
        reader.account.avatar?.start(SlowBody(data: picture).request)
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
            await reader.readAccount()
            _ = try? await reader.openOutbox()
            await path.last?.retry()
            await screen.search.retry()
            await screen.list.retry()
        }
    }

    private func change(to condition: SimulatedNetwork.Condition) {
        network.condition = condition
        if condition == .online { listen() } else if condition == .offline { listening?.cancel() }
    }

    private func start(_ work: @escaping @MainActor () async -> Void) {
        lastWork += 1
        self.work[lastWork] = Task { [weak self, number = lastWork] in
            await work()
            self?.work[number] = nil
        }
    }
}

// Questions.
extension ReaderPageModel {
    /// Performs an action that closes the form, after a question if something was written.
    private func leaveForm(for action: PageAction) {
        if let form = reader.form, reader.showsForm, form.isChanged {
            question = .form(action)
        } else {
            performWithoutForm(action)
        }
    }

    private func performWithoutForm(_ action: PageAction) {
        question = nil
        switch action.action {
        case .open: if let id = action.id { open(id) }
        case .close: close()
        case .edit: fillIn { reader.edit() }
        case .create: fillIn { reader.write() }
        default: reader.form = nil
        }
    }

    private func askToSignOut() {
        if let form = reader.form, form.isChanged {
            question = .form(PageAction(action: .signOut))
        } else if !reader.changes.isEmpty {
            question = .changes(reader.changes.count)
        } else {
            reader.account.signingOut.start()
        }
    }

    private func confirm() {
        guard let question else { return }
        self.question = nil
        switch question {
        case .changes: reader.account.signingOut.start()
        case .form(let action):
            reader.form = nil
            if action.action == .signOut { askToSignOut() } else { performWithoutForm(action) }
        }
    }
}

// The article and its form.
extension ReaderPageModel {
    private func open(_ id: Article.ID) {
        close()
        reader.open(id)
        reading = Task { [screen = reader.path.last] in await screen?.keepFresh() }
    }

    private func close() {
        reading?.cancel()
        (reader.path, reader.form) = ([], nil)
    }

    private func fillIn(_ open: () -> Void) {
        open()
        editorNumber += 1
    }

    /// Takes the input over: it stays if the page is loaded again.
    private func fill(_ form: PageAction.Form) {
        guard let editor = reader.form, form.number.map({ $0 == editorNumber }) ?? true else { return }
        (editor.form.title, editor.form.body, editor.form.tagLine) = (form.title, form.body, form.tagLine)
    }

    private func save(_ form: PageAction.Form) {
        fill(form)
        guard let editor = reader.form, editor.check() else { return }
        start { [weak self] in
            guard let saved = await editor.saving.run(editor.form), let self, reader.form === editor else { return }
            if reader.path.last?.id == saved { reader.form = nil } else { open(saved) }
        }
    }
}
