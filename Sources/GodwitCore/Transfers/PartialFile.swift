import GodwitLibc
import GodwitSupport

/// The hidden file that a download writes to. One download at a time holds it; only its owner may read it.
final class PartialFile: Sendable {
    private static let blockSize = 1 << 20

    private let descriptor: Int32
    private let url: URL
    private let name: String

    /// Opens or creates the file. Throws `.file` if that fails, or if another download holds it.
    init(_ url: URL, for name: String) throws(NetworkError) {
        self.url = url
        self.name = name
        descriptor = try Self.lockedFile(url.path, name)
    }

    deinit {
        FileLock.close(descriptor)
    }

    func size() throws(NetworkError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot inspect") }
        return Int64(status.st_size)
    }

    func truncate(to size: Int64) throws(NetworkError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure("cannot truncate") }
    }

    /// Writes all of the data at an offset. After a failure, part of it may be written.
    func write(_ data: Data, at offset: Int64) throws(NetworkError) {
        let outcome = data.withUnsafeBytes { bytes in
            Result { () throws(NetworkError) in try self.write(bytes, at: offset) }
        }
        try outcome.get()
    }

    /// Waits until the file is on the disk.
    func synchronize() async throws(NetworkError) {
        try await BlockingWork.run { [self] in
            Result { () throws(NetworkError) in try synchronizeNow() }
        }.get()
    }

    /// Blocks until the file is on the disk.
    func synchronizeNow() throws(NetworkError) {
        guard fsync(descriptor) == 0 else { throw failure("cannot write") }
    }

    /// The error if the content doesn't have all of these digests; `nil` if it does, or none is known.
    func fault(expecting digests: [ContentDigest?]) async throws(NetworkError) -> NetworkError.Kind? {
        let expected = digests.compactMap(\.self)
        guard !expected.isEmpty, let digest = ContentDigest(sha256: try await digest()) else { return nil }
        return Self.fault(of: digest, expecting: expected)
    }

    static func fault(of digest: ContentDigest, expecting expected: [ContentDigest]) -> NetworkError.Kind? {
        expected.first { $0 != digest }.map { wanted in
            .invalidResponse(reason: "the content's digest is \(digest), not \(wanted)")
        }
    }

    /// The SHA-256 of the content. Yields to other tasks between blocks.
    private func digest() async throws(NetworkError) -> [UInt8] {
        var hash = SHA256()
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        var offset: Int64 = 0
        while true {
            if Task.isCancelled { throw NetworkError(.cancelled, phase: .receiving) }
            let count = pread(descriptor, &block, block.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("cannot read") }
            if count == 0 { return hash.finish() }
            hash.update(block[..<count])
            offset += Int64(count)
            await Task.yield()
        }
    }

    /// Gives the file usual permissions and moves it.
    ///
    /// Returns `false` if `replacing` is false and the target exists.
    func move(to target: URL, replacing: Bool) throws(NetworkError) -> Bool {
        // Before the move, so that a process killed in between doesn't leave a file that others can't read.
        _ = fchmod(descriptor, usualMode())
        var isMoved = false
        defer { if !isMoved { _ = fchmod(descriptor, 0o600) } }
        isMoved =
            replacing
            ? try check(FileMove.replace(target.path, with: url.path), "cannot replace")
            : try check(FileMove.move(url.path, toFree: target.path), "cannot create")
        return isMoved
    }

    /// Identifies the file, so that a later process can tell whether it was moved to the target.
    func placement(at target: URL) throws(NetworkError) -> DownloadPlacement {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot inspect") }
        return DownloadPlacement(target: target.path, status)
    }

    func remove() {
        unlink(url.path)
    }

    /// Blocks until the file's new name is on the disk.
    func synchronizeFolder() {
        _ = Descriptor.synchronizeFolder(url.deletingLastPathComponent().path)
    }

    private func check(_ outcome: FileMove.Outcome, _ what: String) throws(NetworkError) -> Bool {
        switch outcome {
        case .moved: return true
        case .exists: return false
        case .failed(let code): throw Self.error("\(what) \(name): \(String(cString: strerror(code)))")
        }
    }

    /// 0666 without the process's umask. Reading the umask would change it, so a new file shows it.
    private func usualMode() -> mode_t {
        let path = url.path + ".mode"
        unlink(path)
        let probe = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard probe >= 0 else { return 0o600 }
        defer { close(probe) }
        unlink(path)
        var status = stat()
        return fstat(probe, &status) == 0 ? status.st_mode & 0o777 : 0o600
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(NetworkError) {
        guard Descriptor.write(bytes, to: descriptor, at: offset) else { throw failure("cannot write") }
    }

    /// Retries if another run removed the file between opening and locking it.
    private static func lockedFile(_ path: String, _ name: String) throws(NetworkError) -> Int32 {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw failure("cannot create a file for", name) }
            do throws(NetworkError) {
                if try isOurs(file, path, name) { return file }
            } catch {
                FileLock.close(file)
                throw error
            }
            FileLock.close(file)
        }
    }

    private static func isOurs(_ file: Int32, _ path: String, _ name: String) throws(NetworkError) -> Bool {
        guard FileLock.take(file) else {
            if errno != EWOULDBLOCK { throw failure("cannot lock the file for", name) }
            throw error("\(name) is being downloaded already")
        }
        var held = stat()
        guard fstat(file, &held) == 0 else { throw failure("cannot inspect", name) }
        guard held.st_mode & S_IFMT == S_IFREG, held.st_uid == geteuid() else {
            throw error("the partial file of \(name) is not a regular file of this user")
        }
        _ = fchmod(file, 0o600)
        return FileLock.isNamed(path, file)
    }

    private func failure(_ what: String) -> NetworkError {
        Self.failure(what, name)
    }

    private static func failure(_ what: String, _ name: String) -> NetworkError {
        error("\(what) \(name): \(String(cString: strerror(errno)))")
    }

    private static func error(_ reason: String) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .receiving)
    }
}
