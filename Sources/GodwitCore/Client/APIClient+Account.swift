extension APIClient {
    /// The jar of this client's cookies; nil where it keeps none.
    public var cookieJar: CookieJar? { account.cookieJar }

    /// What keeps this client's responses; nil where it has no cache.
    public var cacheStore: (any CacheStore)? { account.cacheStore }

    /// Uses and keeps a token, as after a login, in place of any other.
    ///
    /// ```swift
    /// try await api.signIn(try await api.send(.login(form)))      // an endpoint that is .unauthenticated()
    /// ```
    ///
    /// Throws `.file` where the token cannot be kept; it is used all the same. Throws `.invalidRequest` where the
    /// client's ``ClientConfiguration/authentication`` is not one of tokens.
    ///
    /// - Parameter token: What the server granted.
    public func signIn(_ token: AccessToken) async throws(NetworkError) {
        guard let tokens = account.tokens else {
            throw NetworkError(.invalidRequest(reason: "this client has no token to replace"), phase: .building)
        }
        try await tokens.signIn(token)
    }

    /// Forgets what belongs to the account: its token, all cookies and all stored responses.
    ///
    /// Everything is forgotten, whatever fails. Throws `.file` where the stored token or the cookies' file cannot be
    /// changed. Calls under way go on with what they have; a credential that is no token of a store stays in use.
    public func signOut() async throws(NetworkError) {
        try await SignOut(tokens: account.tokens, cookies: account.cookieJar, cache: account.cacheStore)()
    }
}
