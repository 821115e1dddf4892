import Godwit
import GodwitUI
import TestSupport

extension QueryStore {
    /// A loader of a note whose value is loaded.
    func loaded(_ note: Int) async -> Loader<Note> {
        let loader = Loader(self, .note(note))
        await loader.load()
        return loader
    }
}

extension TemporaryFolder {
    /// The names of an outbox's files of mutations, of all users.
    func mutationFiles() throws -> [String] {
        try names.flatMap { try FileManager.default.contentsOfDirectory(atPath: url.path + "/" + $0) }
            .filter { $0 != "lock" }
    }
}
