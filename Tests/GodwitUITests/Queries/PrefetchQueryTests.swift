import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 values that are loaded before a screen asks for them", .timeLimit(.minutes(15)))
@MainActor
struct PrefetchQueryTests {
    private let server = NoteServer()
    private let paging = Paging<NotePage>.cursor { .notes(after: $0) }

    private func store() -> QueryStore { QueryStore(server.client()) }

    @Test("V5 a list can be prefetched: its loader shows the first page without another request")
    func list() async {
        let queries = store()
        queries.prefetch(paging)
        let list = PageLoader(queries, paging)
        await until { list.items.map(\.id) == [1, 2, 3] }
        await list.load()
        #expect(server.log == ["GET /notes"])
    }

    @Test("V5 a list that a screen loads while the prefetch reads the models isn't loaded twice")
    func overtaken() async throws {
        let models = HeldModels()
        let queries = QueryStore(server.client(), models: models)
        queries.prefetch(paging)
        try await models.gate.waitForBeginning(of: 1)
        let list = PageLoader(queries, paging)
        let loads = History { list.isLoading }
        await list.load()
        models.gate.open(1)
        for _ in 0..<1000 { await Task.yield() }
        loads.catchUp()
        #expect(server.log == ["GET /notes"] && loads.values == [false, true, false])
    }

    @Test("V5 a prefetch that fails isn't shown as a failure, and the screen's load tries again")
    func failure() async throws {
        let queries = store()
        server.state.update { $0.isOffline = true }
        queries.prefetch(.note(1))
        let loader = Loader(queries, .note(1))
        let errors = History { loader.error?.kind }
        try await server.state.wait { $0.exchanges.first?.isOver == true }
        await until { !loader.state.isLoading }
        server.state.update { $0.isOffline = false }
        await loader.load()
        errors.catchUp()
        #expect(errors.values == [nil] && loader.value?.id == 1)
    }

    @Test("V5 at most four values are prefetched at the same time")
    func limit() async throws {
        let queries = store()
        server.hold()
        for id in 1...6 { queries.prefetch(.note(id)) }
        try await server.waitForRequests(4)
        // What a screen asks for later isn't held up, and overtakes the fifth.
        let loader = Loader(queries, .note(7))
        let load = Task { await loader.load() }
        try await server.waitForRequests(5)
        // Four at the same time: the server may get them in any order.
        #expect(server.log.prefix(4).sorted() == (1...4).map { "GET /notes/\($0)" } && server.log[4] == "GET /notes/7")
        server.execute(0)
        server.answer(0)
        try await server.waitForRequests(6)
        #expect(server.log.last == "GET /notes/5")
        load.cancel()
    }

    @Test("V5 a view that reads a value which the store doesn't have yet is updated when it arrives")
    func creation() async {
        let queries = store()
        let reader = Task { await until { queries.value(of: .note(1)) != nil } }
        await Task.yield()
        queries.prefetch(.note(1))
        await reader.value
        #expect(queries.value(of: .note(1))?.id == 1)
    }

    @Test(
        "V5 C4 a change that the server confirmed is there after a restart without a network", arguments: [true, false])
    func confirmed(byMutation: Bool) async throws {
        let models = MemoryModelStore()
        let queries = QueryStore(server.client(), models: models)
        let loader = Loader(queries, .note(1))
        await loader.load()
        if byMutation {
            try await queries.mutate(.mark(1, 5)) { changes in
                changes.update(Note.self, id: 1) { $0.marks.insert(5) }
            } confirming: { changes, note in
                changes[.note(1)] = note
            }
        } else {
            queries.set { changes in changes.update(Note.self, id: 1) { $0.marks.insert(5) } }
        }
        server.state.update { $0.isOffline = true }
        var marks: Set<Int> = []
        // It is written after the screen has it.
        while marks != [5] {
            let next = Loader(QueryStore(server.client(), models: models), .note(1))
            await next.load()
            marks = next.value?.marks ?? []
        }
    }
}

/// Models whose first reading is held.
private final class HeldModels: ModelStore {
    private let models = MemoryModelStore()
    let gate = Gate()

    init() {
        for number in 2...100 { gate.open(number) }
    }

    func model(for key: String) async -> StoredModel? {
        _ = try? await gate.pass()
        return await models.model(for: key)
    }

    func store(_ model: StoredModel, for key: String) async { await models.store(model, for: key) }

    func removeModel(for key: String) async { await models.removeModel(for: key) }

    func removeAll() async { await models.removeAll() }
}
