import Godwit
import GodwitTesting
import Synchronization

/// The models of a sequence, which last longer than its stores.
final class SequenceModels: ModelStore {
    private let models = MemoryModelStore()
    private let given = Mutex<[String: Note]>([:])

    /// The notes that were stored last, and weren't removed.
    var notes: [Int: Note] {
        given.withLock { Dictionary($0.values.map { ($0.id, $0) }) { first, _ in first } }
    }

    func model(for key: String) async -> StoredModel? { await models.model(for: key) }

    func store(_ model: StoredModel, for key: String) async {
        if let note = try? JSONModelDecoder().decode(Note.self, from: model.data), note.id > 0 {
            given.withLock { $0[key] = note }
        }
        await models.store(model, for: key)
    }

    func removeModel(for key: String) async {
        given.withLock { $0[key] = nil }
        await models.removeModel(for: key)
    }

    func removeAll() async {
        given.withLock { $0 = [:] }
        await models.removeAll()
    }
}
