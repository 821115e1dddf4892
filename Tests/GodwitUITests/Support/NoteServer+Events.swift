import GodwitTesting
import GodwitUI

extension NoteServer {
    /// Holds requests and begins a load, whose response the server makes before what follows.
    @MainActor
    func begin(_ load: @escaping @MainActor () async -> Void) async throws -> Task<Void, Never> {
        hold()
        let number = log.count
        let task = Task { await load() }
        try await waitForRequests(number + 1)
        execute(number)
        return task
    }

    /// Changes a note, and tells a store.
    @MainActor
    func change(_ id: Int, to version: Int, in queries: QueryStore) {
        state.update { $0.notes[id]?.version = version }
        queries.set { changes in changes.update(Note.self, id: id) { $0.version = version } }
    }
}
