import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 values that screens keep fresh", .timeLimit(.minutes(15)))
@MainActor
struct KeepFreshTests {
    private let server = NoteServer()
    private let clock = TestClock()
    private let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wifi]))
    private let queries: QueryStore

    init() {
        var options = QueryOptions()
        options.refetchInterval = .seconds(60)
        queries = QueryStore(server.client(), retryingWith: feed, options: options, clock: clock)
    }

    private func settle() async {
        for _ in 0..<50 { await Task.yield() }
    }

    @Test("V5 an interval joins the load in progress, of a value and of a list")
    func joins() async throws {
        let note = Loader(queries, .note(1))
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        let screens = [Task { await note.keepFresh() }, Task { await list.keepFresh() }]
        try await clock.waitForSleepers(count: 2)
        server.hold()
        let loads = [Task { await note.refresh() }, Task { await list.loadMore() }]
        try await server.waitForRequests(4)
        clock.advance(by: .seconds(60))
        await settle()
        #expect(server.log.count == 4 && !server.state.value.exchanges.contains { $0.number > 1 && $0.isOver })
        for screen in screens { screen.cancel() }
        server.release()
        for task in screens + loads { await task.value }
        #expect(note.state.isLoaded && list.items.count == 6 && server.log.count == 4)
    }

    @Test("V5 two screens that keep a value fresh load it once at an interval")
    func together() async throws {
        let loaders = [Loader(queries, .note(1)), Loader(queries, .note(1))]
        let screens = loaders.map { loader in Task { await loader.keepFresh() } }
        try await clock.waitForSleepers(count: 2)
        server.hold()
        clock.advance(by: .seconds(60))
        try await server.waitForRequests(2)
        await settle()
        #expect(server.log.count == 2 && !server.state.value.exchanges[1].isOver)
        for screen in screens { screen.cancel() }
        for screen in screens { await screen.value }
        server.release()
        await until { !loaders[0].isLoading }
    }

    @Test("V5 an interval passes without a load while there is no network, and while the app has no focus")
    func skips() async throws {
        let note = Loader(queries, .note(1))
        let screen = Task { await note.keepFresh() }
        try await clock.waitForSleepers()
        feed.update(.unsatisfied)
        clock.advance(by: .seconds(60))
        try await clock.waitForSleepers()
        #expect(server.log.count == 1)
        queries.hasFocus = false
        feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        clock.advance(by: .seconds(60))
        try await clock.waitForSleepers()
        #expect(server.log.count == 1)
        queries.hasFocus = true
        clock.advance(by: .seconds(60))
        try await server.waitForRequests(2)
        try await clock.waitForSleepers()
        #expect(server.log.count == 2)
        screen.cancel()
        await screen.value
    }
}
