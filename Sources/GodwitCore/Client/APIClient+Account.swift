extension APIClient {
    /// The jar of this client's cookies; nil where it keeps none.
    public var cookieJar: CookieJar? { account.cookieJar }

    /// What keeps this client's responses; nil where it has no cache.
    public var cacheStore: (any CacheStore)? { account.cacheStore }

    /// Who the client works for, and how that stands: a sequence of states, the current one first.
    ///
    /// ```swift
    /// for await state in api.session {
    ///     if case .ended(let reason) = state { showLogin(reason) }
    /// }
    /// ```
    public var session: AccountSession { account.tokens?.session ?? account.session }

    /// The session, for what other modules keep for the account.
    package var accountSession: AccountSession { account.session }

    /// Uses and keeps a token, as after a login, in place of any other.
    ///
    /// ```swift
    /// try await api.signIn(try await api.send(.login(form)))      // an endpoint that is .unauthenticated()
    /// ```
    ///
    /// It begins a new generation of the ``session``: what is stored of a former account is removed before the next call
    /// starts. Cookies stay if nobody was signed in, as the login may have set them.
    ///
    /// Throws `.file` if the token cannot be kept, or what was stored before cannot be removed; the token is used all the
    /// same. Throws `.invalidRequest` if the client's ``ClientConfiguration/authentication`` is not one of tokens.
    ///
    /// - Parameter token: What the server granted.
    public func signIn(_ token: AccessToken) async throws(NetworkError) {
        guard let tokens = account.tokens else {
            throw NetworkError(.invalidRequest(reason: "this client has no token to replace"), phase: .building)
        }
        try await tokens.signIn(token)
    }

    /// Forgets what belongs to the account: its token, all cookies, stored responses and models, and remembered passwords.
    ///
    /// - Calls in progress get their response, if it comes to that, but nothing of it is stored. Those that would have to
    ///   be sent again throw, with ``AccountChanged`` underneath. Sockets of the account are closed.
    /// - The next call starts once everything is removed.
    /// - Everything is removed even if a part fails or the task is canceled. The token goes last: a program that is killed
    ///   on the way finds it, and no data without its owner.
    ///
    /// Throws `.file` if the stored token or the cookies' file cannot be changed. A credential that is not a token of a
    /// store stays in use. The server is not told: see ``OAuth2/revoke(_:)``.
    public func signOut() async throws(NetworkError) {
        if let tokens = account.tokens { return try await tokens.signOut() }
        let failures = await account.session.advance(to: .ended(.signedOut), removing: .everything).value
        if let error = NetworkError.joining(failures) { throw error }
    }

    /// Says that someone has signed in to an API that keeps its session in a cookie, or whose credential comes from a
    /// closure: the ``session`` becomes `.signedIn`, and what is stored from before is removed, cookies excepted.
    ///
    /// Throws `.file` if that cannot be removed. A client with tokens needs the token: ``signIn(_:)``; it throws
    /// `.invalidRequest`.
    public func signIn() async throws(NetworkError) {
        guard account.tokens == nil else {
            throw NetworkError(.invalidRequest(reason: "this client signs in with a token"), phase: .building)
        }
        let failures = await account.session.advance(to: .signedIn, removing: .allButCookies).value
        if let error = NetworkError.joining(failures) { throw error }
    }
}
