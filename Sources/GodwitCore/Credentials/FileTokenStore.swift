#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Keeps a token in a file that only its owner can read (mode 0600).
///
/// ```swift
/// let store = FileTokenStore(at: folder.appending(path: "token.json"))
/// ```
///
/// Reading and writing fail if other users can read or write the file, if it belongs to another user, or if it is a
/// symbolic link. A write replaces the file atomically: if the program crashes, the former token remains. The folder
/// must exist.
public struct FileTokenStore: TokenStore, Hashable {
    private static let sizeLimit = 1 << 20

    private let path: String
    private let diagnostics: Diagnostics

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - url: The file, which may not exist yet. Its folder must exist; it may be a symbolic link.
    ///   - diagnostics: Receives a report if the file can't be read or written, in addition to the error that is
    ///     thrown.
    public init(at url: URL, diagnostics: Diagnostics = .shared) {
        path = url.path
        self.diagnostics = diagnostics
    }

    /// Reads the token; `nil` if there is no file.
    ///
    /// - Throws: A ``TokenStoreError`` if the file is accessible to others, a link, another user's, or damaged.
    public func load() throws(TokenStoreError) -> AccessToken? {
        try reporting { () throws(TokenStoreError) in try storedToken() }
    }

    /// Atomically replaces the file, with mode 0600.
    public func save(_ token: AccessToken) throws(TokenStoreError) {
        try reporting { () throws(TokenStoreError) in try replace(with: token) }
    }

    /// Removes the file.
    public func clear() throws(TokenStoreError) {
        try reporting { () throws(TokenStoreError) in
            guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", errno) }
        }
        syncFolder()
    }
}

extension FileTokenStore {
    /// Whether both have the same file.
    public static func == (left: FileTokenStore, right: FileTokenStore) -> Bool { left.path == right.path }

    /// Hashes the path.
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }

    private func replace(with token: AccessToken) throws(TokenStoreError) {
        try checkTarget()
        let data = try StoredToken.encode(token)
        let draft = "\(path).\(UInt64.random(in: 0 ... .max)).new"
        do throws(TokenStoreError) {
            try write(data, to: draft)
            guard rename(draft, path) == 0 else { throw failure("replace", errno) }
        } catch {
            unlink(draft)
            throw error
        }
        syncFolder()
    }

    private func storedToken() throws(TokenStoreError) -> AccessToken? {
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? .symbolicLink(path: path) : failure("open", errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("examine", errno) }
        try check(status)
        guard status.st_size <= Self.sizeLimit else { throw .damaged(path: path) }
        let data = try contents(descriptor, count: Int(status.st_size))
        guard let token = try? StoredToken.decode(data) else { throw .damaged(path: path) }
        return token
    }

    /// Reports a failure before throwing it.
    private func reporting<Value>(
        _ work: () throws(TokenStoreError) -> Value
    ) throws(TokenStoreError) -> Value {
        do throws(TokenStoreError) {
            return try work()
        } catch {
            diagnostics.report(StorageDiagnostic(.tokens, error.problem, path: path, detail: error.description))
            throw error
        }
    }

    /// Throws if an existing file must not be replaced.
    private func checkTarget() throws(TokenStoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw failure("examine", errno)
        }
        guard status.st_mode & S_IFMT != S_IFLNK else { throw .symbolicLink(path: path) }
        try check(status)
    }

    private func check(_ status: stat) throws(TokenStoreError) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard status.st_uid == geteuid() else { throw .foreignOwner(path: path) }
        guard status.st_mode & 0o077 == 0 else {
            throw .loosePermissions(path: path, mode: UInt32(status.st_mode & 0o7777))
        }
    }

    private func contents(_ descriptor: Int32, count: Int) throws(TokenStoreError) -> Data {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { read(descriptor, $0[filled...].baseAddressOfRest, count - filled) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw failure("read", errno) }
            guard got > 0 else { throw .damaged(path: path) }
            filled += got
        }
        return Data(bytes)
    }

    private func write(_ data: Data, to draft: String) throws(TokenStoreError) {
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", errno) }
        defer { close(descriptor) }
        let bytes = Array(data)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("write", errno) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw failure("write", errno) }
    }

    /// Makes the change survive a power failure, if the system supports that.
    private func syncFolder() {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ operation: String, _ code: Int32) -> TokenStoreError {
        .system(operation: operation, path: path, reason: String(cString: strerror(code)))
    }
}

/// The system call, which the method of the same name shadows.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension Slice<UnsafeMutableRawBufferPointer> {
    fileprivate var baseAddressOfRest: UnsafeMutableRawPointer? {
        UnsafeMutableRawBufferPointer(rebasing: self).baseAddress
    }
}

extension TokenStoreError {
    /// The problem to report.
    fileprivate var problem: StorageDiagnostic.Problem {
        switch self {
        case .foreignOwner: .wrongOwner
        case .damaged: .damaged
        case .system(_, _, let reason): StorageDiagnostic.Problem(reason: reason)
        case .loosePermissions, .symbolicLink, .notAFile, .unavailable, .other: .unavailable
        }
    }
}
