#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Keeps a token in a file that only its owner may read (mode 0600).
///
/// ```swift
/// let store = FileTokenStore(at: folder.appending(path: "token.json"))
/// ```
///
/// A file that others may read or write, that belongs to someone else, or that is a symbolic link is refused, for
/// reading as well as for writing. A write replaces the file in one step: a program that dies on the way leaves
/// the token of before. The folder must exist.
public struct FileTokenStore: TokenStore, Hashable {
    private static let sizeLimit = 1 << 20

    private let path: String
    private let diagnostics: Diagnostics

    /// Makes a store over a file, which need not exist yet.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder has to be there when a token is saved; it may be a symbolic link.
    ///   - diagnostics: Receives a report if the file can't be read or written, in addition to the error that is thrown.
    public init(at url: URL, diagnostics: Diagnostics = .shared) {
        path = url.path
        self.diagnostics = diagnostics
    }

    /// Reads the token; nil where there is no file.
    ///
    /// Throws where the file can be read by others, is a link or another user's, or holds something else.
    public func load() throws(TokenStoreError) -> AccessToken? {
        try reporting { () throws(TokenStoreError) in try storedToken() }
    }

    /// Writes the token in place of any other, in one step, with mode 0600.
    ///
    /// - Parameter token: The token.
    public func save(_ token: AccessToken) throws(TokenStoreError) {
        try reporting { () throws(TokenStoreError) in try replace(with: token) }
    }

    /// Removes the file, where there is one.
    public func clear() throws(TokenStoreError) {
        try reporting { () throws(TokenStoreError) in
            guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", errno) }
        }
        syncFolder()
    }
}

extension FileTokenStore {
    /// Whether both keep their token in the same file.
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

    /// Does something, and reports why it failed.
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

    /// Throws where what is there must not be replaced; nothing there is fine.
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
        guard descriptor >= 0 else { throw failure("write beside", errno) }
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

    /// Makes the new name last; where the system cannot, the token is still there until power fails.
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

/// The system's call; the method of the same name hides it.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension Slice<UnsafeMutableRawBufferPointer> {
    fileprivate var baseAddressOfRest: UnsafeMutableRawPointer? {
        UnsafeMutableRawBufferPointer(rebasing: self).baseAddress
    }
}

extension TokenStoreError {
    /// The problem of a token's file.
    fileprivate var problem: StorageDiagnostic.Problem {
        switch self {
        case .foreignOwner: .wrongOwner
        case .damaged: .damaged
        case .system(_, _, let reason): StorageDiagnostic.Problem(reason: reason)
        case .loosePermissions, .symbolicLink, .notAFile, .unavailable, .other: .unavailable
        }
    }
}
