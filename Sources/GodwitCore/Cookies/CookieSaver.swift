import Synchronization

/// Writes a jar's file, one write at a time, and never an older state over a newer one.
final class CookieSaver: Sendable {
    struct Snapshot: Sendable {
        let cookies: [Cookie]
        let version: Int
    }

    private let file: CookieFile
    private let diagnostics: Diagnostics
    /// Held during a write, so that the next one takes its snapshot after it.
    private let written: Mutex<Int>
    private let isScheduled = Mutex(false)

    /// Makes a saver of a file that holds a jar's state of this version.
    init(_ file: CookieFile, version: Int, diagnostics: Diagnostics) {
        self.file = file
        self.diagnostics = diagnostics
        written = Mutex(version)
    }

    /// Writes the snapshot, unless the file holds it already. The snapshot is taken once no other write is going on.
    func save(_ snapshot: () -> Snapshot) throws(NetworkError) {
        try written.withLock { version throws(NetworkError) in
            let snapshot = snapshot()
            guard snapshot.version != version else { return }
            do throws(NetworkError) {
                try file.write(snapshot.cookies)
            } catch {
                diagnostics.report(.cookies, at: file.url, error)
                throw error
            }
            version = snapshot.version
        }
    }

    /// Writes in the background: many changes at once make one write. A failure is left to the next change, or to
    /// ``CookieJar/save()``, which throws it.
    func saveSoon(_ snapshot: @escaping @Sendable () -> Snapshot) {
        guard
            isScheduled.withLock({ isScheduled in
                defer { isScheduled = true }
                return !isScheduled
            })
        else { return }
        Task.detached(priority: .utility) {
            self.isScheduled.withLock { $0 = false }
            try? self.save(snapshot)
        }
    }
}
