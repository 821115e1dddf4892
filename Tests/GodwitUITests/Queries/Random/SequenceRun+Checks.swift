import Godwit
import GodwitTesting
import GodwitUI

// What holds at any moment.
extension SequenceRun {
    func check() {
        guard !isChangingAccount else { return }
        followOutbox()
        facts = SequenceFacts(server, mutations)
        for (id, loader) in loaders {
            check(loader.value, id, .loader(id))
            check(loader.state, "loader \(id)")
        }
        for (name, list) in lists { check(list, name) }
        checkSummary()
        check(summary.state, "summary")
    }

    private func check(_ state: LoadingState<Note>, _ name: String) {
        if state.error?.kind == .cancelled { fail("\(name) shows a cancellation as an error") }
        note(states.look(at: name, isLoading: state.isLoading, facts.requests, answered: facts.answered))
    }

    private func note(_ violation: String?) {
        if let violation { fail(violation) }
    }

    /// What loads has a request, or waits for one.
    func checkIdle() async {
        guard !isChangingAccount, !states.loading.isEmpty else { return }
        for _ in 0..<500 {
            if states.loading.isEmpty || server.state.value.exchanges.contains(where: { !$0.isOver }) { return }
            await Task.yield()
            check()
        }
        fail("\(states.loading) load without a request")
    }

    /// Values that no loader shows are looked at too.
    func checkValues() {
        guard !isChangingAccount else { return }
        facts = SequenceFacts(server, mutations)
        for id in Self.notes { check(queries.value(of: .note(id)), id, .value(id)) }
    }

    func check(_ value: Note?, _ id: Int, _ place: SequencePlace) {
        if let value { return check(value, id, place) }
        guard let known = shown[place] else { return }
        shown[place]?.version = 0
        if known.isShown, !mayBeAbsent(id) { fail("\(place) shows nothing after a value") }
    }

    private func check(_ value: Note, _ id: Int, _ place: SequencePlace) {
        if value.owner != owner { fail("\(place) shows a note of \(value.owner) to \(owner)") }
        let version = shown[place]?.version ?? 0
        if value.version < version, !mayBeOld(place) {
            fail("\(place) shows version \(value.version) after \(version)")
        }
        shown[place] = SequenceShown(version: value.version, isShown: true)
        for (mark, mutation) in facts.mutations[id] ?? [] {
            let (isThere, isVisible) = (value.marks.contains(mark), mutation.isVisible(at: place))
            switch mutation.outcome {
            case .open where mutation.removes:
                if isVisible, !facts.ending.contains(mark) { fail("\(place) shows what mutation \(mark) removes") }
            case .open:
                if isVisible, !isThere, !facts.ending.contains(mark) {
                    fail("\(place) lacks mark \(mark), which is on its way")
                }
            case .accepted where mayBeOld(place): break
            case .accepted where mutation.removes:
                if isVisible, isGone(id) { fail("\(place) shows what mutation \(mark) has removed") }
            case .accepted:
                let isOnServer = facts.notes[id]?.marks.contains(mark) == true
                if isVisible, !isThere, isOnServer {
                    fail("\(place) lacks mark \(mark), which the server has accepted")
                }
            case .refused: if isThere { fail("\(place) has mark \(mark), which was refused") }
            case .unknown: break
            }
        }
    }

    /// The summary has each mark that the effects have read in a note.
    private func checkSummary() {
        guard let value = summary.value else { return }
        if value.owner != owner { fail("the summary is that of \(value.owner), for \(owner)") }
        for (mark, mutation) in mutations {
            let isThere = value.marks.contains(mark)
            switch mutation.outcome {
            case .open where mutation.isInSummary && !isThere && !facts.ending.contains(mark):
                fail("the summary lacks mark \(mark), which is on its way")
            case .accepted where mutation.isInSummary && !isThere && !(models != nil && summary.isStale):
                if facts.notes[mutation.note]?.marks.contains(mark) == true {
                    fail("the summary lacks mark \(mark), which the server has accepted")
                }
            case .refused where isThere: fail("the summary has mark \(mark), which was refused")
            default: break
            }
        }
    }

    /// Whether a mutation may leave a note without a value.
    private func mayBeAbsent(_ id: Int) -> Bool {
        (facts.mutations[id] ?? []).contains { $1.outcome == .open && ($1.removes || $1.kind == .put) }
    }

    /// Whether a note doesn't exist, for the server and in the effects.
    private func isGone(_ id: Int) -> Bool {
        facts.notes[id] == nil
            && !(facts.mutations[id] ?? []).contains { $1.kind == .put && $1.outcome == .open }
    }
}

// Lists.
extension SequenceRun {
    private func check(_ list: PageLoader<Note>, _ name: String) {
        let items = list.items
        let ids = Set(items.map(\.id))
        if ids.count != items.count { fail("the \(name) shows an element twice: \(items.map(\.id))") }
        for item in items { check(item, item.id, .element(name, item.id)) }
        // What comes back later may be older.
        for place in shown.keys {
            if case .element(name, let id) = place, !ids.contains(id) { shown[place] = nil }
        }
        if list.error?.kind == .cancelled { fail("the \(name) shows a cancellation as an error") }
        note(
            states.look(
                at: name, isLoading: list.isLoading, hasMore: list.hasMore, facts.requests, answered: facts.answered))
        // Elements of the last launch are shown as stale: an event before the list was loaded isn't applied to them.
        if !list.isStale, !ids.isDisjoint(with: gone) {
            fail("the \(name) shows \(ids.intersection(gone)), which an event removed")
        }
        checkCreations(ids, name)
        checkGaps(list, ids, name)
        if ids.contains(where: { $0 > 0 }) { shownLists.insert(name) }
        if items.isEmpty, shownLists.contains(name), !mutations.values.contains(where: \.removes) {
            fail("the \(name) is empty after it had elements")
        }
    }

    private func checkCreations(_ ids: Set<Int>, _ name: String) {
        for (mark, mutation) in mutations where mutation.kind == .create {
            switch mutation.outcome {
            case .open:
                if !ids.contains(-mark), !facts.ending.contains(mark) {
                    fail("the \(name) lacks creation \(mark), which is on its way")
                }
            case .accepted, .refused, .unknown:
                if ids.contains(-mark) { fail("the \(name) has creation \(mark), which is \(mutation.outcome)") }
            }
        }
    }

    /// The list is the beginning of the server's: it has all notes that are newer than its oldest one.
    private func checkGaps(_ list: PageLoader<Note>, _ ids: Set<Int>, _ name: String) {
        // By offset, elements that somebody else removes are missed until the list is read again.
        guard name == "list" || !list.isStale && !mayHaveMoved else { return }
        guard let oldest = !list.hasMore ? 0 : ids.filter({ $0 > 0 }).min() else { return }
        let missing = facts.existing.filter { $0 > oldest && !ids.contains($0) && !unstable.contains($0) }
        if !missing.isEmpty { fail("the \(name) skips \(missing.sorted()): \(ids.sorted(by: >))") }
    }

    /// Whether the lists may lack a removal that they weren't told.
    private var mayHaveMoved: Bool {
        !gone.isEmpty
            || mutations.values.contains { $0.kind == .removeValue && ($0.outcome == .open || $0.outcome == .unknown) }
    }
}
