import Godwit
import GodwitTesting
import GodwitUI
import Observation

/// One random sequence of what screens, a network and a server do, and what holds meanwhile.
@MainActor
final class SequenceRun {
    /// What is known of a mutation.
    enum Outcome {
        /// The server hasn't answered.
        case open
        case accepted
        /// The server didn't apply it.
        case refused
        /// The server may have applied it.
        case unknown
    }

    struct Mutation {
        let note: Int
        var outcome = Outcome.open
        /// Whether its effect may end at any moment.
        var isEnding = false
        var task: Task<Void, Never>?
    }

    /// What a screen has shown of a note in this account.
    struct Shown {
        var version = 0
        var isShown = false
    }

    static let notes = 1...5

    let server = NoteServer(notes: 5)
    let api: APIClient
    let queries: QueryStore
    var random: SplitMix
    var owner = "ann"
    /// Whether a sign-in is in progress: until its end, screens may show either account.
    var isChangingAccount = false
    /// By mark.
    var mutations: [Int: Mutation] = [:]
    var tasks: [Task<Void, Never>] = []
    var loaders: [Int: Loader<Note>] = [:]
    var list: PageLoader<Note>
    private(set) var log: [String] = []
    private(set) var violations: [String] = []
    private var shown: [String: Shown] = [:]
    private var lastMark = 0
    /// Whether what screens show has changed since the last look.
    private var hasChanged = true

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        server.hold()
        api = server.client {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        queries = QueryStore(api)
        list = PageLoader(queries, .cursor { .notes(after: $0) })
        for id in Self.notes { loaders[id] = Loader(queries, .note(id)) }
    }

    func newMark() -> Int {
        lastMark += 1
        return lastMark
    }

    func note(_ line: String) { log.append(line) }

    /// Lets tasks go on, and looks at what screens show after each step of theirs.
    func settle(_ count: Int = 12) async {
        for _ in 0..<count {
            await Task.yield()
            if hasChanged { checkAndObserve() }
        }
        checkAndObserve()
        checkValues()
    }
}

// What holds at any moment.
extension SequenceRun {
    /// Looks at what screens show, and notices when that changes.
    private func checkAndObserve() {
        hasChanged = false
        withObservationTracking(check) { [weak self] in
            MainActor.assumeIsolated { self?.hasChanged = true }
        }
    }

    func check() {
        guard !isChangingAccount else { return }
        for (id, loader) in loaders { check(loader, id) }
        for element in list.items { check(element, element.id, "list \(element.id)") }
        checkList()
    }

    private func checkValues() {
        guard !isChangingAccount else { return }
        for id in Self.notes {
            if let value = queries.value(of: .note(id)) { check(value, id, "value \(id)") }
        }
    }

    private func check(_ loader: Loader<Note>, _ id: Int) {
        if let value = loader.value { return check(value, id, "loader \(id)") }
        if shown["loader \(id)"]?.isShown == true { fail("loader \(id) shows \(loader.state) after a value") }
    }

    private func checkList() {
        if !list.items.isEmpty { return shown["list", default: Shown()].isShown = true }
        if shown["list"]?.isShown == true { fail("the list is empty after it had elements") }
    }

    private func check(_ value: Note, _ id: Int, _ place: String) {
        if value.owner != owner { fail("\(place) shows a note of \(value.owner) to \(owner)") }
        let known = shown[place, default: Shown()]
        if value.version < known.version { fail("\(place) shows version \(value.version) after \(known.version)") }
        shown[place] = Shown(version: value.version, isShown: true)
        for (mark, mutation) in mutations where mutation.note == id {
            let isThere = value.marks.contains(mark)
            switch mutation.outcome {
            case .open: if !isThere, !isEnding(mark) { fail("\(place) lacks mark \(mark), which is on its way") }
            case .accepted: if !isThere { fail("\(place) lacks mark \(mark), which the server has accepted") }
            case .refused: if isThere { fail("\(place) has mark \(mark), which was refused") }
            case .unknown: break
            }
        }
    }

    /// Whether the server has answered a mutation, though its task hasn't seen that yet.
    private func isEnding(_ mark: Int) -> Bool {
        if mutations[mark]?.isEnding == true { return true }
        return server.state.value.exchanges.contains { ($0.isAnswered || $0.isOver) && $0.mark == mark }
    }

    func fail(_ violation: String) {
        guard violations.count < 10, !violations.contains(violation) else { return }
        violations.append(violation)
        note("! \(violation)")
        for exchange in server.state.value.exchanges.suffix(6) {
            let mark = exchange.mark.map { " mark \($0)" } ?? ""
            let state = exchange.isOver ? "over" : exchange.isAnswered ? "answered" : "open"
            let result = if case .response(let status, _, _) = exchange.result { " \(status.code)" } else { "" }
            note(
                "  \(exchange.number) \(exchange.request.method) \(exchange.request.url.path)\(mark)\(result) \(state)")
        }
    }

    /// Another account sees nothing of the former one.
    func forget() {
        shown = [:]
        mutations = [:]
    }
}
