import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 values that screens share", .timeLimit(.minutes(15)))
@MainActor
struct QueryStoreTests {
    private let server = NoteServer()
    private let clock = TestClock()
    private let date = Watched(Date(timeIntervalSince1970: 1_800_000_000))

    private func store(
        _ api: APIClient? = nil, models: (any ModelStore)? = nil, monitor: (any PathMonitor)? = nil,
        _ change: (inout QueryOptions) -> Void = { _ in }
    ) -> QueryStore {
        var options = QueryOptions()
        change(&options)
        return QueryStore(
            api ?? server.client(), models: models, retryingWith: monitor, options: options, clock: clock,
            now: { [date] in date.value })
    }

    private func pass(_ seconds: Double) {
        date.update { $0 += seconds }
        clock.advance(by: .seconds(seconds))
    }

    @Test("V5 loaders of one endpoint share its value and its request; another endpoint has its own")
    func shares() async {
        let queries = store()
        let (first, second, other) = (
            Loader(queries, .note(1)), Loader(queries, .note(1)), Loader(queries, .note(2))
        )
        async let loads: Void = first.load()
        async let joins: Void = second.load()
        _ = await (loads, joins)
        #expect(first.value?.id == 1 && second.value?.id == 1 && other.value == nil)
        #expect(server.log == ["GET /notes/1"])
        #expect(Loader(queries, .note(1)).value?.id == 1)
        await other.load()
        #expect(other.value?.id == 2)
    }

    @Test("V5 a value is loaded again when it is stale, and shown meanwhile")
    func staleness() async {
        let queries = store()
        let first = await queries.loaded(1)
        pass(29)
        await Loader(queries, .note(1)).load()
        #expect(server.count("GET /notes/1") == 1)
        let eager = Loader(queries, .note(1)) { $0.staleAfter = .seconds(10) }
        let history = History { eager.state.value != nil }
        await eager.load()
        #expect(server.count("GET /notes/1") == 2)
        pass(31)
        await first.load()
        #expect(server.count("GET /notes/1") == 3)
        history.catchUp()
        #expect(history.values == [true])
    }

    @Test("V5 the request of a loader that is released is canceled, unless another loader waits for it")
    func release() async throws {
        let queries = store()
        server.hold()
        var loader: Loader<Note>? = Loader(queries, .note(1))
        let other = Loader(queries, .note(1))
        let first = Task { [weak loader] in await loader?.load() }
        try await server.waitForRequests(1)
        let second = Task { await other.load() }
        // The main actor's tasks run in order: the second one waits now.
        for _ in 0..<10 { await Task.yield() }
        loader?.cancel()
        loader = nil
        await first.value
        server.execute(0)
        server.answer(0)
        await second.value
        #expect(other.value?.id == 1 && server.log.count == 1)
        let third = Task { await other.refresh() }
        try await server.waitForRequests(2)
        third.cancel()
        await third.value
        try await server.state.wait { $0.exchanges[1].isOver }
        #expect(other.state.isLoaded)
    }

    @Test("V5 a value that an event removed is requested again when it is invalidated, so that its screen learns why")
    func removedByEvent() async {
        let queries = store()
        let loader = await queries.loaded(1)
        server.state.update { $0.notes[1] = nil }
        queries.set { $0.remove(Note.self, id: 1) }
        #expect(loader.value == nil)
        queries.invalidate(.note(1))
        await until { loader.error?.kind == .notFound }
    }

    @Test("V5 an invalidated value is loaded again if a loader shows it, and otherwise with its next load")
    func invalidation() async {
        let queries = store()
        let shown = Loader(queries, .note(1)) { $0.tags = ["notes"] }
        let list = PageLoader(queries, .cursor { .notes(after: $0) }) { $0.tags = ["notes"] }
        queries.prefetch(.note(2))
        await shown.load()
        await list.load()
        await until { queries.value(of: .note(2)) != nil }
        queries.invalidate(.note(1))
        #expect(shown.isLoading && shown.value != nil)
        await until { shown.state.isLoaded }
        queries.invalidate(.note(2))
        #expect(server.count("GET /notes/1") == 2 && server.count("GET /notes/2") == 1)
        await Loader(queries, .note(2)).load()
        #expect(server.count("GET /notes/2") == 2)
        queries.invalidate(tags: ["notes"])
        await until { shown.state.isLoaded && !list.isLoading }
        #expect(server.count("GET /notes/1") == 3 && server.count("GET /notes") == 2)
        queries.invalidateAll()
        await until { shown.state.isLoaded && !list.isLoading }
        #expect(server.count("GET /notes/1") == 4 && server.count("GET /notes") == 3)
    }

    @Test("V5 C4 any change that the client sends makes the values of its path and of the collection stale")
    func changes() async throws {
        let queries = store()
        let (note, other) = (Loader(queries, .note(1)), Loader(queries, .note(2)))
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await note.load()
        await other.load()
        await list.load()
        _ = try await queries.api.send(.mark(1, 5))
        await until { note.value?.marks == [5] && list.items.first?.marks == [5] }
        #expect(server.count("GET /notes/1") == 2 && server.count("GET /notes") == 2)
        #expect(server.count("GET /notes/2") == 1 && other.state.isLoaded)
    }

    @Test("V5 a list that is read again keeps as many elements as it had")
    func refetch() async {
        let queries = store()
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        await list.loadMore()
        #expect(list.items.count == 6)
        server.state.update { $0.notes[2] = nil }
        queries.invalidateAll()
        await until { !list.isLoading }
        #expect(list.items.map(\.id) == [1, 3, 4, 5, 6, 7] && !list.hasMore)
        #expect(PageLoader(queries, .cursor { .notes(after: $0) }).items.count == 6)
    }

