import Synchronization

/// Where a token is kept between calls, and between runs of a program.
///
/// A ``TokenRefresher`` reads its store once and writes whenever the token changes, never two writes at a time.
/// ``MemoryTokenStore`` is for tests and for what need not last, ``FileTokenStore`` for programs.
///
/// ```swift
/// let tokens = oauth.refresher(store: FileTokenStore(at: file))
/// ```
public protocol TokenStore: Sendable {
    /// The token that is kept; nil where there is none.
    func load() async throws(TokenStoreError) -> AccessToken?

    /// Keeps a token in place of any that was there.
    func save(_ token: AccessToken) async throws(TokenStoreError)

    /// Keeps none.
    func clear() async throws(TokenStoreError)
}

/// Keeps a token as long as the program runs.
///
/// ```swift
/// let tokens = TokenRefresher(store: MemoryTokenStore(accessToken)) { old in try await auth.send(.refresh(old)) }
/// ```
public final class MemoryTokenStore: TokenStore {
    private let token: Mutex<AccessToken?>

    /// Makes a store that holds a token, or none.
    ///
    /// - Parameter token: What it holds at first; nil where nobody is signed in.
    public init(_ token: AccessToken? = nil) {
        self.token = Mutex(token)
    }

    /// The token it holds.
    public func load() -> AccessToken? {
        token.withLock { $0 }
    }

    /// Holds a token in place of any other.
    ///
    /// - Parameter token: The token.
    public func save(_ token: AccessToken) {
        self.token.withLock { $0 = token }
    }

    /// Holds none.
    public func clear() {
        token.withLock { $0 = nil }
    }
}

/// Why a token could not be read or kept.
public enum TokenStoreError: Error, Sendable, Hashable {
    /// Others than the owner may read or write the file; its permission bits.
    case loosePermissions(path: String, mode: UInt32)
    /// The file belongs to another user.
    case foreignOwner(path: String)
    /// The path is a symbolic link.
    case symbolicLink(path: String)
    /// The path is not a regular file.
    case notAFile(path: String)
    /// The file does not hold a token.
    case damaged(path: String)
    /// The system refused: what was tried, and its words.
    case system(operation: String, path: String, reason: String)
    /// What the store needs is not there, such as a library or a service of the desktop.
    case unavailable(service: String, reason: String)
    /// A store of another kind failed.
    case other(reason: String)
}

extension TokenStoreError: CustomStringConvertible, LocalizedError {
    /// What is wrong, and what to do about it.
    public var description: String {
        switch self {
        case .loosePermissions(let path, let mode):
            "\(path) has mode 0\(String(mode, radix: 8)), so others may read it; run: chmod 600 \(path)"
        case .foreignOwner(let path): "\(path) belongs to another user"
        case .symbolicLink(let path): "\(path) is a symbolic link; name the file itself"
        case .notAFile(let path): "\(path) is not a regular file"
        case .damaged(let path): "\(path) does not hold a token; remove it and sign in again"
        case .system(let operation, let path, let reason): "cannot \(operation) \(path): \(reason)"
        case .unavailable(let service, let reason): "\(service) is not available: \(reason)"
        case .other(let reason): reason
        }
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

extension NetworkError {
    init(_ error: TokenStoreError) {
        self.init(.file(reason: error.description), phase: .middleware, underlying: error)
    }
}

/// A token as stores keep it, as JSON.
enum StoredToken {
    static func encode(_ token: AccessToken) throws(TokenStoreError) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        guard let data = try? encoder.encode(token) else {
            throw .other(reason: "the token cannot be written as JSON; is its expiry a finite date?")
        }
        return data
    }

    static func decode(_ data: Data) throws(TokenStoreError) -> AccessToken {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let token = try? decoder.decode(AccessToken.self, from: data) else {
            throw .other(reason: "what is stored does not hold a token; remove it and sign in again")
        }
        return token
    }
}

extension TokenStoreError: LibraryError {}
