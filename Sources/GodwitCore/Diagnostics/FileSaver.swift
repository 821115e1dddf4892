import GodwitSupport
import Synchronization

/// Writes the file of a store, one write at a time, and never replaces a newer state with an older one.
final class FileSaver: Sendable {
    /// Writes the current state if its version isn't the one in the file. Returns the version that the file then has.
    typealias Write = @Sendable (_ written: Int) throws(NetworkError) -> Int

    private let store: StorageDiagnostic.Store
    private let url: URL
    private let diagnostics: Diagnostics
    /// The version in the file. Locked during a write, so that the next write reads the state afterward.
    private let written: Mutex<Int>
    private let isScheduled = Mutex(false)

    /// Creates a saver for a file that holds this version of the store's state.
    init(_ store: StorageDiagnostic.Store, at url: URL, version: Int, diagnostics: Diagnostics) {
        self.store = store
        self.url = url
        self.diagnostics = diagnostics
        written = Mutex(version)
    }

    /// Writes after any write in progress.
    func save(_ write: Write) throws(NetworkError) {
        try written.withLock { version throws(NetworkError) in
            do throws(NetworkError) {
                version = try write(version)
            } catch {
                diagnostics.report(store, at: url, error)
                throw error
            }
        }
    }

    /// Writes in the background and merges bursts of changes into one write. After a failure, the next change or
    /// ``save(_:)``, which throws it, tries again.
    func saveSoon(_ write: @escaping Write) {
        guard
            isScheduled.withLock({ isScheduled in
                defer { isScheduled = true }
                return !isScheduled
            })
        else { return }
        Task.detached(priority: .utility) {
            self.isScheduled.withLock { $0 = false }
            // It may wait for another process.
            await BlockingWork.run { _ = try? self.save(write) }
        }
    }
}
