import Godwit
import GodwitCommand
import Synchronization

/// An input of some chunks.
final class ScriptedInput: InputSource {
    private let chunks: Mutex<[String]>

    let isPiped: Bool

    init(_ chunks: [String], isPiped: Bool = false) {
        self.isPiped = isPiped
        self.chunks = Mutex(chunks)
    }

    func read() async throws -> Data? {
        chunks.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) }
    }
}
