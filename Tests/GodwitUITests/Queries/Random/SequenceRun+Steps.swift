import Godwit
import GodwitTesting
import GodwitUI

// What can happen.
extension SequenceRun {
    /// Runs a sequence, then lets everything end. Returns what went wrong.
    func run(_ count: Int) async -> [String] {
        for _ in 0..<count {
            step()
            await settle()
        }
        await end()
        return violations
    }

    private func step() {
        let id = Int.random(in: Self.notes, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<10: start("load \(id)") { [loader = loaders[id]] in await loader?.load() }
        case 10..<16: start("refresh \(id)") { [loader = loaders[id]] in await loader?.refresh() }
        case 16..<21: start("load list") { [list] in await list.load() }
        case 21..<25: start("load more") { [list] in await list.loadMore() }
        case 25..<28: start("refresh list") { [list] in await list.refresh() }
        case 28..<42: mutate(id, isConditional: false)
        case 42..<46: mutate(id, isConditional: true)
        case 46..<66: executeAny()
        case 66..<82: answerAny()
        case 82..<86: failAny()
        case 86..<88: changeOnServer(id)
        case 88..<90: receiveEvent(id)
        case 90..<92: replaceLoader(id)
        case 92..<94: cancelAny()
        case 94..<95: invalidate(id)
        case 95..<97: setOffline(!server.state.value.isOffline)
        case 97..<98: moveElement()
        default: changeAccount()
        }
    }

    private func start(_ line: String, _ work: @escaping @MainActor () async -> Void) {
        note(line)
        tasks.append(Task { await work() })
    }

    private func mutate(_ id: Int, isConditional: Bool) {
        let (mark, isConfirming) = (newMark(), Bool.random(using: &random))
        note("mark \(id) with \(mark)\(isConditional ? " if unchanged" : "")\(isConfirming ? ", confirming" : "")")
        let effect: @MainActor (QueryChanges) -> Void = { $0.update(Note.self, id: id) { $0.marks.insert(mark) } }
        let confirming: @MainActor (QueryChanges, Note) -> Void = { changes, note in
            if isConfirming { changes.update(Note.self, id: id) { $0 = note } }
        }
        mutations[mark] = Mutation(note: id)
        // The effect is there when the task has run, not before.
        mutations[mark]?.isEnding = true
        mutations[mark]?.task = Task {
            mutations[mark]?.isEnding = false
            do {
                if isConditional {
                    try await queries.mutate(.mark(id, mark), of: .note(id), effect, confirming: confirming)
                } else {
                    try await queries.mutate(.mark(id, mark), effect, confirming: confirming)
                }
                mutations[mark]?.outcome = .accepted
            } catch {
                mutations[mark]?.outcome = outcome(of: mark)
            }
        }
    }

    /// What the server has done with a mutation that failed.
    private func outcome(of mark: Int) -> Outcome {
        guard let exchange = server.state.value.exchanges.first(where: { $0.mark == mark }) else { return .refused }
        // The server may execute a canceled request later.
        if case .response(let status, _, _) = exchange.result, !status.isSuccessful { return .refused }
        return .unknown
    }
}

// The server.
extension SequenceRun {
    private func executeAny() {
        let held = server.state.value.exchanges.filter { $0.result == nil && !$0.isAnswered && !$0.isOver }
        guard let exchange = held.randomElement(using: &random) else { return }
        let isRefused = exchange.mark != nil && Int.random(in: 0..<4, using: &random) == 0
        note("\(isRefused ? "refuse" : "execute") \(exchange.number) \(exchange.request.url.path)")
        server.state.update { $0.refusal = isRefused ? .forbidden : nil }
        server.execute(exchange.number)
        server.state.update { $0.refusal = nil }
        if Bool.random(using: &random) { answer(exchange.number) }
    }

    private func answerAny() {
        let executed = server.state.value.exchanges.filter { $0.result != nil && !$0.isAnswered && !$0.isOver }
        if let exchange = executed.randomElement(using: &random) { answer(exchange.number) }
    }

    private func answer(_ number: Int) {
        note("answer \(number)")
        server.answer(number)
    }

    private func failAny() {
        let open = server.state.value.exchanges.filter { !$0.isAnswered && !$0.isOver }
        guard let exchange = open.randomElement(using: &random) else { return }
        note("fail \(exchange.number)")
        server.fail(exchange.number, .transport(.connectionLost("")))
    }

    private func changeOnServer(_ id: Int) {
        note("the server changes \(id)")
        server.state.update { $0.notes[id]?.version += 1 }
    }

    /// The server tells what it has.
    private func receiveEvent(_ id: Int) {
        guard let note = server.state.value.notes[id], queries.value(of: .note(id)) != nil else { return }
        self.note("event of \(id)")
        queries.set { $0.update(Note.self, id: id) { $0 = note } }
    }

    private func setOffline(_ isOffline: Bool) {
        note(isOffline ? "network lost" : "network back")
        server.state.update { $0.isOffline = isOffline }
    }
}

// The app.
extension SequenceRun {
    private func replaceLoader(_ id: Int) {
        note("another loader of \(id)")
        loaders[id] = Loader(queries, .note(id))
    }

    private func invalidate(_ id: Int) {
        note("invalidate \(id)")
        queries.invalidate(.note(id))
    }

    private func moveElement() {
        note("move the last element to the front")
        list.edit { items in
            if let last = items.popLast() { items.insert(last, at: 0) }
        }
    }

    private func cancelAny() {
        note("cancel a task")
        let open = mutations.filter { $0.value.outcome == .open }.keys.sorted()
        if Bool.random(using: &random), let mark = open.randomElement(using: &random) {
            mutations[mark]?.isEnding = true
            mutations[mark]?.task?.cancel()
        } else {
            tasks.randomElement(using: &random)?.cancel()
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
        server.state.update { $0.notes = NoteServer.notes(5, of: next) }
        isChangingAccount = true
        owner = next
        tasks.append(
            Task {
                try? await api.signIn(AccessToken(access: next))
                forget()
                isChangingAccount = false
            })
    }
}

// The end: everything is answered, and screens show what the server has.
extension SequenceRun {
    private func end() async {
        note("the end")
        setOffline(false)
        server.release()
        for task in mutations.values.compactMap(\.task) + tasks { await task.value }
        check()
        for id in Self.notes { await loaders[id]?.refresh() }
        await list.refresh()
        while list.hasMore, list.error == nil { await list.loadMore() }
        check()
        let truth = server.state.value.notes
        for id in Self.notes where loaders[id]?.value != truth[id] {
            fail(
                "in the end, \(id) is \(loaders[id]?.value, default: "nil"), and the server has \(truth[id], default: "nil")"
            )
        }
        if list.items != truth.values.sorted(by: { $0.id < $1.id }) { fail("in the end, the list is \(list.items)") }
    }
}
