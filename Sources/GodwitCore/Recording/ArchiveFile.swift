import Synchronization

/// Writes a recording to a file that only its owner can read (0600), one complete archive at a time.
package final class ArchiveFile: Sendable {
    package typealias Snapshot = () throws(NetworkError) -> Data?

    private let url: URL
    private let file: PrivateFile
    private let diagnostics: Diagnostics
    private let isScheduled = Mutex(false)
    /// Held during a write, so that an older archive doesn't replace a newer one.
    private let writing = Mutex(())

    package init(_ url: URL, diagnostics: Diagnostics = .shared) {
        self.url = url
        self.diagnostics = diagnostics
        file = PrivateFile(url)
    }

    package func save(_ snapshot: Snapshot) throws(NetworkError) {
        try writing.withLock { _ throws(NetworkError) in
            guard let data = try snapshot() else { return }
            try file.replace(with: data)
        }
    }

    /// Writes in the background; several changes can share one write. A failure is reported, and the next change tries
    /// again.
    func saveSoon(_ snapshot: @escaping @Sendable () throws(NetworkError) -> Data?) {
        let isFirst = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard isFirst else { return }
        Task.detached(priority: .utility) {
            self.isScheduled.withLock { $0 = false }
            do throws(NetworkError) {
                try self.save(snapshot)
            } catch {
                self.diagnostics.report(.archive, at: self.url, error)
            }
        }
    }
}
