/// Ends a session on this machine: the token, the cookies and the cached responses are removed.
///
/// ```swift
/// let signOut = SignOut(tokens: tokens, cookies: jar, cache: cache)
/// try await signOut()
/// ```
///
/// For middlewares in a ``Chain`` of your own; a client has ``APIClient/signOut()``. Each part is cleared even if another
/// fails, and also if the task is canceled. What is cleared stays cleared on disk: a jar with a file is written at once.
/// What calls in progress bring is stored no longer, if their middlewares have the refresher's ``TokenRefresher/session``.
/// The server is not told; see ``OAuth2/revoke(_:)``.
public struct SignOut: Sendable {
    private let tokens: TokenRefresher?
    private let cookies: CookieJar?
    private let cache: (any CacheStore)?

    /// Makes a sign-out of the parts that there are.
    ///
    /// - Parameters:
    ///   - tokens: What holds the token; nil where there is none.
    ///   - cookies: The jar that is emptied, in its file too.
    ///   - cache: The store that is emptied, on disk too.
    public init(tokens: TokenRefresher? = nil, cookies: CookieJar? = nil, cache: (any CacheStore)? = nil) {
        self.tokens = tokens
        self.cookies = cookies
        self.cache = cache
    }

    /// Clears everything.
    ///
    /// Throws `.file` with the reasons of all parts that could not be cleared in their files.
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
