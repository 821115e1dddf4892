import Godwit
import GodwitTesting
import GodwitUI
import TestSupport

// Mutations that wait for a network in an outbox of the account.
extension SequenceRun {
    func openOutbox() {
        guard let folder else { return }
        accountCount += 1
        let user = "\(owner) \(accountCount)"
        outbox = try? Outbox(queries, in: folder.url, for: user, sending: [MarkNote.self])
        if outbox == nil { fail("the outbox of \(user) can't be opened") }
    }

    func addToOutbox(_ id: Int) {
        guard let outbox, !isChangingAccount else { return }
        let (mark, isConditional) = (newMark(), Bool.random(using: &random))
        mutations[mark] = SequenceMutation(kind: .queued, note: id)
        start("outbox: mark \(id), mutation \(mark)\(isConditional ? " if unchanged" : "")") { [weak self] in
            self?.mutations[mark]?.isEnding = false
            do {
                try await outbox.add(MarkNote(note: id, mark: mark, isConditional: isConditional))
            } catch {
                self?.mutations[mark]?.outcome = .refused
            }
        }
    }

    func sendOutbox() {
        guard let outbox else { return }
        start("send the outbox") { await outbox.sendNow() }
    }

    /// Decides about a refused mutation, or gives one up that waits.
    func decideOutbox() {
        guard let outbox, let item = outbox.items.filter({ $0.state != .sending }).randomElement(using: &random),
            let mark = (item.mutation as? MarkNote)?.mark
        else { return }
        if item.needsDecision, Bool.random(using: &random) {
            start("outbox: retry \(mark)") { try? await outbox.retry(item.id) }
        } else {
            start("outbox: discard \(mark)") { [weak self] in await self?.discard(item.id, mark) }
        }
    }

    private func discard(_ id: OutboxItem.ID, _ mark: Int) async {
        // It may be on its way by now.
        guard let outbox, outbox.items.contains(where: { $0.id == id && $0.state != .sending }) else { return }
        // The server may have applied it, if a response was lost.
        let isApplied = server.state.value.memory.executions[mark] != nil
        mutations[mark]?.outcome = isApplied ? .unknown : .refused
        mutations[mark]?.isDiscarded = true
        await outbox.discard(id)
    }

    /// What the outbox tells of its mutations.
    func followOutbox() {
        guard let outbox else { return }
        let items = Dictionary(outbox.items.map { (($0.mutation as? MarkNote)?.mark ?? 0, $0) }) { first, _ in first }
        for (mark, mutation) in mutations where mutation.kind == .queued && !mutation.isDiscarded {
            if let item = items[mark] {
                mutations[mark]?.isListed = true
                mutations[mark]?.outcome = item.needsDecision ? .refused : .open
            } else if mutation.isListed, mutation.outcome != .unknown {
                mutations[mark]?.outcome = .accepted
            }
        }
    }

    /// Sends what is left. Each mutation was executed once.
    func endOutbox() async {
        guard let outbox else { return }
        for _ in 0..<50 where !outbox.items.isEmpty {
            await outbox.sendNow()
            for item in outbox.items.filter(\.needsDecision) {
                if let mark = (item.mutation as? MarkNote)?.mark { mutations[mark]?.isDiscarded = true }
                await outbox.discard(item.id)
            }
        }
        followOutbox()
        if !outbox.items.isEmpty { fail("the outbox keeps \(outbox.items)") }
        let executions = server.state.value.memory.executions
        for (mark, mutation) in mutations where mutation.kind == .queued {
            let count = executions[mark] ?? 0
            if count > 1 || count == 0 && mutation.outcome == .accepted {
                fail("mutation \(mark) of the outbox was executed \(count) times")
            }
        }
        await outbox.close()
    }
}
