import Godwit
import GodwitTesting
import GodwitUI

// A store that is thrown away, and made again with the same models.
extension SequenceRun {
    /// Makes a store, and its loaders.
    func launch() {
        let date = date
        queries = QueryStore(api, models: models, retryingWith: feed, clock: clock) { date.value }
        summary = Loader(queries, .summary)
        lists = [
            "list": PageLoader(queries, Self.byCursor, Self.options),
            "shelf": PageLoader(queries, Self.byOffset, Self.options),
        ]
        for id in Self.notes { loaders[id] = Loader(queries, .note(id), Self.options) }
    }

    static let byCursor = Paging<NotePage>.cursor { .newest(after: $0) }
    static let byOffset = Paging<NotePage>.offsets(limit: NoteServer.pageSize) { .newest(offset: $0) }

    static func options(_ options: inout QueryOptions) {
        options.tags = ["notes"]
        options.refetchInterval = .seconds(10)
    }

    /// Ends the process and begins another one, a minute later.
    func launchAgain() async {
        guard let models, !isChangingAccount else { return }
        note("launch again")
        let ended = tasks + keepers + mutations.values.compactMap(\.task)
        for task in ended { task.cancel() }
        for task in ended { await task.value }
        // The models get what was confirmed.
        for _ in 0..<50 { await Task.yield() }
        forgetScreens(models.notes)
        date.update { $0 += 60 }
        launch()
        requestsBeforeLaunch = server.state.value.exchanges.count
    }

    /// Screens show what the models have, or nothing.
    private func forgetScreens(_ notes: [Int: Note]) {
        (tasks, keepers, shown, shownLists, states) = ([], [], [:], [], SequenceStates())
        // The page that is stored may be older.
        unstable.formUnion(gone)
        gone = []
        for (mark, mutation) in mutations {
            mutations[mark]?.isInSummary = false
            let isKept = notes[mutation.note]?.marks.contains(mark) == true
            if mutation.outcome == .accepted, !isKept { mutations[mark]?.outcome = .unknown }
            if mutation.kind != .mark, mutation.kind != .markValue { unstable.insert(mutation.note) }
        }
    }

    /// Whether a place may show what the models had before the last changes.
    func mayBeOld(_ place: SequencePlace) -> Bool {
        guard models != nil else { return false }
        return switch place {
        case .loader(let id), .value(let id): loaders[id]?.isStale == true
        case .element(let list, _): lists[list]?.isStale == true
        }
    }

    /// What the models have is stale until the server was asked.
    func checkModels() {
        guard models != nil, let first = requestsBeforeLaunch else { return }
        let paths = Set(server.state.value.exchanges.dropFirst(first).map(\.request.url.path))
        for (id, loader) in loaders where loader.value != nil && !loader.isStale {
            if !paths.contains("/notes/\(id)"), !told.contains(id) { fail("loader \(id) is fresh without a request") }
        }
    }
}
