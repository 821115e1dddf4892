import Godwit
import GodwitTesting
import GodwitUI
import Observation
import TestSupport

/// One random sequence of what screens, a network and a server do, and what holds meanwhile.
@MainActor
final class SequenceRun {
    /// The notes that screens show and change. The lists have others too.
    static let notes = [5, 7]
    nonisolated static let noteCount = 7

    let server = NoteServer(notes: SequenceRun.noteCount)
    let api: APIClient
    var queries: QueryStore
    /// The network, and the time of the store.
    let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wifi]))
    let clock = TestClock()
    /// The folder of the outbox; `nil` for a sequence without one.
    let folder: TemporaryFolder?
    var outbox: Outbox?
    /// What a store has at its launch; `nil` for a sequence with one launch.
    let models: SequenceModels?
    let date = Watched(Date(timeIntervalSince1970: 1_800_000_000))
    /// The number of requests before the last launch; `nil` before the second one.
    var requestsBeforeLaunch: Int?
    /// The notes that an event has told since the last launch.
    var told: Set<Int> = []
    var accountCount = 0
    var random: SplitMix
    var owner = "ann"
    /// Whether a sign-in is in progress: until its end, screens may show either account.
    var isChangingAccount = false
    /// By mark.
    var mutations: [Int: SequenceMutation] = [:]
    var tasks: [Task<Void, Never>] = []
    var loaders: [Int: Loader<Note>] = [:]
    var summary: Loader<Note>
    /// The same notes, the newest first: by cursor, and by offset.
    var lists: [String: PageLoader<Note>] = [:]
    var shown: [SequencePlace: SequenceShown] = [:]
    /// The lists that had elements.
    var shownLists: Set<String> = []
    /// The notes whose place in the lists isn't known to the client.
    var unstable: Set<Int> = []
    var states = SequenceStates()
    /// What is known at this moment.
    var facts = SequenceFacts()
    /// The notes that an event has removed.
    var gone: Set<Int> = []
    /// The tasks that keep values fresh.
    var keepers: [Task<Void, Never>] = []
    private(set) var log: [String] = []
    private(set) var violations: [String] = []
    private var lastMark = 0
    /// Whether what screens show has changed since the last look.
    private var hasChanged = true

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        api = server.client {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        queries = QueryStore(api, retryingWith: feed, clock: clock)
        folder = seed % 3 == 0 ? TemporaryFolder() : nil
        server.state.update { $0.memory.honorsKeys = true }
        models = seed % 3 == 1 ? SequenceModels() : nil
        summary = Loader(queries, .summary)
        launch()
        openOutbox()
    }

    /// Runs a sequence, then lets everything end. Returns what went wrong.
    ///
    /// - Parameter count: The number of steps.
    func run(_ count: Int, isLoaded: Bool, isComplete: Bool) async -> [String] {
        if isLoaded { await load() }
        if isComplete {
            for list in lists.values { await complete(list) }
        }
        server.hold()
        for _ in 0..<count {
            await step()
            await settle()
        }
        await end()
        return violations
    }

    /// Loads everything before the sequence begins.
    private func load() async {
        for loader in loaders.values { await loader.load() }
        for list in lists.values { await list.load() }
        await summary.load()
    }

    func start(_ line: String, _ work: @escaping @MainActor () async -> Void) {
        note(line)
        tasks.append(Task { await work() })
    }

    func newMark() -> Int {
        lastMark += 1
        return lastMark
    }

    func note(_ line: String) { log.append(line) }

    /// Lets tasks go on, and looks at what screens show after each step of theirs.
    func settle(_ count: Int = 12) async {
        // A value of the models is shown without a request.
        states.beginStep(isWatched: models == nil && !server.state.value.isAutomatic, answers: facts.answered)
        for _ in 0..<count {
            await Task.yield()
            if hasChanged { checkAndObserve() }
        }
        checkAndObserve()
        checkValues()
        checkModels()
        await checkIdle()
    }

    /// Looks at what screens show, and notices when that changes.
    private func checkAndObserve() {
        hasChanged = false
        withObservationTracking(check) { [weak self] in
            MainActor.assumeIsolated { self?.hasChanged = true }
        }
    }

    func fail(_ violation: String) {
        guard violations.count < 10, !violations.contains(violation) else { return }
        violations.append(violation)
        note("! \(violation)")
        for exchange in server.state.value.exchanges.suffix(6) {
            let mark = exchange.mark.map { " mark \($0)" } ?? ""
            let state = exchange.isOver ? "over" : exchange.isAnswered ? "answered" : "open"
            let result = if case .response(let status, _, _) = exchange.result { " \(status.code)" } else { "" }
            let url = exchange.request.url
            note(
                "  \(exchange.number) \(exchange.request.method) \(url.path)\(url.query.map { "?\($0)" } ?? "")"
                    + "\(mark)\(result) \(state)")
        }
    }

    /// Another account sees nothing of the former one.
    func forget() {
        (shown, shownLists, mutations, unstable) = ([:], [], [:], [])
        (states, gone, requestsBeforeLaunch) = (SequenceStates(), [], nil)
    }
}
