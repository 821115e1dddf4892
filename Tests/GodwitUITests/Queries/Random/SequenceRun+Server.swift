import Godwit
import GodwitTesting
import GodwitUI

// The server, and the network.
extension SequenceRun {
    func executeAny() {
        let held = server.state.value.exchanges.filter { $0.result == nil && !$0.isAnswered && !$0.isOver }
        guard let exchange = held.randomElement(using: &random) else { return }
        let isRefused = exchange.mark != nil && Int.random(in: 0..<4, using: &random) == 0
        note("\(isRefused ? "refuse" : "execute") \(exchange.number) \(exchange.request.url.path)")
        server.state.update { $0.refusal = isRefused ? .forbidden : nil }
        server.execute(exchange.number)
        server.state.update { $0.refusal = nil }
        if Bool.random(using: &random) { answer(exchange.number) }
    }

    func answerAny() {
        let executed = server.state.value.exchanges.filter { $0.result != nil && !$0.isAnswered && !$0.isOver }
        if let exchange = executed.randomElement(using: &random) { answer(exchange.number) }
    }

    private func answer(_ number: Int) {
        note("answer \(number)")
        server.answer(number)
    }

    func failAny() {
        let open = server.state.value.exchanges.filter { !$0.isAnswered && !$0.isOver }
        guard let exchange = open.randomElement(using: &random) else { return }
        note("fail \(exchange.number)")
        server.fail(exchange.number, .transport(.connectionLost("")))
    }

    func setOffline(_ isOffline: Bool) {
        note(isOffline ? "network lost" : "network back")
        server.state.update { $0.isOffline = isOffline }
        feed.update(
            NetworkPath(status: isOffline ? .unsatisfied : .satisfied, interfaces: isOffline ? [] : [.wifi]))
    }

    /// Somebody else changes a note.
    func changeElsewhere(_ id: Int) {
        note("the server changes \(id)")
        server.state.update { $0.notes[id]?.version += 1 }
    }

    /// The server tells what it has.
    func receiveChange(_ id: Int) {
        guard let note = server.state.value.notes[id], queries.value(of: .note(id)) != nil else { return }
        self.note("event of \(id)")
        told.insert(id)
        queries.set { $0.update(Note.self, id: id) { $0 = note } }
    }

    /// Somebody else removes a note, and the server tells.
    func receiveRemoval(_ id: Int) {
        guard server.state.value.notes[id] != nil else { return }
        note("\(id) is removed, with an event")
        server.state.update { $0.remove(id) }
        queries.set { $0.remove(Note.self, id: id) }
        gone.insert(id)
        unstable.insert(id)
    }

    /// Somebody else creates a note, and the server tells.
    func receiveInsertion() {
        let (mark, lists) = (newMark(), lists.values)
        let created = server.state.update { $0.add(mark) }
        note("\(created.id) is created, with an event")
        queries.set { changes in
            for list in lists { changes[list].insert(created, at: 0) }
        }
        unstable.insert(created.id)
    }
}
