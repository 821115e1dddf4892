import GodwitSupport
import Synchronization

/// What a download writes to.
protocol DownloadFile: Sendable {
    /// The number of bytes in it.
    func size() throws(NetworkError) -> Int64

    /// Drops the bytes after a size.
    func truncate(to size: Int64) throws(NetworkError)

    /// Writes all of the data at an offset. After a failure, part of it may be written.
    func write(_ data: Data, at offset: Int64) async throws(NetworkError)

    /// Waits until the bytes are on the disk.
    func synchronize() async throws(NetworkError)

    /// Blocks until the bytes are on the disk.
    func synchronizeNow() throws(NetworkError)

    /// The error if the content doesn't have all of these digests; `nil` if it does, or none is known.
    func fault(expecting digests: [ContentDigest?]) async throws(NetworkError) -> NetworkError.Kind?

    /// Makes the complete content appear at the destination, and returns its URL.
    func finish(by finish: DownloadFinish) async throws(NetworkError) -> URL

    /// Removes what a failed download would leave.
    func remove()
}

extension DownloadFile {
    /// Compares a digest with the expected ones.
    static func fault(of digest: ContentDigest, expecting expected: [ContentDigest]) -> NetworkError.Kind? {
        expected.first { $0 != digest }.map { wanted in
            .invalidResponse(reason: "the content's digest is \(digest), not \(wanted)")
        }
    }
}

/// A device or pipe as the destination of a download. It gets the bytes in their order, once; nothing replaces it.
final class SpecialFile: DownloadFile {
    private struct State {
        var position: Int64 = 0
        /// `nil` if no digest was expected when the first byte was written.
        var hash: SHA256?
    }

    private let writer: FileWriter
    private let url: URL
    /// Whether a write may wait for a reader.
    private let isPipe: Bool
    private let expectsDigest: @Sendable () -> Bool
    private let state = Mutex(State())

    /// Opens the file. Throws `.file` if that fails, and for a pipe without a reader.
    ///
    /// - Parameter expectsDigest: Whether ``fault(expecting:)`` will be called with a digest. Asked before the first byte.
    init(_ url: URL, expectsDigest: @escaping @Sendable () -> Bool) throws(NetworkError) {
        self.url = url
        self.expectsDigest = expectsDigest
        writer = try FileWriter(url)
        isPipe = writer.isPipe
    }

    func size() -> Int64 { state.withLock(\.position) }

    func truncate(to size: Int64) throws(NetworkError) {
        guard size == self.size() else { throw cannotRepeat }
    }

    func write(_ data: Data, at offset: Int64) async throws(NetworkError) {
        guard offset == size() else { throw cannotRepeat }
        if isPipe {
            try await BlockingWork.run { [writer] in
                Result { () throws(NetworkError) in try writer.write(data) }
            }.get()
        } else {
            try writer.write(data)
        }
        let isFirst = offset == 0
        let startsHash = isFirst && expectsDigest()
        state.withLock { state in
            if startsHash { state.hash = SHA256() }
            state.hash?.update(data)
            state.position += Int64(data.count)
        }
    }

    /// A device has no content to write to a disk.
    func synchronize() {}

    func synchronizeNow() {}

    func fault(expecting digests: [ContentDigest?]) -> NetworkError.Kind? {
        let expected = digests.compactMap(\.self)
        let hash: SHA256? = size() == 0 ? SHA256() : state.withLock { $0.hash }
        guard let bytes = hash?.finish(), let digest = ContentDigest(sha256: bytes) else { return nil }
        return Self.fault(of: digest, expecting: expected)
    }

    func finish(by finish: DownloadFinish) -> URL { url }

    func remove() {}

    private var cannotRepeat: NetworkError {
        let reason = "\(url.lastPathComponent) is not a regular file, so the download can't start over"
        return NetworkError(.file(reason: reason), phase: .receiving)
    }
}
