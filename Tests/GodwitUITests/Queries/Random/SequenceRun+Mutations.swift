import Godwit
import GodwitTesting
import GodwitUI

// Mutations, and what becomes of them.
extension SequenceRun {
    func mark(_ id: Int, isConditional: Bool) {
        let (mark, isConfirming) = (newMark(), Bool.random(using: &random))
        let change: @MainActor (QueryChanges) -> Void = { [weak self] changes in
            changes.update(Note.self, id: id) { $0.marks.insert(mark) }
            self?.addToSummary(changes, mark, id)
        }
        let confirming: @MainActor (QueryChanges, Note) -> Void = { changes, note in
            if isConfirming { changes.update(Note.self, id: id) { $0 = note } }
        }
        let endpoint = Endpoint<Note>.mark(id, mark).options { [invalidation = invalidation()] in
            $0.modelInvalidation = invalidation
        }
        begin(.mark, mark, id, isConditional ? "if unchanged" : isConfirming ? "confirming" : "") { [queries] in
            if isConditional {
                try await queries.mutate(endpoint, of: .note(id), change, confirming: confirming)
            } else {
                try await queries.mutate(endpoint, change, confirming: confirming)
            }
        }
    }

    /// Marks a value by its endpoint. Mutations of a value that isn't loaded aren't ordered, so that a response could be
    /// older than another.
    func markValue(_ id: Int) {
        guard queries.value(of: .note(id)) != nil else { return }
        let (mark, isConfirming) = (newMark(), Bool.random(using: &random))
        begin(.markValue, mark, id) { [queries, weak self] in
            try await queries.mutate(.mark(id, mark)) { changes in
                changes[.note(id)]?.marks.insert(mark)
                self?.addToSummary(changes, mark, id)
            } confirming: { changes, note in
                if isConfirming { changes[.note(id)] = note }
            }
        }
    }

    /// Reads one value to set another.
    private func addToSummary(_ changes: QueryChanges, _ mark: Int, _ id: Int) {
        guard let marks = changes[.note(id)]?.marks else {
            mutations[mark]?.isInSummary = false
            return
        }
        changes[.summary]?.marks.formUnion(marks)
        mutations[mark]?.isInSummary = changes[.summary] != nil
    }

    func remove(_ id: Int) {
        let mark = newMark()
        begin(.remove, mark, id) { [queries] in
            try await queries.mutate(.remove(id, mark)) { $0.remove(Note.self, id: id) }
        }
    }

    func removeValue(_ id: Int) {
        let mark = newMark()
        begin(.removeValue, mark, id) { [queries] in
            try await queries.mutate(.remove(id, mark)) { $0[.note(id)] = nil }
        }
    }

    /// Sets a value that the store doesn't have.
    func put(_ id: Int) {
        guard queries.value(of: .note(id)) == nil,
            !mutations.values.contains(where: { $0.note == id && $0.outcome == .open })
        else { return }
        let (mark, isConfirming, owner) = (newMark(), Bool.random(using: &random), owner)
        // What was removed before may exist again. What the server has besides isn't in the value that is set.
        for (other, mutation) in mutations where mutation.note == id && mutation.outcome == .accepted {
            mutations[other]?.outcome = .unknown
        }
        unstable.insert(id)
        begin(.put, mark, id) { [queries] in
            try await queries.mutate(.put(id, mark)) { changes in
                var note = changes[.note(id)] ?? Note(id: id, owner: owner, version: 0)
                note.marks.insert(mark)
                changes[.note(id)] = note
            } confirming: { changes, note in
                if isConfirming { changes[.note(id)] = note }
            }
        }
    }

    /// Creates a note, which the server's replaces.
    func create() {
        let (mark, owner, lists, isWhole) = (newMark(), owner, Array(lists.values), Bool.random(using: &random))
        begin(.create, mark, -mark) { [queries, weak self] in
            try await queries.mutate(.create(mark)) { changes in
                let note = Note(id: -mark, owner: owner, marks: [mark], version: 0)
                for list in lists {
                    if isWhole { changes[list].insert(note, at: 0) } else { changes.insert(note, in: list) }
                }
            } confirming: { changes, note in
                self?.mutations[mark]?.note = note.id
                for list in lists { changes[list] = [note] + changes[list].filter { $0.id != -mark } }
            }
        }
    }

    private func invalidation() -> ModelInvalidation { Bool.random(using: &random) ? .off : .byPath }

    private func begin(
        _ kind: SequenceMutation.Kind, _ mark: Int, _ id: Int, _ how: String = "",
        _ send: @escaping @MainActor () async throws -> Void
    ) {
        note("\(kind) \(id), mutation \(mark) \(how)")
        var mutation = SequenceMutation(kind: kind, note: id)
        // The effect is there when the task has run, not before.
        mutation.task = Task {
            mutations[mark]?.isEnding = false
            do {
                try await send()
                end(mark, .accepted)
            } catch {
                end(mark, outcome(of: mark))
            }
        }
        mutations[mark] = mutation
    }

    private func end(_ mark: Int, _ outcome: SequenceOutcome) {
        guard let mutation = mutations[mark] else { return }
        mutations[mark]?.outcome = outcome
        guard mutation.removes || mutation.kind == .put else { return }
        if outcome == .accepted || outcome == .unknown { unstable.insert(mutation.note) }
        // It may not exist from now on.
        let isPresent = mutation.removes && outcome == .refused
        guard !isPresent else { return }
        for place in shown.keys where place.note == mutation.note { shown[place]?.isShown = false }
    }

    /// What the server has done with a mutation that failed.
    private func outcome(of mark: Int) -> SequenceOutcome {
        guard let exchange = server.state.value.exchanges.first(where: { $0.mark == mark }) else { return .refused }
        // The server may execute a canceled request later.
        if case .response(let status, _, _) = exchange.result, !status.isSuccessful { return .refused }
        return .unknown
    }

    func cancelAny() {
        note("cancel a task")
        let open = mutations.filter { $0.value.outcome == .open }.keys.sorted()
        if Bool.random(using: &random), let mark = open.randomElement(using: &random) {
            mutations[mark]?.isEnding = true
            mutations[mark]?.task?.cancel()
        } else {
            tasks.randomElement(using: &random)?.cancel()
        }
    }
}
