import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 mutations of shared values", .timeLimit(.minutes(15)))
@MainActor
struct QueryMutationTests {
    private let server = NoteServer()
    private let queries: QueryStore

    init() {
        queries = QueryStore(server.client())
    }

    /// Starts a mutation on a server that holds requests. Returns once its request is there.
    private func mutation(_ id: Int, _ mark: Int) async throws -> Task<Note, any Error> {
        let count = server.log.count
        let task = Task { try await queries.mutate(.mark(id, mark)) { $0[.note(id)]?.marks.insert(mark) } }
        try await server.waitForRequests(count + 1)
        return task
    }

    private func finish(_ number: Int) {
        server.execute(number)
        server.answer(number)
    }

    @Test("V5 the effect is shown at once, kept when the server accepts it, and the value is loaded again")
    func accepted() async throws {
        let note = await queries.loaded(1)
        server.hold()
        let task = try await mutation(1, 5)
        #expect(note.value?.marks == [5] && note.state.isLoaded)
        finish(1)
        _ = try await task.value
        #expect(note.value?.marks == [5] && note.isLoading)
        try await server.waitForRequests(3)
        finish(2)
        await until { note.state.isLoaded }
        #expect(note.value == Note(id: 1, owner: "ann", marks: [5], version: 2))
    }

    @Test("V5 a value from the response is shown instead of loading it again")
    func confirming() async throws {
        let note = await queries.loaded(1)
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        try await queries.mutate(.mark(1, 5)) { changes in
            changes.update(Note.self, id: 1) { $0.marks.insert(5) }
        } confirming: { changes, note in
            changes.update(Note.self, id: note.id) { $0 = note }
        }
        #expect(note.value?.version == 2 && list.items.first?.version == 2)
        #expect(server.log == ["GET /notes/1", "GET /notes", "PATCH /notes/1"])
    }

    @Test("V5 a refused effect is undone, that of other mutations stays, and the error is thrown")
    func refused() async throws {
        let note = await queries.loaded(1)
        server.hold()
        let first = try await mutation(1, 5)
        let second = Task { try await queries.mutate(.mark(1, 6)) { $0[.note(1)]?.marks.insert(6) } }
        await until { note.value?.marks == [5, 6] }
        server.state.update { $0.refusal = .forbidden }
        finish(1)
        let error = await #expect(throws: NetworkError.self) { try await first.value }
        #expect(error?.kind == .forbidden && note.value?.marks == [6])
        server.state.update { $0.refusal = nil }
        try await server.waitForRequests(3)
        finish(2)
        _ = try await second.value
        try await server.waitForRequests(4)
        finish(3)
        await until { note.state.isLoaded }
        #expect(note.value?.marks == [6] && note.value?.version == 2)
    }

    @Test("V5 mutations of one value are sent in order, those of different values at the same time")
    func order() async throws {
        _ = (await queries.loaded(1), await queries.loaded(2))
        let kept = (Loader(queries, .note(1)), Loader(queries, .note(2)))
        server.hold()
        let first = try await mutation(1, 5)
        let second = Task { try await queries.mutate(.mark(1, 6)) { $0[.note(1)]?.marks.insert(6) } }
        let other = try await mutation(2, 7)
        #expect(server.log.suffix(2) == ["PATCH /notes/1", "PATCH /notes/2"])
        finish(2)
        _ = try await first.value
        try await server.state.wait { $0.exchanges.contains { $0.number > 3 && $0.request.method == .patch } }
        server.state.update { $0.isAutomatic = true }
        for number in 3..<server.log.count { finish(number) }
        _ = (try await second.value, try await other.value)
        await until { kept.0.state.isLoaded && kept.1.state.isLoaded }
        #expect(kept.0.value?.marks == [5, 6] && kept.1.value?.marks == [7])
    }

    @Test("V5 a load that overlaps with a mutation is sent again: its result may be from before it")
    func overlap() async throws {
        let note = await queries.loaded(1)
        server.hold()
        let refresh = Task { await note.refresh() }
        try await server.waitForRequests(2)
        server.execute(1)
        let task = try await mutation(1, 5)
        server.answer(1)
        #expect(note.value?.marks == [5])
        finish(2)
        _ = try await task.value
        server.state.update { $0.isAutomatic = true }
        try await server.waitForRequests(4)
        for number in 3..<server.log.count { finish(number) }
        await refresh.value
        await until { note.state.isLoaded }
        #expect(note.value?.marks == [5] && note.value?.version == 2)
    }

