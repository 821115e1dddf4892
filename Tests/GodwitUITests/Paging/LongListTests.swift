import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 long lists that are read again", .timeLimit(.minutes(15)))
@MainActor
struct LongListTests {
    /// How the store reads a list. The other lists don't belong to one.
    private nonisolated static let pagings: [ShelfPaging] = [.cursor, .offset, .number, .link]

    private let server = ShelfServer(140)
    private let queries: QueryStore
    private let date = Watched(Date(timeIntervalSince1970: 1_800_000_000))

    init() {
        queries = QueryStore(server.api, now: { [date] in date.value })
    }

    /// Reads 25 pages. A list is read again up to its 20th.
    private func read(_ paging: ShelfPaging) async -> PageLoader<Row> {
        let list = paging.list(queries, server)
        for _ in 0..<25 { await list.loadMore() }
        return list
    }

    private func readAll(_ list: PageLoader<Row>) async {
        while list.hasMore, list.error == nil { await list.loadMore() }
    }

    @Test(
        "V5 a list of more than 20 pages that is invalidated keeps the others, and continues after them",
        arguments: pagings)
    func invalidated(_ paging: ShelfPaging) async {
        let list = await read(paging)
        let counts = History { list.items.count }
        queries.invalidateAll()
        await until { !list.isLoading }
        #expect(server.asked.count == 45 && list.hasMore && !list.isStale)
        counts.catchUp()
        #expect(counts.values == [100])
        await list.loadMore()
        counts.catchUp()
        #expect(counts.values == [100, 104] && server.asked.count == 46)
        await readAll(list)
        #expect(list.items.map(\.id) == Array(0..<140))
    }

    @Test(
        "V5 what was removed and added at its beginning is shown, and no element after it is skipped",
        arguments: pagings)
    func changed(_ paging: ShelfPaging) async {
        let list = await read(paging)
        server.rows.update { $0 = [1000] + $0.filter { ![3, 4, 5, 6, 7].contains($0) } }
        queries.invalidateAll()
        await until { !list.isLoading }
        #expect(list.items.map(\.id) == [1000, 0, 1, 2] + Array(8..<100))
        await readAll(list)
        #expect(list.items.map(\.id) == server.rows.value)
    }

    @Test("V5 the same when the app gets the focus")
    func focus() async {
        let list = await read(.cursor)
        let screen = Task { await list.keepFresh() }
        await Task.yield()
        date.update { $0 += 40 }
        server.rows.update { _ = $0.removeFirst() }
        queries.hasFocus = false
        queries.hasFocus = true
        await until { list.items.first?.id == 1 }
        await until { !list.isLoading }
        #expect(list.items.map(\.id) == Array(1..<100))
        screen.cancel()
        await screen.value
        await list.loadMore()
        #expect(list.items.map(\.id) == Array(1..<104))
    }

    @Test("V5 a complete list of more than 20 pages stays complete")
    func complete() async {
        let list = await read(.cursor)
        await readAll(list)
        queries.invalidateAll()
        await until { !list.isLoading }
        #expect(list.items.count == 140 && !list.hasMore && "\(list.state)" == "complete")
    }

    @Test("V5 a list whose first 20 pages are new has only these")
    func replaced() async {
        let list = await read(.offset)
        server.rows.update { $0 = Array(2000..<2200) }
        queries.invalidateAll()
        await until { !list.isLoading }
        #expect(list.items.map(\.id) == Array(2000..<2080))
        await readAll(list)
        #expect(list.items.map(\.id) == server.rows.value)
    }

    @Test("V5 events faster than the server: its beginning is read three times again, taken, and read again later")
    func stale() async throws {
        let server = RowServer(pageCount: 30)
        let queries = QueryStore(server.api)
        let list = PageLoader(queries, .cursor { .rows(after: $0) })
        // The last request of each reading is held until an event has moved elements.
        let held = [45, 65, 85, 105]
        for number in 1...200 where !held.contains(number) { server.gate.open(number) }
        for _ in 0..<25 { await list.loadMore() }
        queries.invalidateAll()
        for number in held {
            try await server.gate.waitForBeginning(of: number)
            queries.set { $0[list].swapAt(0, 1) }
            server.gate.open(number)
        }
        await until { !list.isLoading }
        #expect(list.items.map(\.id) == Array(0..<250) && server.gate.begun == 105)
        await list.load()
        #expect(server.gate.begun == 125)
        await list.load()
        #expect(list.items.map(\.id) == Array(0..<250) && server.gate.begun == 125)
    }
}
