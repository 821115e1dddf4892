import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 pages after changes of the list", .timeLimit(.minutes(15)))
@MainActor
struct ListChangeTests {
    private let server = ShelfServer()
    private let queries: QueryStore

    init() {
        queries = QueryStore(server.api)
    }

    private func remove(_ id: Int, from list: PageLoader<Row>) async throws {
        try await queries.mutate(.removeRow(id)) { changes in
            changes.remove(Row.self, id: id)
            changes[list].removeAll { $0.id == id }
        }
    }

    private func readAll(_ list: PageLoader<Row>) async {
        while list.hasMore, list.error == nil { await list.loadMore() }
    }

    @Test("V5 after a removal, no element is skipped by any paging", arguments: ShelfPaging.allCases)
    func removal(_ paging: ShelfPaging) async throws {
        let list = paging.list(queries, server)
        for _ in 0..<2 { await list.loadMore() }
        for id in [1, 3, 4, 5, 6] { try await remove(id, from: list) }
        #expect(list.items.map(\.id) == [0, 2, 7])
        await list.loadMore()
        #expect(list.items.map(\.id).prefix(4) == [0, 2, 7, 8])
        await readAll(list)
        #expect(list.items.map(\.id) == server.rows.value)
    }

    @Test("V5 an offset moves back by what was removed, a cursor and an unconfirmed removal don't")
    func places() async throws {
        let list = ShelfPaging.offset.list(queries, server)
        let byCursor = ShelfPaging.cursor.list(queries, server)
        for list in [list, byCursor] { await list.loadMore() }
        try await remove(2, from: list)
        for list in [list, byCursor] { await list.loadMore() }
        #expect(server.asked.suffix(2) == ["/rows?offset=3", "/rows?after=3"])
        await #expect(throws: NetworkError.self) {
            try await queries.mutate(Endpoint<Void>.get("https://%/")) { $0.remove(Row.self, id: 3) }
        }
        await list.loadMore()
        #expect(server.asked.last == "/rows?offset=7")
    }

    @Test("V5 elements that only the screen removed or moved cost requests, but none is skipped or twice")
    func edits() async {
        for paging in ShelfPaging.allCases {
            let server = ShelfServer(80)
            let list = paging.list(QueryStore(server.api), server)
            for _ in 0..<14 { await list.loadMore() }
            list.edit { $0.removeAll { $0.id < 50 } }
            list.edit { $0.append($0.removeFirst()) }
            list.edit { $0.insert(Row(id: 1000), at: 0) }
            list.edit { $0.removeAll { $0.id == 1000 } }
            await readAll(list)
            #expect(list.items.map(\.id) == Array(51..<56) + [50] + Array(56..<80), "\(paging)")
        }
    }

    @Test("V5 many inserted elements don't stop the list from loading")
    func insertions() async {
        let list = ShelfPaging.offset.list(queries, server)
        await list.loadMore()
        let new = Array(1000..<1100)
        server.rows.update { $0 = new + $0 }
        list.edit { $0 = new.map { Row(id: $0) } + $0 }
        await list.loadMore()
        #expect(list.items.map(\.id) == new + [0, 1, 2, 3, 4, 5, 6, 7])
    }

    @Test("V5 an emptied list is read again when it is outdated")
    func emptied() async {
        let list = ShelfPaging.cursor.list(queries, server)
        server.rows.update { $0 = [] }
        await list.load()
        #expect(list.items.isEmpty && !list.hasMore)
        server.rows.update { $0 = [7] }
        queries.invalidateAll()
        await until { list.items.map(\.id) == [7] }
    }

    @Test("V5 prefetching: a page that was loaded before a removal isn't used after it")
    func ahead() async {
        let list = PageLoader(server.api.pages(.offsets(limit: 4) { .rows(at: $0) }).prefetching())
        await list.loadMore()
        await list.loadMore()
        server.rows.update { $0.removeFirst(3) }
        list.edit { $0.removeFirst(3) }
        await readAll(list)
        #expect(list.items.map(\.id) == Array(3..<40))
    }

    @Test(
        "V5 random sequences of removals, insertions, loads and refreshes skip no element and repeat none",
        arguments: ShelfPaging.allCases)
    func random(_ paging: ShelfPaging) async throws {
        let isSoak = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] == "1"
        let first = UInt64.random(in: 0...(1 << 40))
        for seed in first..<first + (isSoak ? 100 : 20) {
            var random = SeededGenerator(seed: seed)
            let server = ShelfServer(30)
            let queries = QueryStore(server.api)
            let list = paging.list(queries, server)
            var newest = 1000
            for _ in 0..<20 {
                let id = list.items.randomElement(using: &random)?.id
                switch (Int.random(in: 0..<9, using: &random), id) {
                case (0, _): await list.refresh()
                case (1, _):
                    newest += 1
                    try await queries.mutate(.addRow(newest)) { changes, row in
                        changes[list].insert(row, at: 0)
                    }
                case (2, let id?):
                    server.rows.update { $0.removeAll { $0 == id } }
                    list.edit { $0.removeAll { $0.id == id } }
                case (3...4, let id?):
                    async let more: Void = list.loadMore()
                    async let removal = queries.mutate(.removeRow(id)) { changes in
                        changes[list].removeAll { $0.id == id }
                    }
                    _ = try await (more, removal)
                case (5...6, let id?):
                    try await queries.mutate(.removeRow(id)) { changes in
                        changes[list].removeAll { $0.id == id }
                    }
                default: await list.loadMore()
                }
                #expect(Set(list.items.map(\.id)).count == list.items.count)
            }
            await readAll(list)
            let (shown, there) = (list.items.map(\.id), server.rows.value)
            #expect(Set(shown) == Set(there) && shown.count == there.count, "\(paging) seed \(seed)")
            guard shown.count == there.count else { return }
        }
    }
}
