import Godwit
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("V5 what random sequences have found", .timeLimit(.minutes(15)))
@MainActor
struct FoundBySequencesTests {
    private let server = NoteServer()

    @Test("V5 a creation that is confirmed while the first page is of unknown age is shown as the server's element")
    func confirmedCreation() async throws {
        let queries = QueryStore(server.client())
        let list = PageLoader(queries, .cursor { .newest(after: $0) })
        server.hold()
        let creation = Task {
            try await queries.mutate(.create(4)) { changes in
                changes[list].insert(Note(id: -4, owner: "ann", marks: [4]), at: 0)
            } confirming: { changes, note in
                changes[list] = [note] + changes[list].filter { $0.id != -4 }
            }
        }
        try await server.waitForRequests(1)
        let load = Task { await list.load() }
        try await server.waitForRequests(2)
        server.execute(1)
        server.answer(1)
        await until { list.items.map(\.id) == [-4, 7, 6, 5] }
        server.execute(0)
        server.answer(0)
        _ = try await creation.value
        // It is read again, as it is unknown whether the page was newer.
        #expect(list.isStale)
        #expect(list.items.map(\.id) == [8, 7, 6, 5])
        load.cancel()
    }

    @Test("V5 a first value that is on its way while a mutation's response is lost is loaded again")
    func lostResponse() async throws {
        let queries = QueryStore(server.client())
        let note = Loader(queries, .note(1))
        server.hold()
        let load = Task { await note.load() }
        try await server.waitForRequests(1)
        server.execute(0)
        let mutation = Task {
            try await queries.mutate(.mark(1, 5)) { changes in changes.update(Note.self, id: 1) { $0.marks.insert(5) } }
        }
        try await server.waitForRequests(2)
        server.execute(1)
        server.fail(1, .transport(.connectionLost("")))
        await #expect(throws: NetworkError.self) { try await mutation.value }
        server.answer(0)
        try await server.waitForRequests(3)
        server.execute(2)
        server.answer(2)
        await load.value
        #expect(note.value?.marks == [5])
    }

    @Test("V5 a load that fails for lack of a network which is back already is sent again without showing the error")
    func networkBack() async throws {
        let feed = PathFeed(NetworkPath(status: .unsatisfied, interfaces: []))
        let queries = QueryStore(server.client(), retryingWith: feed)
        let note = Loader(queries, .note(1))
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        let errors = History { [note.error?.kind, list.error?.kind] }
        server.hold()
        let loads = [Task { await note.load() }, Task { await list.load() }]
        try await server.waitForRequests(2)
        feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        for number in 0..<2 { server.fail(number, .offline(.noPath)) }
        try await server.waitForRequests(4)
        server.release()
        for load in loads { await load.value }
        errors.catchUp()
        #expect(note.value?.id == 1 && list.items.count == 3)
        #expect(errors.values == [[nil, nil]])
    }

    @Test("V5 a mutation of an outbox waits for one of the same value that is being sent")
    func outboxBehindMutation() async throws {
        let folder = TemporaryFolder()
        let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        let queries = QueryStore(server.client(), retryingWith: feed, clock: TestClock())
        let note = await queries.loaded(1)
        let outbox = try Outbox(queries, in: folder.url, for: "ann", sending: [MarkNote.self])
        server.state.update { $0.isOffline = true }
        try await outbox.add(MarkNote(note: 1, mark: 5))
        await until { outbox.items.first?.error != nil }
        server.state.update { $0.isOffline = false }
        server.hold()
        let mutation = Task {
            try await queries.mutate(.mark(1, 6)) { changes in
                changes.update(Note.self, id: 1) { $0.marks.insert(6) }
            }
        }
        try await server.waitForRequests(3)
        let sending = Task { await outbox.sendNow() }
        await until { outbox.items.first?.state == .sending }
        for _ in 0..<100 { await Task.yield() }
        #expect(note.value?.marks == [5, 6])
        #expect(server.count("PATCH /notes/1") == 2)
        server.release()
        _ = try await mutation.value
        await sending.value
        await note.refresh()
        #expect(note.value?.marks == [5, 6])
        #expect(server.state.value.exchanges.compactMap(\.mark) == [5, 6, 5])
        await outbox.close()
    }

    @Test("V5 the repeated response of a mutation whose first response was lost doesn't replace what is newer")
    func repeatedResponse() async throws {
        let folder = TemporaryFolder()
        let clock = TestClock()
        let queries = QueryStore(server.client(), clock: clock)
        server.state.update { $0.memory.honorsKeys = true }
        let note = Loader(queries, .note(1))
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await note.load()
        await list.load()
        let outbox = try Outbox(queries, in: folder.url, for: "ann", sending: [MarkNote.self])
        server.hold()
        try await outbox.add(MarkNote(note: 1, mark: 5))
        try await server.waitForRequests(3)
        server.execute(2)
        server.fail(2, .transport(.connectionLost("")))
        await until { outbox.items.first?.error != nil }
        server.release()
        try await queries.mutate(.mark(1, 6)) { changes in changes.update(Note.self, id: 1) { $0.marks.insert(6) } }
        let marks = History { [note.value?.marks ?? [], list.items.first?.marks ?? []] }
        await outbox.sendNow()
        await note.refresh()
        marks.catchUp()
        #expect(marks.values == [[[5, 6], [5, 6]]] && outbox.items.isEmpty)
        #expect(server.state.value.memory.executions[5] == 1)
        await outbox.close()
    }

    @Test("V5 values are loaded again after a mutation is discarded whose response was lost")
    func discardedMutation() async throws {
        let folder = TemporaryFolder()
        let queries = QueryStore(server.client(), clock: TestClock())
        let note = await queries.loaded(1)
        let outbox = try Outbox(queries, in: folder.url, for: "ann", sending: [MarkNote.self])
        server.hold()
        try await outbox.add(MarkNote(note: 1, mark: 5))
        try await server.waitForRequests(2)
        server.execute(1)
        server.fail(1, .transport(.connectionLost("")))
        await until { outbox.items.first?.error != nil }
        server.release()
        await outbox.discard(try #require(outbox.items.first).id)
        await note.load()
        #expect(note.value?.marks == [5] && server.count("GET /notes/1") == 2)
        await outbox.close()
    }

    @Test("V5 an event removes an element from a list of unknown age at once")
    func eventOfConflictingList() async throws {
        let queries = QueryStore(server.client())
        let list = PageLoader(queries, .cursor { .newest(after: $0) })
        server.hold()
        let mutation = Task {
            try await queries.mutate(.mark(7, 4)) { changes in changes.update(Note.self, id: 7) { $0.marks.insert(4) } }
        }
        let load = Task { await list.load() }
        try await server.waitForRequests(2)
        for number in 0..<2 where server.state.value.exchanges[number].request.method == .get {
            server.execute(number)
            server.answer(number)
        }
        await until { list.items.map(\.id) == [7, 6, 5] }
        queries.set { $0.remove(Note.self, id: 6) }
        #expect(list.items.map(\.id) == [7, 5])
        server.release()
        _ = try await mutation.value
        await load.value
    }
}
