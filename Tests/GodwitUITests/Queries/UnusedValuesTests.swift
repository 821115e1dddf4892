import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 values that no loader uses", .timeLimit(.minutes(15)))
@MainActor
struct UnusedValuesTests {
    private let server = NoteServer()
    private let clock = TestClock()
    private let queries: QueryStore

    init() {
        var options = QueryOptions()
        options.unusedLifetime = .seconds(60)
        queries = QueryStore(server.client(), options: options, clock: clock)
    }

    /// Lets the main actor's tasks run that the clock has woken.
    private func settle() async {
        for _ in 0..<20 { await Task.yield() }
    }

    /// The first value stays for the time of a value without a loader, and is then removed.
    private func expectRemovalAfterLifetime() async throws {
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(59))
        await settle()
        #expect(queries.value(of: .note(1)) != nil)
        clock.advance(by: .seconds(1))
        await until { queries.value(of: .note(1)) == nil }
    }

    private func add(_ id: Int) {
        queries.set { $0[.note(id)] = Note(id: id, owner: "ann") }
    }

    @Test("V5 a value is kept for a while after its last loader was released, and then removed")
    func lifetime() async throws {
        var loaders = [Loader(queries, .note(1)), Loader(queries, .note(1))]
        await loaders[0].load()
        loaders.removeLast()
        await settle()
        clock.advance(by: .seconds(100))
        await settle()
        #expect(queries.value(of: .note(1)) != nil)
        loaders.removeLast()
        try await expectRemovalAfterLifetime()
        #expect(server.log.count == 1)
    }

    @Test("V5 a value that a loader uses again in the meantime is kept")
    func usedAgain() async throws {
        await Loader(queries, .note(1)).load()
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(59))
        var next: Loader<Note>? = Loader(queries, .note(1))
        clock.advance(by: .seconds(59))
        await settle()
        #expect(next?.value != nil && queries.value(of: .note(1)) != nil)
        next = nil
        try await expectRemovalAfterLifetime()
    }

    @Test("V5 a value that a mutation changes is kept until the mutation is over")
    func mutated() async throws {
        await Loader(queries, .note(1)).load()
        try await clock.waitForSleepers()
        server.hold()
        let mutation = Task { try await queries.mutate(.mark(1, 5)) { $0[.note(1)]?.marks.insert(5) } }
        try await server.waitForRequests(2)
        clock.advance(by: .seconds(60))
        try await clock.waitForSleepers()
        #expect(queries.value(of: .note(1))?.marks == [5])
        server.release()
        _ = try await mutation.value
        #expect(queries.value(of: .note(1))?.marks == [5])
        clock.advance(by: .seconds(60))
        await until { queries.value(of: .note(1)) == nil }
    }

    @Test("V5 of more than 500 values without a loader, those that were used least recently are removed")
    func limit() async {
        let kept = Loader(queries, .note(1))
        for id in 1...501 { add(id) }
        #expect(kept.value?.id == 1 && queries.value(of: .note(2)) != nil)
        // The second value is used again: by a screen that is gone.
        do { _ = Loader(queries, .note(2)) }
        await settle()
        // And the third by an event.
        add(3)
        for id in 502...503 { add(id) }
        #expect(kept.value?.id == 1)
        for id in [2, 3, 6, 502, 503] { #expect(queries.value(of: .note(id)) != nil, "\(id)") }
        for id in [4, 5] { #expect(queries.value(of: .note(id)) == nil, "\(id)") }
    }
}
