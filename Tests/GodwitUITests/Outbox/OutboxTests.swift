import Godwit
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("V5 outbox", .timeLimit(.minutes(15)))
@MainActor
struct OutboxTests {
    private let server = NoteServer()
    private let clock = TestClock()
    private let folder = TemporaryFolder()
    private let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wifi]))

    private func store(_ api: APIClient? = nil) -> QueryStore {
        QueryStore(api ?? server.client(), retryingWith: feed, clock: clock)
    }

    private func outbox(_ queries: QueryStore, for user: String = "ann", limit: Int = 1000) throws -> Outbox {
        try Outbox(queries, in: folder.url, for: user, sending: [MarkNote.self, RemoveNote.self], limit: limit)
    }

    private func keys() -> [String] {
        server.state.value.exchanges.compactMap { $0.request.fields[.idempotencyKey] }
    }

    private func setOffline(_ isOffline: Bool) {
        server.state.update { $0.isOffline = isOffline }
        feed.update(NetworkPath(status: isOffline ? .unsatisfied : .satisfied, interfaces: isOffline ? [] : [.wifi]))
    }

    @Test("V5 a mutation is visible at once, sent, confirmed with the response, and its file is removed")
    func sent() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        server.hold()
        let outbox = try outbox(queries)
        try await outbox.add(MarkNote(note: 1, mark: 5))
        #expect(note.value?.marks == [5] && note.value?.version == 1)
        try await server.waitForRequests(2)
        #expect(outbox.items.map(\.state) == [.sending])
        #expect(try folder.mutationFiles().count == 1)
        server.execute(1)
        server.answer(1)
        await until { outbox.items.isEmpty }
        #expect(note.value == Note(id: 1, owner: "ann", marks: [5], version: 2) && note.state.isLoaded)
        await outbox.close()
        #expect(try folder.mutationFiles().isEmpty)
        #expect(server.log == ["GET /notes/1", "PATCH /notes/1"])
    }

    @Test("V5 without a network, mutations wait; when it returns they are sent in order, each once")
    func offline() async throws {
        let queries = store()
        let notes = (await queries.loaded(1), await queries.loaded(2))
        let outbox = try outbox(queries)
        setOffline(true)
        for mark in 1...3 { try await outbox.add(MarkNote(note: 1, mark: mark)) }
        try await outbox.add(MarkNote(note: 2, mark: 4))
        await until { outbox.items.allSatisfy { $0.state == .waiting } && outbox.items.last?.error != nil }
        #expect(notes.0.value?.marks == [1, 2, 3] && notes.1.value?.marks == [4])
        #expect(outbox.items.first?.error?.kind == .offline(.noPath))
        setOffline(false)
        await until { outbox.items.isEmpty }
        #expect(server.state.value.notes[1]?.marks == [1, 2, 3] && server.state.value.notes[1]?.version == 4)
        #expect(notes.0.value == server.state.value.notes[1] && notes.1.value == server.state.value.notes[2])
        #expect(Set(keys()).count == 4)
    }

    @Test("V5 after a failure that may pass, a mutation is sent again after a growing pause, with the same key")
    func pauses() async throws {
        let queries = store()
        server.state.update { $0.refusal = .serviceUnavailable }
        let outbox = try outbox(queries)
        try await outbox.add(MarkNote(note: 1, mark: 5))
        for attempt in 1...10 {
            await until { outbox.items.first?.attempts == attempt && outbox.items.first?.state == .waiting }
            let pause = try await clock.nextSleep(within: .seconds(301))
            #expect(pause == .seconds(min(300, 1 << attempt)))
        }
        server.state.update { $0.refusal = nil }
        await outbox.sendNow()
        #expect(outbox.items.isEmpty && server.state.value.notes[1]?.marks == [5])
        #expect(Set(keys()).count == 1 && keys().count == 11)
    }

    @Test("V5 a mutation whose response was lost is sent again with the same key, and visible all the time")
    func lostResponse() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        server.hold()
        let outbox = try outbox(queries)
        let history = History { note.value?.marks }
        try await outbox.add(MarkNote(note: 1, mark: 5))
        try await server.waitForRequests(2)
        server.execute(1)
        server.fail(1, .transport(.connectionLost("")))
        await until { outbox.items.first?.state == .waiting }
        server.state.update { $0.isAutomatic = true }
        await outbox.sendNow()
        // The response may be that of the first attempt, and older than the value: that one is loaded.
        await until { outbox.items.isEmpty && note.value == server.state.value.notes[1] }
        history.catchUp()
        #expect(history.values == [[], [5]] && Set(keys()).count == 1)
    }

    @Test("V5 what an outbox leaves is visible and sent by the next one of the user, in order, with the same keys")
    func nextLaunch() async throws {
        setOffline(true)
        let first = try outbox(store())
        for mark in 1...3 { try await first.add(MarkNote(note: 1, mark: mark)) }
        try await first.add(RemoveNote(note: 2))
        let ids = first.items.map(\.id)
        await until { first.items.last?.error != nil }
        await first.close()
        #expect(first.isClosed && first.items.isEmpty)
        let before = Set(keys())
        setOffline(false)
        let queries = store()
        let notes = (await queries.loaded(1), await queries.loaded(2))
        server.hold()
        #expect(try outbox(queries, for: "bob").items.isEmpty)
        let second = try outbox(queries)
        #expect(second.items.map(\.id) == ids)
        #expect(notes.0.value?.marks == [1, 2, 3] && notes.1.value == nil)
        server.release()
        await second.sendNow()
        #expect(second.items.isEmpty && before.isSubset(of: keys()) && Set(keys()).count == 4)
        #expect(server.state.value.notes[1]?.marks == [1, 2, 3] && server.state.value.notes[2] == nil)
    }

    @Test("V5 a refused mutation is undone and holds up those after it, until it is sent again or discarded")
    func refused() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        server.state.update { $0.refusal = .forbidden }
        let id = try await outbox.add(MarkNote(note: 1, mark: 5))
        await until { outbox.items.first?.state == .failed }
        #expect(outbox.items.first?.error?.kind == .forbidden && note.value?.marks == [])
        server.state.update { $0.refusal = nil }
        try await outbox.add(MarkNote(note: 1, mark: 6))
        try await outbox.add(MarkNote(note: 2, mark: 7))
        await until { outbox.items.count == 2 }
        #expect(note.value?.marks == [6] && server.state.value.notes[1]?.marks == [])
        await outbox.close()
        let next = try self.outbox(queries)
        #expect(next.items.map(\.state) == [.failed, .waiting] || next.items.map(\.state) == [.failed, .sending])
        #expect(note.value?.marks == [6])
        try await next.retry(id)
        #expect(note.value?.marks == [5, 6])
        await until { next.items.isEmpty }
        #expect(server.state.value.notes[1]?.marks == [5, 6])
        // A server may answer the key of a refused request as before.
        #expect(Set(keys()).count == 4)
    }

    @Test("V5 discarding removes the effect and the file, and what was held up is sent")
    func discarded() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        setOffline(true)
        let id = try await outbox.add(MarkNote(note: 1, mark: 5))
        try await outbox.add(MarkNote(note: 1, mark: 6))
        await until { outbox.items.first?.error != nil && outbox.items.first?.state == .waiting }
        await outbox.discard(id)
        #expect(note.value?.marks == [6])
        #expect(try folder.mutationFiles().count == 1)
        setOffline(false)
        await until { outbox.items.isEmpty }
        #expect(server.state.value.notes[1]?.marks == [6])
        await outbox.discard("unknown")
    }

    @Test("V5 what is to be deleted and isn't there any more is deleted")
    func gone() async throws {
        let queries = store()
        let outbox = try outbox(queries)
        server.state.update { $0.notes[1] = nil }
        try await outbox.add(RemoveNote(note: 1))
        await outbox.sendNow()
        #expect(outbox.items.isEmpty)
    }

    @Test("V5 a mutation of a version that the server has replaced waits for a decision; retrying overwrites it")
    func conflict() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        setOffline(true)
        let id = try await outbox.add(MarkNote(note: 1, mark: 5, isConditional: true))
        server.state.update { $0.notes[1] = Note(id: 1, owner: "ann", marks: [9], version: 7) }
        setOffline(false)
        await until { outbox.items.first?.state == .conflict }
        // The server's version is there by then.
        #expect(note.value?.marks == [9] && queries.etag(of: .note(1)) == "\"7\"")
        #expect(outbox.items.first?.mutation as? MarkNote != nil)
        try await outbox.retry(id)
        await until { outbox.items.isEmpty }
        #expect(note.value == Note(id: 1, owner: "ann", marks: [5, 9], version: 8))
        #expect(note.value == server.state.value.notes[1])
    }

    @Test("V5 a mutation can expect the version that its form was opened with, although the store has a newer one")
    func formVersion() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let etag = queries.etag(of: .note(1))
        server.state.update { $0.notes[1]?.version = 7 }
        await note.refresh()
        let outbox = try outbox(queries)
        try await outbox.add(MarkNote(note: 1, mark: 5, isConditional: true, etag: etag))
        await until { outbox.items.first?.state == .conflict }
        #expect(server.state.value.notes[1]?.marks == [])
    }

    @Test("V5 a merged mutation takes the place of one in conflict")
    func merged() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        setOffline(true)
        let id = try await outbox.add(MarkNote(note: 1, mark: 5, isConditional: true))
        server.state.update { $0.notes[1]?.version = 7 }
        setOffline(false)
        await until { outbox.items.first?.state == .conflict && note.state.isLoaded }
        try await outbox.replace(id, with: MarkNote(note: 1, mark: 6, isConditional: true))
        #expect(note.value?.marks == [6])
        await until { outbox.items.isEmpty }
        #expect(server.state.value.notes[1]?.marks == [6] && note.value?.version == 8)
    }

    @Test("V5 a merged mutation can expect the version that it was merged with, although the store has a newer one")
    func mergedVersion() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        setOffline(true)
        let id = try await outbox.add(MarkNote(note: 1, mark: 5, isConditional: true))
        server.state.update { $0.notes[1]?.version = 7 }
        setOffline(false)
        await until { outbox.items.first?.state == .conflict }
        let etag = queries.etag(of: .note(1))
        server.state.update { $0.notes[1]?.version = 8 }
        await note.refresh()
        try await outbox.replace(id, with: MarkNote(note: 1, mark: 6, isConditional: true, etag: etag))
        await until { outbox.items.first?.state == .conflict && outbox.items.first?.attempts == 1 }
        #expect(server.state.value.notes[1]?.marks == [] && note.value?.version == 8)
    }

    @Test("V5 later mutations of a value expect the version that the earlier ones make")
    func versions() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        setOffline(true)
        let first = try outbox(queries)
        for mark in 1...3 { try await first.add(MarkNote(note: 1, mark: mark, isConditional: true)) }
        await until { first.items.first?.error != nil && first.items.first?.state == .waiting }
        await first.close()
        setOffline(false)
        // Not loaded in this launch: the version is that of the file.
        let second = try outbox(store())
        await second.sendNow()
        #expect(second.items.isEmpty && server.state.value.notes[1]?.marks == [1, 2, 3])
        await note.refresh()
        #expect(note.value?.version == 4)
    }

    @Test("V5 a file that is damaged, foreign or of an unknown type is kept, and holds up nothing but its order")
    func damaged() async throws {
        setOffline(true)
        let first = try outbox(store())
        try await first.add(MarkNote(note: 1, mark: 5))
        try await first.add(RemoveNote(note: 2))
        try await first.add(MarkNote(note: 3, mark: 6))
        await first.close()
        let user = try #require(try folder.names.first)
        let path = folder.url.appending(path: user)
        let names = try folder.mutationFiles().sorted()
        try Data("{".utf8).write(to: path.appending(path: names[0]))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: path.appending(path: names[0]).path)
        for name in ["x.json", "1-.json", "99999999999999999999-\(UUID()).json", "-1-x.json"] {
            try Data().write(to: path.appending(path: name))
        }
        setOffline(false)
        let second = try Outbox(store(), in: folder.url, for: "ann", sending: [MarkNote.self])
        #expect(second.items.count == 3)
        #expect(second.items.map { $0.mutation == nil } == [true, true, false])
        await second.sendNow()
        #expect(second.items.map(\.state) == [.failed, .failed])
        for item in second.items {
            guard case .file = item.error?.kind else {
                return #expect(Bool(false), "\(String(describing: item.error))")
            }
            try await second.retry(item.id)
            #expect(second.items.first { $0.id == item.id }?.state == .failed)
            await second.discard(item.id)
        }
        #expect(second.items.isEmpty)
        #expect(server.state.value.notes[3]?.marks == [6])
    }

    @Test("V5 files are readable only by their owner, and their number and size are bounded")
    func bounds() async throws {
        setOffline(true)
        let queries = store()
        let note = Loader(queries, .note(1))
        let outbox = try outbox(queries, limit: 2)
        try await outbox.add(MarkNote(note: 1, mark: 1))
        try await outbox.add(MarkNote(note: 1, mark: 2))
        let error = await #expect(throws: NetworkError.self) { try await outbox.add(MarkNote(note: 1, mark: 3)) }
        guard case .file = error?.kind else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(outbox.items.count == 2 && note.value == nil)
        let user = try #require(try folder.names.first)
        #expect(try folder.mode(of: user) == 0o700)
        for name in try folder.mutationFiles() { #expect(try folder.mode(of: "\(user)/\(name)") == 0o600) }
        let other = try Outbox(queries, in: folder.url, for: "bob", sending: [LargeMutation.self])
        await #expect(throws: NetworkError.self) {
            try await other.add(LargeMutation(text: String(repeating: "x", count: 2 << 20)))
        }
        await #expect(throws: NetworkError.self) { try await other.add(MarkNote(note: 1, mark: 3)) }
        await #expect(throws: NetworkError.self) { try await other.add(LargeMutation(text: "", number: .nan)) }
        #expect(other.items.isEmpty)
        #expect(throws: NetworkError.self) {
            try Outbox(queries, in: folder.url, for: "eve", sending: [MarkNote.self, MarkNote.self])
        }
    }

    @Test("V5 an effect is undone if the mutation can't be written")
    func unwritable() async throws {
        let queries = store()
        let note = await queries.loaded(1)
        let outbox = try outbox(queries)
        try FileManager.default.removeItem(at: folder.url)
        await #expect(throws: NetworkError.self) { try await outbox.add(MarkNote(note: 1, mark: 5)) }
        #expect(note.value?.marks == [] && outbox.items.isEmpty && server.log.count == 1)
    }

    @Test("V5 a user's mutations have one outbox at a time")
    func alone() async throws {
        let first = try outbox(store())
        #expect(throws: NetworkError.self) { try outbox(store()) }
        _ = try outbox(store(), for: "../bob")
        await first.close()
        await #expect(throws: NetworkError.self) { try await first.add(MarkNote(note: 1, mark: 5)) }
        _ = try outbox(store())
        #expect(try folder.names.count == 2)
    }

    @Test("V5 up to four orders are sent at the same time")
    func concurrency() async throws {
        server.hold()
        let outbox = try outbox(store())
        for note in 1...6 {
            for mark in 1...2 { try await outbox.add(MarkNote(note: note, mark: mark)) }
        }
        try await server.waitForRequests(4)
        #expect(outbox.items.count { $0.state == .sending } == 4)
        server.release()
        await until { outbox.items.isEmpty }
        #expect(server.log.count == 12 && (1...6).allSatisfy { server.state.value.notes[$0]?.marks == [1, 2] })
    }

    @Test("V5 A6 a sign-out removes the user's mutations; a sign-in as another closes the outbox and sends nothing")
    func accounts() async throws {
        let api = server.client {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let queries = store(api)
        let note = await queries.loaded(1)
        setOffline(true)
        let first = try outbox(queries)
        try await first.add(MarkNote(note: 1, mark: 5))
        await until { first.items.first?.error != nil && first.items.first?.state == .waiting }
        try await api.signIn(AccessToken(access: "bob"))
        #expect(first.isClosed && first.items.isEmpty && note.value == nil)
        #expect(try folder.mutationFiles().count == 1)
        setOffline(false)
        #expect(try outbox(queries, for: "bob").items.isEmpty)
        let again = try outbox(queries)
        #expect(again.items.count == 1)
        server.hold()
        try await api.signOut()
        #expect(again.isClosed)
        #expect(try folder.mutationFiles().isEmpty)
    }
}

private struct LargeMutation: OutboxMutation {
    let text: String
    var number = 0.0

    var endpoint: Endpoint<Void> { .remove(1) }
    var scope: String { "" }

    func apply(to changes: QueryChanges) {}
}
