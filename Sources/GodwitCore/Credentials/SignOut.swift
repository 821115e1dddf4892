/// Ends a session on this machine: removes the token, the cookies and the cached responses.
///
/// ```swift
/// let signOut = SignOut(tokens: tokens, cookies: jar, cache: cache)
/// try await signOut()
/// ```
///
/// For the middlewares of a custom ``Chain``; a client has ``APIClient/signOut()``. Each part is cleared even if another
/// fails or the task is canceled, in memory and on disk. Middlewares that have the refresher's ``TokenRefresher/session``
/// store nothing more from calls in progress. Nothing is sent to the server; see `OAuth2.revoke(_:)`.
public struct SignOut: Sendable {
    private let tokens: TokenRefresher?
    private let cookies: CookieJar?
    private let cache: (any CacheStore)?

    /// Creates a sign-out that clears the given parts.
    ///
    /// - Parameters:
    ///   - tokens: The refresher whose token is cleared. `nil` by default.
    ///   - cookies: The jar to empty, with its file. `nil` by default.
    ///   - cache: The store to empty. `nil` by default.
    public init(tokens: TokenRefresher? = nil, cookies: CookieJar? = nil, cache: (any CacheStore)? = nil) {
        self.tokens = tokens
        self.cookies = cookies
        self.cache = cache
    }

    /// Clears everything.
    ///
    /// - Throws: `.file` with the reasons of all parts whose files couldn't be cleared.
    public func callAsFunction() async throws(NetworkError) {
        let session = tokens?.shared.session ?? AccountSession(.signedIn)
        let parts = [cookies.map { AccountPart($0) }, cache.map { AccountPart($0) }]
        let membership = AccountMembership(session, parts.compactMap(\.self))
        defer { withExtendedLifetime(membership) {} }
        if let tokens { return try await tokens.signOut() }
        let failures = await session.advance(to: .ended(.signedOut), removing: .everything).value
        if let error = NetworkError.joining(failures) { throw error }
    }
}
