import GodwitLibc
import GodwitSupport

/// Keeps a token in a file that only its owner can read (mode 0600).
///
/// ```swift
/// let store = FileTokenStore(at: folder.appending(path: "token.json"))
/// ```
///
/// Reading and writing fail if other users can read or write the file, if it belongs to another user, or if it is a
/// symbolic link. A write replaces the file atomically: if the program crashes, the former token remains. The folder
/// must exist.
///
/// Several processes can use one file: a ``TokenRefresher`` refreshes for all of them, under the lock of `NAME.lock` in the same
/// folder. ``save(_:)`` and ``clear()`` don't wait for that lock; sign in and out through the refresher.
public struct FileTokenStore: TokenStore, Hashable {
    private let url: URL
    private let diagnostics: Diagnostics

    /// Creates a store that keeps the token in this file.
    ///
    /// - Parameters:
    ///   - url: The file, which may not exist yet. Its folder must exist; it may be a symbolic link.
    ///   - diagnostics: Receives a report if the file can't be read or written, in addition to the error that is
    ///     thrown.
    public init(at url: URL, diagnostics: Diagnostics = .shared) {
        self.url = url
        self.diagnostics = diagnostics
    }

    /// `NAME.lock`, in the file's folder.
    public var lockFile: URL? { URL(filePath: FileLock(of: path).path) }

    /// Reads the token; `nil` if the file doesn't exist.
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

    private var path: String { url.path }

    private func replace(with token: AccessToken) throws(TokenStoreError) {
        _ = try findFile()
        let data = try StoredToken.encode(token)
        do throws(NetworkError) {
            try PrivateFile(url).replace(with: data)
        } catch {
            throw failure("write", error)
        }
        syncFolder()
    }

    private func storedToken() throws(TokenStoreError) -> AccessToken? {
        guard try findFile() else { return nil }
        let data: Data?
        do throws(NetworkError) {
            data = try PrivateFile(url).read()
        } catch {
            throw failure("read", error)
        }
        guard let data else { return nil }
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

    /// Whether the file exists. Throws if it must be neither read nor replaced.
    private func findFile() throws(TokenStoreError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw failure("examine", errno)
        }
        guard status.st_mode & S_IFMT != S_IFLNK else { throw .symbolicLink(path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard status.st_uid == geteuid() else { throw .foreignOwner(path: path) }
        guard status.st_mode & 0o077 == 0 else {
            throw .loosePermissions(path: path, mode: UInt32(status.st_mode & 0o7777))
        }
        return true
    }

    /// Makes the change survive a power failure, if the system supports that.
    private func syncFolder() {
        _ = Descriptor.synchronizeFolder(url.deletingLastPathComponent().path)
    }

    private func failure(_ operation: String, _ code: Int32) -> TokenStoreError {
        .system(operation: operation, path: path, reason: String(cString: strerror(code)))
    }

    private func failure(_ operation: String, _ error: NetworkError) -> TokenStoreError {
        guard case .file(let reason) = error.kind else { return .other(reason: "\(error)") }
        return .system(operation: operation, path: path, reason: reason)
    }
}

extension TokenStoreError {
    /// The problem to report.
    fileprivate var problem: StorageDiagnostic.Problem {
        switch self {
        case .foreignOwner: .wrongOwner
        case .damaged: .damaged
        case .locked: .locked
        case .system(_, _, let reason): StorageDiagnostic.Problem(reason: reason)
        case .loosePermissions, .symbolicLink, .notAFile, .unavailable, .other: .unavailable
        }
    }
}
