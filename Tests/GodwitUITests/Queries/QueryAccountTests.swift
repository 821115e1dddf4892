import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 A6 mutations and the change of account", .timeLimit(.minutes(15)))
@MainActor
struct QueryAccountTests {
    private let server = NoteServer()
    private let api: APIClient
    private let queries: QueryStore

    init() {
        api = server.client {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        queries = QueryStore(api)
    }

    @Test("V5 A6 whichever value notices first that the account changed, the next one sees no pending mutation")
    func pendingMutations() async throws {
        let notes = (1...7).map { Loader(queries, .note($0)) }
        for note in notes { await note.load() }
        server.hold()
        let mutations = (1...7).map { id in
            Task {
                try await queries.mutate(.mark(id, 3)) { changes in
                    changes[.note(id)] = Note(id: id, owner: "ann", marks: [3])
                    changes[.note(8 - id)] = Note(id: 8 - id, owner: "ann", marks: [4])
                }
            }
        }
        await until { notes.allSatisfy { $0.value?.marks.isEmpty == false } }
        let seen = History { notes.compactMap(\.value).filter(\.marks.isEmpty).count }
        try await api.signIn(AccessToken(access: "bob"))
        #expect(notes.allSatisfy { $0.value == nil })
        server.release()
        for mutation in mutations { _ = await mutation.result }
        #expect(notes.allSatisfy { $0.value == nil })
        seen.catchUp()
        #expect(seen.values == [0])
    }
}
