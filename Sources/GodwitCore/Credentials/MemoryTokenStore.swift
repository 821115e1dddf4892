import Synchronization

/// Keeps a token as long as the program runs.
public final class MemoryTokenStore: TokenStore {
    private let token: Mutex<AccessToken?>

    /// Makes a store that holds a token, or none.
    public init(_ token: AccessToken? = nil) {
        self.token = Mutex(token)
    }

    public func load() -> AccessToken? {
        token.withLock { $0 }
    }

    public func save(_ token: AccessToken) {
        self.token.withLock { $0 = token }
    }

    public func clear() {
        token.withLock { $0 = nil }
    }
}