    @Test("V5 a first value that arrives during a mutation has its effect, and isn't replaced by an older one")
    func firstValue() async throws {
        server.hold()
        let note = Loader(queries, .note(1))
        let task = Task {
            try await queries.mutate(.mark(1, 5), of: .note(1)) {
                $0[.note(1)]?.marks.insert(5)
            } confirming: {
                $0[.note(1)] = $1
            }
        }
        try await server.waitForRequests(1)
        server.execute(0)
        server.state.update { $0.notes[1]?.version = 7 }
        let load = Task { await note.load() }
        try await server.waitForRequests(2)
        finish(1)
        await until { note.value != nil }
        #expect(note.value?.marks == [5] && note.value?.version == 7)
        server.answer(0)
        _ = try await task.value
        #expect(note.value?.version == 7)
        server.release()
        await load.value
        #expect(note.value == server.state.value.notes[1] && note.state.isLoaded)
    }

    @Test("V5 a first value that was read before a mutation doesn't replace the one that the mutation confirmed")
    func firstValueFromBefore() async throws {
        server.hold()
        let task = Task {
            try await queries.mutate(.mark(1, 5)) {
                $0[.note(1)]?.marks.insert(5)
            } confirming: {
                $0[.note(1)] = $1
            }
        }
        try await server.waitForRequests(1)
        // Known to the mutation, but without a value.
        let note = Loader(queries, .note(1))
        let history = History { note.value?.version }
        let load = Task { await note.load() }
        try await server.waitForRequests(2)
        server.execute(1)
        finish(0)
        _ = try await task.value
        #expect(note.value?.version == 2)
        server.answer(1)
        try await server.waitForRequests(3)
        server.release()
        await load.value
        history.catchUp()
        #expect(history.values == [nil, 2] && note.value?.marks == [5])
    }

    @Test("V5 C4 nor does one that follows a stored value")
    func storedValueFromBefore() async throws {
        let models = MemoryModelStore()
        await Loader(QueryStore(server.client(), models: models), .note(1)).load()
        let queries = QueryStore(server.client(), models: models, now: { Date() + 1000 })
        server.hold()
        let note = Loader(queries, .note(1))
        let task = Task {
            try await queries.mutate(.mark(1, 5), of: .note(1)) {
                $0[.note(1)]?.marks.insert(5)
            } confirming: {
                $0[.note(1)] = $1
            }
        }
        try await server.waitForRequests(2)
        let load = Task { await note.load() }
        try await server.waitForRequests(3)
        #expect(note.value?.version == 1)
        server.execute(2)
        finish(1)
        _ = try await task.value
        #expect(note.value?.version == 2)
        let history = History { note.value?.version }
        server.answer(2)
        try await server.waitForRequests(4)
        server.release()
        await load.value
        history.catchUp()
        #expect(history.values == [2] && note.value?.marks == [5])
    }

    @Test("V5 a first page that was requested before a mutation and arrives after it is requested again")
    func firstPage() async throws {
        let note = await queries.loaded(1)
        server.hold()
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        let history = History { list.items.first?.marks }
        let load = Task { await list.load() }
        try await server.waitForRequests(2)
        server.execute(1)
        let task = Task { try await queries.mutate(.mark(1, 5)) { $0.update(Note.self, id: 1) { $0.marks.insert(5) } } }
        try await server.waitForRequests(3)
        finish(2)
        _ = try await task.value
        server.release()
        await load.value
        history.catchUp()
        #expect(history.values == [nil, [5]] && note.value?.marks == [5])
    }

