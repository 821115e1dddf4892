#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Where a complete file is about to go: enough to tell after a crash whether it got there.
///
/// A move keeps a file's number, so the file that has it in the new place is the one that was downloaded.
package struct DownloadPlacement: Sendable, Hashable, Codable {
    /// Is called before each move, which waits for it.
    package typealias Note = @Sendable (DownloadPlacement) async throws(NetworkError) -> Void

    /// The path of the file to be.
    package let target: String
    private let device: UInt64
    private let number: UInt64
    private let size: Int64

    init(target: String, _ status: stat) {
        self.target = target
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
    }

    /// Whether the file is in its place.
    package var isDone: Bool { isAt(target) }

    /// Removes what a move that was interrupted has left of a download's hidden files.
    package func removeTraces(of url: HTTPURL, to destination: URL) {
        let place = DownloadPlace(destination, url: url)
        if isAt(place.partialFile.path) { unlink(place.partialFile.path) }
        if !DownloadPlace.exists(place.partialFile) { place.removeTicket() }
    }

    private func isAt(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return self == DownloadPlacement(target: target, status)
    }
}