    @Test("V5 the focus and a network that returns load stale values again, while a screen keeps them fresh")
    func triggers() async throws {
        let feed = PathFeed(.unsatisfied)
        let queries = store(monitor: feed)
        let (kept, plain) = (Loader(queries, .note(1)), Loader(queries, .note(2)))
        await plain.load()
        let task = Task { await kept.keepFresh() }
        await until { kept.state.isLoaded }
        pass(40)
        // The value may be there before the task keeps it fresh.
        while server.state.value.exchanges.count < 3 {
            queries.hasFocus = false
            queries.hasFocus = true
            await Task.yield()
        }
        await until { kept.state.isLoaded }
        queries.hasFocus = false
        queries.hasFocus = true
        #expect(!kept.isLoading)
        pass(40)
        feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        try await server.state.wait { $0.exchanges.count == 4 }
        await until { kept.state.isLoaded }
        task.cancel()
        await task.value
        pass(40)
        queries.hasFocus = false
        queries.hasFocus = true
        #expect(server.count("GET /notes/1") == 3 && server.count("GET /notes/2") == 1)
    }

    @Test("V5 a value is loaded at an interval while a screen keeps it fresh and the app has the focus")
    func interval() async throws {
        let queries = store()
        let note = Loader(queries, .note(1)) { $0.refetchInterval = .seconds(60) }
        let task = Task { await note.keepFresh() }
        for count in 2...3 {
            try await clock.waitForSleepers(count: 1)
            pass(60)
            try await server.state.wait { $0.exchanges.count == count }
            await until { note.state.isLoaded }
        }
        queries.hasFocus = false
        try await clock.waitForSleepers(count: 1)
        pass(60)
        try await clock.waitForSleepers(count: 1)
        #expect(server.log.count == 3)
        task.cancel()
        await task.value
    }

    @Test("V5 C4 with models, a value is there after a restart, and a fresh one follows")
    func disk() async throws {
        let models = MemoryModelStore()
        await Loader(store(models: models), .note(1)).load()
        pass(100)
        server.state.update { $0.notes[1]?.version = 9 }
        let loader = Loader(store(models: models), .note(1))
        server.hold()
        let load = Task { await loader.load() }
        try await server.waitForRequests(2)
        #expect(loader.value?.version == 1 && loader.reading?.source == .store && loader.isStale && loader.isLoading)
        server.release()
        await load.value
        #expect(loader.value?.version == 9 && loader.reading?.source == .network && !loader.isStale)
        server.state.update { $0.isOffline = true }
        pass(100)
        let offline = Loader(store(models: models), .note(1))
        await offline.load()
        #expect(offline.value?.version == 9 && offline.error?.kind == .offline(.noPath) && offline.isStale)
    }

    @Test("V5 C4 with models, a change after a restart expects the version that is shown")
    func storedVersion() async throws {
        let models = MemoryModelStore()
        await Loader(store(models: models), .note(1)).load()
        server.state.update { $0.isOffline = true }
        pass(100)
        let queries = store(models: models)
        let note = await queries.loaded(1)
        #expect(note.isStale && queries.etag(of: .note(1)) == "\"1\"" && note.reading?.etag == "\"1\"")
        server.state.update {
            $0.isOffline = false
            $0.notes[1]?.version = 7
        }
        await #expect(throws: NetworkError.self) {
            try await queries.mutate(.mark(1, 5), of: .note(1)) { $0[.note(1)]?.marks = [5] }
        }
        #expect(note.value?.version == 7 && note.value?.marks == [] && queries.etag(of: .note(1)) == "\"7\"")
    }

    @Test("V5 a keyed loader shows the shared value of each key at once")
    func keyed() async {
        let queries = store()
        let note = KeyedLoader(queries) { .note($0) }
        await note.load(1)
        await note.load(2)
        #expect(note.value?.id == 2)
        server.hold()
        await note.load(1)
        #expect(note.value?.id == 1 && server.log.count == 2)
        queries.set { $0[.note(1)]?.marks = [7] }
        #expect(note.value?.marks == [7])
    }

    @Test("V5 an endpoint that has no URL fails when it is loaded")
    func invalid() async {
        let queries = store(APIClient(baseURL: "no base", transport: server))
        let note = await queries.loaded(1)
        guard case .invalidURL = note.error?.kind else { return #expect(Bool(false), "\(note.state)") }
        #expect(queries.value(of: .note(1)) == nil)
    }

    @Test("V5 A6 values and mutations of an account that signs out are removed, and its loads come to nothing")
    func account() async throws {
        let api = server.client {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let queries = store(api)
        let note = Loader(queries, .note(1))
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await note.load()
        await list.load()
        server.hold()
        let mutation = Task { try await queries.mutate(.mark(1, 3)) { $0[.note(1)]?.marks.insert(3) } }
        try await server.waitForRequests(3)
        #expect(note.value?.marks == [3])
        try await api.signIn(AccessToken(access: "bob"))
        #expect(note.value == nil && list.items.isEmpty && queries.value(of: .note(1)) == nil)
        server.execute(2)
        server.answer(2)
        _ = await mutation.result
        #expect(note.value == nil)
    }

    @Test("V5 A6 a load that begins when the session tells of a sign-in isn't taken for one of the former account")
    func loadAtSignIn() async throws {
        let api = server.client {
            $0.authentication = .refreshing(MemoryTokenStore()) { _, old in old }
        }
        let note = Loader(store(api), .note(1))
        let load = Task {
            for await state in api.session {
                if case .signedIn = state { return await note.load() }
            }
        }
        try await api.signIn(AccessToken(access: "ann"))
        await load.value
        #expect(note.value?.id == 1 && note.state.isLoaded)
    }
}