    @Test("V5 a change that the server has another version of is refused, and that version is loaded (412)")
    func conflict() async throws {
        let note = await queries.loaded(1)
        #expect(queries.etag(of: .note(1)) == "\"1\"")
        try await queries.mutate(.mark(1, 5), of: .note(1)) {
            $0[.note(1)]?.marks.insert(5)
        } confirming: {
            $0[.note(1)] = $1
        }
        #expect(queries.etag(of: .note(1)) == "\"2\"" && note.value?.version == 2)
        server.state.update { $0.notes[1] = Note(id: 1, owner: "ann", marks: [9], version: 3) }
        let error = await #expect(throws: NetworkError.self) {
            try await queries.mutate(.mark(1, 6), of: .note(1)) { $0[.note(1)]?.marks.insert(6) }
        }
        #expect(error?.kind == .client(status: 412))
        #expect(note.value?.marks == [9] && note.value?.version == 3)
        try await queries.mutate(.mark(1, 6), of: .note(1)) { $0[.note(1)]?.marks.insert(6) }
        await until { note.state.isLoaded }
        #expect(note.value?.marks == [6, 9])
    }

    @Test("V5 a mutation that fails without an answer may have happened: its values are loaded again")
    func ambiguous() async throws {
        let note = await queries.loaded(1)
        server.hold()
        let task = try await mutation(1, 5)
        server.execute(1)
        server.fail(1, .transport(.connectionLost("")))
        await #expect(throws: NetworkError.self) { try await task.value }
        #expect(note.value?.marks == [] && note.isLoading)
        try await server.waitForRequests(3)
        finish(2)
        await until { note.state.isLoaded }
        #expect(note.value?.marks == [5])
    }

    @Test("V5 without a network a mutation fails at once, and nothing is loaded")
    func offline() async throws {
        let note = await queries.loaded(1)
        server.state.update { $0.isOffline = true }
        await #expect(throws: NetworkError.self) {
            try await queries.mutate(.mark(1, 5)) { $0[.note(1)]?.marks.insert(5) }
        }
        #expect(note.value?.marks == [] && note.state.isLoaded && server.log.count == 2)
    }

    @Test("V5 a canceled mutation is undone, whether it waits for its turn or for its response")
    func cancel() async throws {
        let note = await queries.loaded(1)
        server.hold()
        let first = try await mutation(1, 5)
        let second = Task { try await queries.mutate(.mark(1, 6)) { $0[.note(1)]?.marks.insert(6) } }
        await until { note.value?.marks == [5, 6] }
        second.cancel()
        await #expect(throws: NetworkError.self) { try await second.value }
        #expect(note.value?.marks == [5] && server.log.count == 2)
        first.cancel()
        await #expect(throws: NetworkError.self) { try await first.value }
        #expect(note.value?.marks == [])
    }

    @Test("V5 elements are inserted, moved and removed without loading the list again, and come back if refused")
    func lists() async throws {
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        server.hold()
        let task = Task { try await queries.mutate(.remove(2)) { $0.remove(Note.self, id: 2) } }
        try await server.waitForRequests(2)
        #expect(list.items.map(\.id) == [1, 3])
        server.state.update { $0.refusal = .forbidden }
        finish(1)
        await #expect(throws: NetworkError.self) { try await task.value }
        #expect(list.items.map(\.id) == [1, 2, 3])
        server.state.update { ($0.refusal, $0.isAutomatic) = (nil, true) }
        try await queries.mutate(.remove(2)) { $0[list].removeAll { $0.id == 2 } }
        await list.loadMore()
        #expect(list.items.map(\.id) == [1, 3, 4, 5, 6])
        list.edit { items in items.insert(items.removeLast(), at: 0) }
        list.edit { $0.append(Note(id: 6, owner: "twice")) }
        #expect(list.items.map(\.id) == [6, 1, 3, 4, 5])
        await list.loadMore()
        #expect(list.items.map(\.id) == [6, 1, 3, 4, 5, 7])
        #expect(server.count("GET /notes") == 3)
    }

    @Test("V5 a page that is loaded during a mutation doesn't bring back what it removed")
    func pageDuringMutation() async throws {
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        server.hold()
        let more = Task { await list.loadMore() }
        try await server.waitForRequests(2)
        server.execute(1)
        let task = Task { try await queries.mutate(.remove(5)) { $0.remove(Note.self, id: 5) } }
        try await server.waitForRequests(3)
        server.answer(1)
        finish(2)
        try await task.value
        server.state.update { $0.isAutomatic = true }
        try await server.waitForRequests(4)
        for number in 3..<server.log.count { finish(number) }
        await more.value
        #expect(list.items.map(\.id) == [1, 2, 3, 4, 6, 7])
    }

    @Test("V5 values from events replace those that are shown, and a load in progress starts again")
    func events() async throws {
        let note = await queries.loaded(1)
        server.hold()
        let refresh = Task { await note.refresh() }
        try await server.waitForRequests(2)
        server.execute(1)
        server.state.update { $0.notes[1]?.version = 8 }
        queries.set { $0[.note(1)] = Note(id: 1, owner: "ann", version: 8) }
        server.answer(1)
        try await server.waitForRequests(3)
        #expect(note.value?.version == 8)
        finish(2)
        await refresh.value
        #expect(note.value?.version == 8)
    }
}
