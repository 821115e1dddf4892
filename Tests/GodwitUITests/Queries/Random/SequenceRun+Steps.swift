import Godwit
import GodwitTesting
import GodwitUI
import TestSupport

/// What can happen, and how often.
enum SequenceStep: CaseIterable {
    case load, refresh, loadSummary, loadList, loadMore, refreshList
    case mark, markIfUnchanged, markValue, remove, removeValue, put, create
    case addToOutbox, sendOutbox, decideOutbox, advanceClock
    case execute, answer, fail, toggleNetwork, changeElsewhere, receiveChange, receiveRemoval, receiveInsertion
    case replaceLoader, cancel, invalidate, invalidateTag, prefetch, keepFresh, moveElement, changeAccount, launchAgain

    private var weight: Int {
        switch self {
        case .execute: 24
        case .answer: 18
        case .load, .mark: 9
        case .addToOutbox: 8
        case .refresh, .loadMore: 6
        case .loadList, .refreshList, .create, .remove, .fail, .markIfUnchanged, .markValue: 4
        case .loadSummary, .removeValue, .put, .sendOutbox, .decideOutbox: 3
        case .changeElsewhere, .receiveChange, .replaceLoader, .cancel, .toggleNetwork, .changeAccount, .advanceClock,
            .prefetch, .keepFresh, .launchAgain:
            2
        case .invalidate, .invalidateTag, .moveElement, .receiveRemoval, .receiveInsertion: 1
        }
    }

    private static let weighted = allCases.flatMap { Array(repeating: $0, count: $0.weight) }

    static func random(using random: inout SplitMix) -> SequenceStep {
        weighted.randomElement(using: &random) ?? .execute
    }
}

extension SequenceRun {
    func step() async {
        let id = Self.notes.randomElement(using: &random) ?? 0
        let step = SequenceStep.random(using: &random)
        // What begins during a sign-in is forgotten with the former account, and couldn't explain what lists lack.
        if isChangingAccount, [.remove, .removeValue, .put, .create].contains(step) { return }
        switch step {
        case .load: start("load \(id)") { [loader = loaders[id]] in await loader?.load() }
        case .refresh: start("refresh \(id)") { [loader = loaders[id]] in await loader?.refresh() }
        case .loadSummary: start("load the summary") { [summary] in await summary.refresh() }
        case .loadList: withList { list, name in start("load \(name)") { await list.load() } }
        case .loadMore: withList { list, name in start("load more of \(name)") { await list.loadMore() } }
        case .refreshList: withList { list, name in start("refresh \(name)") { await list.refresh() } }
        case .mark: mark(id, isConditional: false)
        case .markIfUnchanged: mark(id, isConditional: true)
        case .markValue: markValue(id)
        case .remove: remove(anyNote())
        case .removeValue: removeValue(id)
        case .put: put(id)
        case .create: create()
        case .addToOutbox: addToOutbox(id)
        case .sendOutbox: sendOutbox()
        case .decideOutbox: decideOutbox()
        case .advanceClock: advanceClock()
        case .execute: executeAny()
        case .answer: answerAny()
        case .fail: failAny()
        case .toggleNetwork: setOffline(!server.state.value.isOffline)
        case .changeElsewhere: changeElsewhere(id)
        case .receiveChange: receiveChange(id)
        case .receiveRemoval: receiveRemoval(Int.random(in: 1...4, using: &random))
        case .receiveInsertion: receiveInsertion()
        case .replaceLoader: replaceLoader(id)
        case .cancel: cancelAny()
        case .invalidate: invalidate(id)
        case .invalidateTag: invalidateTag()
        case .prefetch: prefetch(id)
        case .keepFresh: keepFresh(id)
        case .moveElement: withList(moveElement)
        case .changeAccount: changeAccount()
        case .launchAgain: await launchAgain()
        }
    }

    private func withList(_ work: (PageLoader<Note>, String) -> Void) {
        guard let (name, list) = lists.sorted(by: { $0.key < $1.key }).randomElement(using: &random) else { return }
        work(list, name)
    }

    /// One that a list shows.
    private func anyNote() -> Int {
        let ids = Set(lists.values.flatMap(\.items).map(\.id)).filter { $0 > 0 }.sorted()
        return ids.randomElement(using: &random) ?? Self.noteCount
    }

    private func advanceClock() {
        let seconds = Int.random(in: 1...20, using: &random)
        note("\(seconds) seconds")
        clock.advance(by: .seconds(seconds))
    }

    private func replaceLoader(_ id: Int) {
        note("another loader of \(id)")
        loaders[id] = Loader(queries, .note(id), Self.options)
    }

    private func invalidate(_ id: Int) {
        note("invalidate \(id)")
        queries.invalidate(.note(id))
    }

    private func invalidateTag() {
        note("invalidate all notes")
        queries.invalidate(tags: ["notes"])
    }

    private func prefetch(_ id: Int) {
        note("prefetch \(id) and the list")
        queries.prefetch(.note(id))
        queries.prefetch(Self.byCursor)
    }

    /// Loads a note at intervals.
    private func keepFresh(_ id: Int) {
        note("keep \(id) fresh")
        keepers.append(Task { [loader = loaders[id]] in await loader?.keepFresh() })
    }

    private func moveElement(_ list: PageLoader<Note>, _ name: String) {
        note("move the last element of \(name) to the front")
        list.edit { items in
            if let last = items.popLast() { items.insert(last, at: 0) }
        }
    }

    private func changeAccount() {
        guard !isChangingAccount else { return }
        // The server knows whose requests these are.
        for exchange in server.state.value.exchanges where exchange.result == nil && !exchange.isOver {
            server.execute(exchange.number)
        }
        let next = owner == "ann" ? "bob" : "ann"
        note("sign in as \(next)")
        tasks += mutations.values.compactMap(\.task)
        server.state.update {
            $0.owner = next
            $0.notes = NoteServer.notes(Self.noteCount, of: next)
            $0.memory = NoteServer.Memory(honorsKeys: true)
        }
        isChangingAccount = true
        owner = next
        tasks.append(
            Task {
                try? await api.signIn(AccessToken(access: next))
                forget()
                openOutbox()
                isChangingAccount = false
            })
    }
}
