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
