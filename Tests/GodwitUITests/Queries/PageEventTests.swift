import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 events while a page is on its way", .timeLimit(.minutes(15)))
@MainActor
struct PageEventTests {
    private let server = NoteServer()
    private let queries: QueryStore

    init() {
        queries = QueryStore(server.client())
    }

    /// A list with its first page, on a server that then holds requests.
    private func list() async -> PageLoader<Note> {
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        server.hold()
        return list
    }

    @Test("V5 an element that an event changed stays so when an older page arrives, which isn't requested again")
    func changed() async throws {
        let list = await list()
        let versions = History { list.items.map(\.version) }
        let refresh = try await server.begin { await list.refresh() }
        server.change(2, to: 8, in: queries)
        server.release()
        await refresh.value
        versions.catchUp()
        #expect(versions.values == [[1, 1, 1], [1, 8, 1]] && server.log.count == 2)
    }

    @Test("V5 an element that an event removed isn't added by an older page, which isn't requested again")
    func removed() async throws {
        let list = await list()
        let more = try await server.begin { await list.loadMore() }
        server.state.update { $0.notes[5] = nil }
        queries.set { $0.remove(Note.self, id: 5) }
        server.release()
        await more.value
        #expect(list.items.map(\.id) == [1, 2, 3, 4, 6] && server.log.count == 2)
    }

    @Test("V5 a page with an element that an event changed before the list had it is requested again")
    func unknown() async throws {
        let list = await list()
        let versions = History { list.items.map(\.version) }
        let more = try await server.begin { await list.loadMore() }
        server.change(5, to: 8, in: queries)
        server.release()
        await more.value
        versions.catchUp()
        #expect(versions.values == [[1, 1, 1], [1, 1, 1, 1, 8, 1]] && server.log.count == 3)
    }

    @Test("V5 an event of an element that isn't on the page doesn't request it again")
    func other() async throws {
        let list = await list()
        let more = try await server.begin { await list.loadMore() }
        server.change(7, to: 8, in: queries)
        server.release()
        await more.value
        #expect(list.items.map(\.id) == [1, 2, 3, 4, 5, 6] && server.log.count == 2)
    }

    @Test("V5 events faster than the server: the page is requested three times again, taken, and read again later")
    func fast() async throws {
        let list = await list()
        let more = try await server.begin { await list.loadMore() }
        for number in 1..<4 {
            server.change(5, to: number + 10, in: queries)
            server.answer(number)
            try await server.waitForRequests(number + 2)
            server.execute(number + 1)
        }
        server.change(5, to: 20, in: queries)
        server.release()
        await more.value
        #expect(list.items.map(\.version) == [1, 1, 1, 1, 13, 1] && server.log.count == 5)
        await list.load()
        #expect(list.items.map(\.version) == [1, 1, 1, 1, 20, 1] && server.log.count == 7)
        await list.load()
        #expect(server.log.count == 7)
    }

    @Test("V5 events that move elements: a first page is requested three times again, taken, and read again later")
    func moves() async throws {
        let list = await list()
        let refresh = try await server.begin { await list.refresh() }
        for number in 1..<4 {
            queries.set { $0[list].swapAt(0, 1) }
            server.answer(number)
            try await server.waitForRequests(number + 2)
            server.execute(number + 1)
        }
        queries.set { $0[list].swapAt(0, 1) }
        server.state.update { $0.notes[1] = nil }
        server.release()
        await refresh.value
        #expect(list.items.map(\.id) == [1, 2, 3] && server.log.count == 5)
        await list.load()
        #expect(list.items.map(\.id) == [2, 3, 4] && server.log.count == 6)
    }
}
