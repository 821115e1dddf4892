import Synchronization

/// Writes a recording to a file that only its owner can read (0600), one complete archive at a time.
package final class ArchiveFile: Sendable {
    package typealias Snapshot = () throws(NetworkError) -> Data?

    private let file: PrivateFile
    /// Held during a write, so that an older archive doesn't replace a newer one.
    private let writing = Mutex(())

    package init(_ url: URL) {
        file = PrivateFile(url, allowsSharedFolder: true)
    }

    package func save(_ snapshot: Snapshot) throws(NetworkError) {
        try writing.withLock { _ throws(NetworkError) in
            guard let data = try snapshot() else { return }
            try file.replace(with: data)
        }
    }
}
