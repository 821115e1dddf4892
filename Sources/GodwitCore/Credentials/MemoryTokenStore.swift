import Synchronization

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
