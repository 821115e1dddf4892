#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The hidden file that a download grows in. One download at a time holds it; its owner alone may read it.
final class PartialFile: Sendable {
    private static let blockSize = 1 << 20

    private let descriptor: Int32
    private let url: URL
    private let name: String

    /// Opens or makes the file. Throws `.file` where that cannot be done, or another download has it.
    init(_ url: URL, for name: String) throws(NetworkError) {
        self.url = url
        self.name = name
        descriptor = try Self.lockedFile(url.path, name)
    }

    deinit {
        close(descriptor)
    }

    /// How many bytes it holds.
    func size() throws(NetworkError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot look at") }
        return Int64(status.st_size)
    }

    /// Cuts it.
    func cut(to size: Int64) throws(NetworkError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure("cannot cut") }
    }

    /// Writes all of the data at a place. What came before a failure stays.
    func write(_ data: Data, at offset: Int64) throws(NetworkError) {
        let outcome = data.withUnsafeBytes { bytes in
            Result { () throws(NetworkError) in try self.write(bytes, at: offset) }
        }
        try outcome.get()
    }

    /// Waits until the disk has it.
    func synchronize() throws(NetworkError) {
        guard fsync(descriptor) == 0 else { throw failure("cannot write") }
    }

    /// What is wrong with a content that has not all of these digests; nil where it has, or none is known.
    func fault(expecting digests: [ContentDigest?]) async throws(NetworkError) -> NetworkError.Kind? {
        let expected = digests.compactMap(\.self)
        guard !expected.isEmpty, let digest = ContentDigest(sha256: try await digest()) else { return nil }
        return expected.first { $0 != digest }.map { wanted in
            .invalidResponse(reason: "the content's digest is \(digest), not \(wanted)")
        }
    }

    /// The SHA-256 of what it holds. Lets other tasks go on in between.
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

    /// Makes it a file as any program would have made it, under another name.
    ///
    /// Returns false, where `replacing` is false and something is there.
    func move(to target: URL, replacing: Bool) throws(NetworkError) -> Bool {
        // First, so that a process which is killed in between leaves no file that others cannot read.
        _ = fchmod(descriptor, usualMode())
        var isMoved = false
        defer { if !isMoved { _ = fchmod(descriptor, 0o600) } }
        isMoved = try replacing ? moveOver(target) : moveToFree(target)
        return isMoved
    }

    /// What tells later that the file got to a place.
    func placement(at target: URL) throws(NetworkError) -> DownloadPlacement {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot look at") }
        return DownloadPlacement(target: target.path, status)
    }

    func remove() {
        unlink(url.path)
    }

    /// Waits until the disk knows the file's new name.
    func synchronizeFolder() {
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func moveOver(_ target: URL) throws(NetworkError) -> Bool {
        try isMoved(FileMove.replace(target.path, with: url.path), "cannot replace")
    }

    private func moveToFree(_ target: URL) throws(NetworkError) -> Bool {
        try isMoved(FileMove.move(url.path, toFree: target.path), "cannot create")
    }

    private func isMoved(_ outcome: FileMove.Outcome, _ what: String) throws(NetworkError) -> Bool {
        switch outcome {
        case .moved: return true
        case .exists: return false
        case .failed(let code): throw Self.error("\(what) \(name): \(String(cString: strerror(code)))")
        }
    }

    /// What the process's mask leaves of 0666. The mask can be asked for only by changing it, so a file tells.
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
        var (rest, place) = (bytes[...], offset)
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = pwrite(descriptor, part.baseAddress, part.count, off_t(place))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("cannot write") }
            rest = rest.dropFirst(count)
            place += Int64(count)
        }
    }

    /// A run that ends at this moment may take the file away between opening and locking it.
    private static func lockedFile(_ path: String, _ name: String) throws(NetworkError) -> Int32 {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw failure("cannot create a file for", name) }
            do throws(NetworkError) {
                if try isOurs(file, path, name) { return file }
            } catch {
                close(file)
                throw error
            }
            close(file)
        }
    }

    private static func isOurs(_ file: Int32, _ path: String, _ name: String) throws(NetworkError) -> Bool {
        guard lockFile(file) == 0 else {
            if errno != EWOULDBLOCK { throw failure("cannot lock the file for", name) }
            throw error("\(name) is being downloaded already")
        }
        var (held, named) = (stat(), stat())
        guard fstat(file, &held) == 0 else { throw failure("cannot look at", name) }
        guard held.st_mode & S_IFMT == S_IFREG, held.st_uid == geteuid() else {
            throw error("what is in the place of the partial file of \(name) is not a file of ours")
        }
        _ = fchmod(file, 0o600)
        return lstat(path, &named) == 0 && named.st_ino == held.st_ino && named.st_dev == held.st_dev
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

// The C function whose name is a type's too.
private func lockFile(_ descriptor: Int32) -> Int32 {
    flock(descriptor, LOCK_EX | LOCK_NB)
}
