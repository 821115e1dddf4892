import Godwit
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("V5 outbox: decisions, credentials, versions", .timeLimit(.minutes(15)))
@MainActor
struct OutboxDecisionTests {
    private let server = NoteServer()
    private let clock = TestClock()
    private let folder = TemporaryFolder()
    private let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wifi]))

    private func store(_ transport: (any HTTPTransport)? = nil) -> QueryStore {
        let transport: any HTTPTransport = transport ?? server
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.retry.maximumAttempts = 1
            $0.cache = .off
        }
        return QueryStore(api, retryingWith: feed, clock: clock)
    }

    private func outbox(_ queries: QueryStore, limit: Int = 1000) throws -> Outbox {
        try Outbox(
            queries, in: folder.url, for: "ann", sending: [MarkNote.self, RemoveNote.self, BulkyNote.self], limit: limit
        )
    }

    private func refused(_ outbox: Outbox, _ mark: Int) async throws -> OutboxItem.ID {
        server.state.update { $0.refusal = .forbidden }
        let id = try await outbox.add(MarkNote(note: 1, mark: mark))
        await until { outbox.items.first?.state == .failed }
        server.state.update { $0.refusal = nil }
        return id
    }

    @Test("V5 of two decisions about a mutation, the first counts; the second leaves no effect")
    func twoDecisions() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        let id = try await refused(outbox, 5)
        server.hold()
        let first = Task { try await outbox.replace(id, with: MarkNote(note: 1, mark: 6)) }
        let second = Task { try await outbox.replace(id, with: MarkNote(note: 1, mark: 7)) }
        let third = Task { try await outbox.retry(id) }
        _ = try await (first.value, second.value, third.value)
        #expect(note.value?.marks == [6])
        server.release()
        await until { outbox.items.isEmpty }
        #expect(note.value?.marks == [6] && server.state.value.notes[1]?.marks == [6])
    }

    @Test("V5 a decision about a mutation whose refusal is still being handled is carried out after that")
    func earlyDecision() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        server.state.update { $0.refusal = .conflict }
        server.hold()
        let id = try await outbox.add(MarkNote(note: 1, mark: 5))
        try await server.waitForRequests(2)
        server.execute(1)
        server.answer(1)
        // The server's version is loaded. Another mutation publishes the states meanwhile.
        try await server.waitForRequests(3)
        try await outbox.add(MarkNote(note: 2, mark: 6))
        #expect(outbox.items.first?.state == .conflict)
        server.state.update { $0.refusal = nil }
        let retry = Task { try await outbox.retry(id) }
        for _ in 0..<20 { await Task.yield() }
        server.release()
        try await retry.value
        await until { outbox.items.isEmpty }
        #expect(note.value?.marks == [5] && server.state.value.notes[1]?.marks == [5])
    }

    @Test("V5 a decision that is being written when the outbox closes leaves no effect")
    func closedWhileDeciding() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        let id = try await refused(outbox, 5)
        server.hold()
        let decision = Task { try await outbox.replace(id, with: MarkNote(note: 1, mark: 6)) }
        let retry = Task { try await outbox.retry(id) }
        await Task.yield()
        await outbox.close()
        _ = try await (decision.value, retry.value)
        #expect(note.value?.marks == [] && outbox.items.isEmpty)
    }

    @Test("V5 a decision that can't be written leaves the mutation refused")
    func unwritableDecision() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        let id = try await refused(outbox, 5)
        try FileManager.default.removeItem(at: folder.url)
        await #expect(throws: NetworkError.self) { try await outbox.retry(id) }
        await #expect(throws: NetworkError.self) { try await outbox.replace(id, with: MarkNote(note: 1, mark: 6)) }
        #expect(outbox.items.map(\.state) == [.failed] && note.value?.marks == [])
        await outbox.discard(id)
        #expect(outbox.items.isEmpty)
    }

    @Test(
        "V5 A1 refused or unreadable credentials aren't a refusal of the mutation: it waits, and is sent again",
        arguments: [NetworkError.Kind.unauthorized, .forbidden, .client(status: 400), .file(reason: "no keyring")])
    func credentials(_ kind: NetworkError.Kind) async throws {
        let queries = store()
        let note = await queries.loaded(1)
        server.hold()
        let outbox = try outbox(queries)
        try await outbox.add(MarkNote(note: 1, mark: 5))
        try await server.waitForRequests(2)
        server.fail(1, kind)
        await until { outbox.items.first?.error != nil && outbox.items.first?.state != .sending }
        #expect(outbox.items.map(\.state) == [.waiting] && note.value?.marks == [5])
        server.release()
        await outbox.sendNow()
        #expect(server.state.value.notes[1]?.marks == [5])
    }

    @Test("V5 A1 a 401 waits too, and isn't written as a refusal; a 403 is one")
    func unauthorized() async throws {
        let queries = store()
        server.state.update { $0.refusal = .unauthorized }
        let first = try outbox(queries)
        try await first.add(MarkNote(note: 1, mark: 5))
        await first.sendNow()
        #expect(first.items.map(\.state) == [.waiting])
        await first.close()
        server.state.update { $0.refusal = nil }
        let second = try outbox(queries)
        await second.sendNow()
        #expect(second.items.isEmpty && server.state.value.notes[1]?.marks == [5])
    }

    @Test("V5 sendNow returns when the outbox closes meanwhile")
    func closedWhileSending() async throws {
        server.hold()
        let outbox = try outbox(store())
        try await outbox.add(MarkNote(note: 1, mark: 5))
        let sending = Task { await outbox.sendNow() }
        try await server.waitForRequests(1)
        await Task.yield()
        await outbox.close()
        await sending.value
        #expect(try folder.mutationFiles().count == 1)
    }

    @Test("V5 an add that the outbox's end interrupts leaves no file, also for the next outbox")
    func closedWhileAdding() async throws {
        for _ in 0..<20 {
            server.hold()
            let outbox = try outbox(store())
            let adds = (1...3).map { mark in Task { try await outbox.add(MarkNote(note: 1, mark: mark)) } }
            await Task.yield()
            await outbox.close()
            var kept = 0
            for add in adds where (try? await add.value) != nil { kept += 1 }
            #expect(try folder.mutationFiles().count == kept)
            try Outbox.removeAll(in: folder.url, for: "ann")
            #expect(try folder.mutationFiles().isEmpty)
        }
    }

    @Test("V5 A6 the mutations of a user can be removed without an outbox, but not while one is open")
    func removal() async throws {
        server.state.update { $0.isOffline = true }
        let outbox = try outbox(store())
        try await outbox.add(MarkNote(note: 1, mark: 5))
        #expect(throws: NetworkError.self) { try Outbox.removeAll(in: folder.url, for: "ann") }
        await outbox.close()
        try Outbox.removeAll(in: folder.url, for: "bob")
        #expect(try folder.mutationFiles().count == 1)
        try Outbox.removeAll(in: folder.url, for: "ann")
        #expect(try folder.mutationFiles().isEmpty)
    }

    @Test("V5 an outbox that is released without being closed leaves no effect")
    func released() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        server.state.update { $0.isOffline = true }
        var outbox: Outbox? = try outbox(queries)
        try await outbox?.add(MarkNote(note: 1, mark: 5))
        await outbox?.sendNow()
        #expect(note.value?.marks == [5])
        outbox = nil
        await until { note.value?.marks == [] }
        #expect(try folder.mutationFiles().count == 1)
    }

    @Test("V5 the network's return ends pauses also while another request runs, but not those that the server set")
    func networkReturns() async throws {
        let outbox = try outbox(store())
        server.state.update { $0.isOffline = true }
        try await outbox.add(MarkNote(note: 1, mark: 1))
        await outbox.sendNow()
        server.state.update { $0.isOffline = false }
        server.hold()
        try await outbox.add(MarkNote(note: 2, mark: 2))
        try await server.waitForRequests(2)
        feed.update(NetworkPath(status: .satisfied, interfaces: [.cellular]))
        try await server.waitForRequests(3)
        server.fail(2, .rateLimited(retryAfter: .seconds(60)))
        server.execute(1)
        server.answer(1)
        await until { outbox.items.count == 1 && outbox.items.first?.state == .waiting }
        feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        for _ in 0..<100 { await Task.yield() }
        #expect(server.log.count == 3 && outbox.items.first?.state == .waiting)
        server.release()
        await outbox.sendNow()
        #expect(outbox.items.isEmpty)
    }

    @Test("V5 a pause ends while another request runs")
    func pauseEnds() async throws {
        let outbox = try outbox(store())
        server.state.update { $0.isOffline = true }
        try await outbox.add(MarkNote(note: 1, mark: 1))
        await outbox.sendNow()
        server.state.update { $0.isOffline = false }
        server.hold()
        try await outbox.add(MarkNote(note: 2, mark: 2))
        try await server.waitForRequests(2)
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(2))
        try await server.waitForRequests(3)
        server.release()
        await until { outbox.items.isEmpty }
    }

    @Test("V5 a weak tag isn't sent as a condition: If-Match never matches it")
    func weakTag() async throws {
        let weak = TagChange(server: server) { "W/" + $0 }
        let queries = store(weak)
        _ = await queries.loaded(1)
        #expect(queries.etag(of: .note(1)) == "W/\"1\"")
        let outbox = try outbox(queries)
        try await outbox.add(MarkNote(note: 1, mark: 5, isConditional: true))
        await outbox.sendNow()
        #expect(outbox.items.isEmpty)
        #expect(server.state.value.exchanges.compactMap { $0.request.fields[.ifMatch] } == ["*"])
    }

    @Test("V5 after a response without a tag, a later mutation loads the version instead of overwriting any")
    func unknownVersion() async throws {
        let untold = TagChange(server: server, onlyOf: .patch) { _ in nil }
        let queries = store(untold)
        _ = await queries.loaded(1)
        let outbox = try outbox(queries)
        server.state.update { $0.isOffline = true }
        for mark in 1...3 { try await outbox.add(MarkNote(note: 1, mark: mark, isConditional: true)) }
        await outbox.sendNow()
        server.state.update { $0.isOffline = false }
        await outbox.sendNow()
        await until { outbox.items.isEmpty }
        #expect(server.state.value.notes[1]?.marks == [1, 2, 3])
        let conditions = server.state.value.exchanges.compactMap { $0.request.fields[.ifMatch] }
        #expect(Array(conditions.suffix(3)) == ["\"1\"", "\"2\"", "\"3\""])
    }

    @Test("V5 all mutations together have a limit; a full outbox opens with all effects")
    func full() async throws {
        server.state.update { $0.isOffline = true }
        let queries = store()
        let outbox = try outbox(queries)
        let bulky = BulkyNote(text: String(repeating: "x", count: 1_000_000))
        for _ in 0..<67 { try await outbox.add(bulky) }
        await #expect(throws: NetworkError.self) { try await outbox.add(bulky) }
        await outbox.sendNow()
        for item in outbox.items.reversed() { await outbox.discard(item.id) }
        for mark in 1...50 { try await outbox.add(MarkNote(note: 1, mark: mark)) }
        await outbox.close()
        server.state.update { $0.isOffline = false }
        let next = store()
        let note = await next.loaded(1)
        server.hold()
        let history = History { note.value?.marks.count }
        let again = try self.outbox(next)
        #expect(note.value?.marks == Set(1...50) && again.items.count == 50)
        history.catchUp()
        #expect(history.values == [0, 50])
        await again.close()
    }

    @Test("V5 a list is read to its end while a mutation of its element waits behind a refused one")
    func listBehindRefusal() async throws {
        let queries = store()
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        let outbox = try outbox(queries)
        server.state.update { $0.refusal = .conflict }
        try await outbox.add(MarkNote(note: 1, mark: 1))
        await until { outbox.items.first?.state == .conflict }
        try await outbox.add(MarkNote(note: 1, mark: 2))
        var loads = 0
        while list.hasMore, loads < 10 {
            await list.loadMore()
            loads += 1
        }
        #expect(list.items.map(\.id) == [1, 2, 3, 4, 5, 6, 7] && list.items.first?.marks == [2])
        await outbox.close()
    }
}

/// Adds nothing but its size.
private struct BulkyNote: OutboxMutation {
    let text: String

    var endpoint: Endpoint<Void> { .remove(7) }
    var scope: String { "bulky" }

    func apply(to changes: QueryChanges) {}
}

/// A server whose tags are other ones.
private struct TagChange: HTTPTransport {
    let server: NoteServer
    var onlyOf: HTTPMethod?
    let change: @Sendable (String) -> String?

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        var response = try await server.send(request)
        if onlyOf == nil || onlyOf == request.method {
            response.head.fields[.etag] = response.head.fields[.etag].flatMap(change)
        }
        return response
    }
}
