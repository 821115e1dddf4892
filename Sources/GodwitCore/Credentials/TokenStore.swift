import GodwitLibc
package import GodwitSupport
import Synchronization

/// Keeps a token between calls, and between runs of a program.
///
/// A ``TokenRefresher`` reads its store once, and again before a refresh if other processes share it (``lockFile``). It writes
/// when the token changes, one write at a time. Use
/// ``FileTokenStore`` or the system's keyring in programs, ``MemoryTokenStore`` in tests.
///
/// ```swift
/// let tokens = oauth.refresher(store: FileTokenStore(at: file))
/// ```
public protocol TokenStore: Sendable {
    /// The stored token; `nil` if there is none.
    func load() async throws(TokenStoreError) -> AccessToken?

    /// Stores a token, replacing any other.
    func save(_ token: AccessToken) async throws(TokenStoreError)

    /// Removes the token.
    func clear() async throws(TokenStoreError)

    /// The file that the processes which share this store lock while they refresh, store or remove the token. `nil`, the
    /// default, if only one process uses the store.
    ///
    /// A ``TokenRefresher`` creates the file (mode 0600, in a folder that must exist), holds its lock during a refresh, and
    /// then reads the store first: if another process has stored another token, it uses that one. It removes the file
    /// afterward. `save` and `clear` must not take the lock themselves.
    var lockFile: URL? { get }
}

extension TokenStore {
    /// `nil`: only one process uses the store.
    public var lockFile: URL? { nil }
}

/// A store that several processes share. It decides whether the result of a refresh counts, and tells other accounts.
package protocol SharedTokenStore: TokenStore {
    /// Stores the result of a refresh: a token, or `nil` if the old one was rejected. `save` and `clear` are called only
    /// for a sign-in and a sign-out.
    func finishRefresh(_ token: AccessToken?, replacing old: AccessToken) async throws(TokenStoreError)

    /// Calls a closure after a sign-in in another process, with its token, or a sign-out, with `nil`.
    func observe(_ onChange: @escaping @Sendable (AccessToken?) -> Void)
}

/// Keeps a token in memory.
///
/// ```swift
/// let tokens = TokenRefresher(store: MemoryTokenStore(accessToken)) { old in try await auth.send(.refresh(old)) }
/// ```
public final class MemoryTokenStore: TokenStore {
    private let token: Mutex<AccessToken?>

    /// Creates a store that holds a token, or none.
    ///
    /// - Parameter token: The first token. `nil`, the default, means that no user is signed in.
    public init(_ token: AccessToken? = nil) {
        self.token = Mutex(token)
    }

    /// The stored token; `nil` if there is none.
    public func load() -> AccessToken? {
        token.withLock { $0 }
    }

    /// Stores a token, replacing any other.
    public func save(_ token: AccessToken) {
        self.token.withLock { $0 = token }
    }

    /// Removes the token.
    public func clear() {
        token.withLock { $0 = nil }
    }
}

/// The reason that a token couldn't be read or stored.
public enum TokenStoreError: Error, Sendable, Hashable {
    /// Users other than the owner can read or write the file.
    case loosePermissions(path: String, mode: UInt32)
    /// The file belongs to another user.
    case foreignOwner(path: String)
    /// The path is a symbolic link.
    case symbolicLink(path: String)
    /// The path is not a regular file.
    case notAFile(path: String)
    /// The file doesn't contain a token.
    case damaged(path: String)
    /// Another process held the lock of the store for too long. With the process, if known.
    case locked(path: String, process: Int32?)
    /// A system call failed.
    case system(operation: String, path: String, reason: String)
    /// The store requires a library or service that isn't available.
    case unavailable(service: String, reason: String)
    /// Another failure, in words for a developer.
    case other(reason: String)
}

extension TokenStoreError: CustomStringConvertible, LocalizedError {
    /// The problem, and how to solve it.
    public var description: String {
        switch self {
        case .loosePermissions(let path, let mode):
            "\(path) has mode 0\(String(mode, radix: 8)), so other users can read it; run: chmod 600 \(path)"
        case .foreignOwner(let path): "\(path) belongs to another user"
        case .symbolicLink(let path): "\(path) is a symbolic link; name the file itself"
        case .notAFile(let path): "\(path) isn't a regular file"
        case .damaged(let path): "\(path) doesn't contain a token; remove it and sign in again"
        case .locked(let path, let process):
            "\(path) is in use by \(process.map { "process \($0)" } ?? "another process"); try again"
        case .system(let operation, let path, let reason): "can't \(operation) \(path): \(reason)"
        case .unavailable(let service, let reason): "\(service) isn't available: \(reason)"
        case .other(let reason): reason
        }
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

extension TokenStore {
    /// Takes the lock of the store, which ends with the last reference to it; `nil` if the store has none. Waits up to 60 s
    /// for another process, which may be refreshing the token. Throws `.locked` after that.
    package func lock(
        _ clock: any Clock<Duration> = ContinuousClock(),
        by take: (FileLock) throws(FileLock.Fault) -> HeldLock = { file throws(FileLock.Fault) in try file.take() }
    ) async throws(TokenStoreError) -> HeldLock? {
        guard let path = lockFile?.path else { return nil }
        do throws(FileLock.Fault) {
            return try await FileLock.wait(patience: .seconds(60), clock: clock) { () throws(FileLock.Fault) in
                try take(FileLock(at: path))
            }
        } catch {
            throw TokenStoreError(error, at: path)
        }
    }
}

extension TokenStoreError {
    /// Why the lock of a store wasn't taken.
    init(_ fault: FileLock.Fault, at lock: String) {
        self =
            switch fault {
            case .held(let process): .locked(path: lock, process: process)
            case .symbolicLink: .symbolicLink(path: lock)
            case .notAFile: .notAFile(path: lock)
            case .foreignOwner: .foreignOwner(path: lock)
            case .system(let code): .system(operation: "lock", path: lock, reason: String(cString: strerror(code)))
            }
    }
}

extension NetworkError {
    package init(_ error: TokenStoreError) {
        self.init(.file(reason: error.description), phase: .middleware, underlying: error)
    }
}

/// The stored form of a token: JSON.
package enum StoredToken {
    package static func encode(_ token: AccessToken) throws(TokenStoreError) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        guard let data = try? encoder.encode(token) else {
            throw .other(reason: "the token can't be encoded as JSON; its expiry must be a finite date")
        }
        return data
    }

    package static func decode(_ data: Data) throws(TokenStoreError) -> AccessToken {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let token = try? decoder.decode(AccessToken.self, from: data) else {
            throw .other(reason: "the stored data isn't a token; remove it and sign in again")
        }
        return token
    }
}

extension TokenStoreError: LibraryError {}
