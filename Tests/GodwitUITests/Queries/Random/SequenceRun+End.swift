import Godwit
import GodwitTesting
import GodwitUI

// The end: everything is answered, and screens show what the server has.
extension SequenceRun {
    func end() async {
        note("the end")
        setOffline(false)
        answerEverything()
        for keeper in keepers { keeper.cancel() }
        for task in mutations.values.compactMap(\.task) + tasks + keepers { await task.value }
        await endOutbox()
        await settle()
        for list in lists.values { await complete(list) }
        check()
        compareUnrefreshed()
        await refresh()
        check()
        compareWithServer()
    }

    /// A request that was canceled isn't executed any more.
    private func answerEverything() {
        states.beginStep(isWatched: false, answers: facts.answered)
        server.state.update { $0.isAutomatic = true }
        for exchange in server.state.value.exchanges where !exchange.isAnswered && !exchange.isOver {
            if exchange.result == nil { server.execute(exchange.number) }
            server.answer(exchange.number)
        }
    }

    func complete(_ list: PageLoader<Note>) async {
        while list.hasMore, list.error == nil { await list.loadMore() }
    }

    private func refresh() async {
        for id in Self.notes { await loaders[id]?.refresh() }
        await summary.refresh()
        for list in lists.values {
            await list.refresh()
            await complete(list)
        }
    }

    /// What is fresh and without an error has each change that the client has sent. Lists don't know what a mutation of
    /// a value does, if its response was lost.
    private func compareUnrefreshed() {
        let truth = server.state.value.notes
        let lost = Set(
            mutations.values.filter { $0.outcome == .unknown && !$0.isVisible(at: .element("", 0)) }.map(\.note))
        for (id, loader) in loaders where loader.error == nil && !loader.isStale {
            guard let value = loader.value, let note = truth[id] else { continue }
            if value.marks != note.marks { fail("in the end, unrefreshed, \(id) is \(value), and not \(note)") }
        }
        for (name, list) in lists where list.error == nil && !list.isStale {
            for item in list.items where !lost.contains(item.id) && item.marks != truth[item.id]?.marks {
                fail("in the end, unrefreshed, the \(name) has \(item), and not \(truth[item.id], default: "nil")")
            }
        }
    }

    private func compareWithServer() {
        let truth = server.state.value.notes
        for id in Self.notes where truth[id] != nil && loaders[id]?.value != truth[id] {
            fail(
                "in the end, \(id) is \(loaders[id]?.value, default: "nil"), and the server has \(truth[id], default: "nil")"
            )
        }
        for (name, list) in lists where list.items != truth.values.sorted(by: { $0.id > $1.id }) {
            fail("in the end, the \(name) is \(list.items)")
        }
    }
}
