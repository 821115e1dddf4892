import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 loads and the screens that leave", .timeLimit(.minutes(15)))
@MainActor
struct BackgroundLoadTests {
    /// What begins a load that no screen has asked for.
    enum Beginning: CaseIterable {
        case interval, focus, reconnect, invalidation
    }

    private let server = NoteServer()
    private let clock = TestClock()
    private let date = Watched(Date(timeIntervalSince1970: 1_800_000_000))
    private let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.cellular]))
    private let queries: QueryStore

    init() {
        var options = QueryOptions()
        options.refetchInterval = .seconds(60)
        queries = QueryStore(
            server.client(), retryingWith: feed, options: options, clock: clock, now: { [date] in date.value })
    }

    /// Lets the main actor's tasks run, which begin to wait or are released.
    private func settle() async {
        for _ in 0..<20 { await Task.yield() }
    }

    /// Makes the store load a value again that a screen keeps fresh. Returns when the request is held.
    private func begin(_ beginning: Beginning) async throws {
        try await clock.waitForSleepers()
        let count = server.log.count
        server.hold()
        date.update { $0 += 40 }
        switch beginning {
        case .interval: clock.advance(by: .seconds(60))
        case .focus:
            queries.hasFocus = false
            queries.hasFocus = true
        case .reconnect: feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        case .invalidation: queries.invalidateAll()
        }
        try await server.waitForRequests(count + 1)
    }

    @Test("V5 a load that the store began continues when screens that wait for it leave", arguments: Beginning.allCases)
    func store(_ beginning: Beginning) async throws {
        let note = Loader(queries, .note(1))
        var other: Loader<Note>? = Loader(queries, .note(1))
        let screen = Task { await note.keepFresh() }
        try await begin(beginning)
        server.state.update { $0.notes[1]?.version = 8 }
        let waiting = Task { await note.load() }
        await settle()
        waiting.cancel()
        screen.cancel()
        await waiting.value
        await screen.value
        note.cancel()
        other?.cancel()
        other = nil
        await settle()
        #expect(note.isLoading && server.log.count == 2)
        server.release()
        await until { !note.isLoading }
        #expect(note.value?.version == 8 && server.log.count == 2)
    }

    @Test("V5 a page that an element requested is loaded when the screen of the element leaves")
    func page() async throws {
        let paging = Paging<NotePage>.cursor { .notes(after: $0) }
        let list = PageLoader(queries, paging)
        var other: PageLoader<Note>? = PageLoader(queries, paging)
        await list.load()
        server.hold()
        other?.itemAppeared(Note(id: 3, owner: "ann"))
        try await server.waitForRequests(2)
        let waiting = Task { await list.loadMore() }
        await settle()
        waiting.cancel()
        await waiting.value
        list.cancel()
        other?.cancel()
        other = nil
        await settle()
        #expect(list.isLoading)
        server.release()
        await until { !list.isLoading }
        #expect(list.items.count == 6 && server.log.count == 2)
    }

    @Test("V5 a load that a screen began, and that only it waits for, is canceled when it leaves")
    func screen() async throws {
        let paging = Paging<NotePage>.cursor { .notes(after: $0) }
        let (note, list) = (Loader(queries, .note(1)), PageLoader(queries, paging))
        let others = (Loader(queries, .note(1)), PageLoader(queries, paging))
        server.hold()
        let loads = [Task { await note.load() }, Task { await list.load() }]
        try await server.waitForRequests(2)
        note.cancel()
        list.cancel()
        #expect(!note.isLoading && !list.isLoading)
        for load in loads { await load.value }
        try await server.state.wait { $0.exchanges.count { $0.isOver } == 2 }
        #expect(others.0.value == nil && others.1.items.isEmpty && others.1.error == nil)
    }

    @Test("V5 the request that no screen waits for is canceled when the last loader of its value is released")
    func lastLoader() async throws {
        var loaders: [Loader<Note>] = [Loader(queries, .note(1)), Loader(queries, .note(1))]
        await loaders[0].load()
        server.hold()
        queries.invalidate(.note(1))
        try await server.waitForRequests(2)
        loaders.removeLast()
        await settle()
        #expect(loaders[0].isLoading && !server.state.value.exchanges[1].isOver)
        loaders.removeLast()
        try await server.state.wait { $0.exchanges[1].isOver }
        #expect(queries.value(of: .note(1))?.version == 1)
        server.release()
        let next = Loader(queries, .note(1))
        #expect(!next.isLoading && next.isStale)
        await next.load()
        #expect(server.log.count == 3 && !next.isStale)
    }

    @Test("V5 the request of a list is canceled when its last loader is released, and the elements stay")
    func lastListLoader() async throws {
        let paging = Paging<NotePage>.cursor { .notes(after: $0) }
        var list: PageLoader<Note>? = PageLoader(queries, paging)
        await list?.load()
        server.hold()
        list?.itemAppeared(Note(id: 3, owner: "ann"))
        try await server.waitForRequests(2)
        list = nil
        try await server.state.wait { $0.exchanges[1].isOver }
        let next = PageLoader(queries, paging)
        #expect(next.items.count == 3 && !next.isLoading)
    }
}
