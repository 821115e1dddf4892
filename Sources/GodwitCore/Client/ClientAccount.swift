/// What a client stores for its account: credentials, cookies, responses, passwords.
struct ClientAccount: Sendable {
    /// The session that owns all of it.
    let session: AccountSession
    /// Clears all of it when the account changes. Lives as long as a client or a call uses it.
    let membership: AccountMembership
    let cookieJar: CookieJar?
    let cacheStore: (any CacheStore)?
    /// `nil` without a cache.
    let validations: BackgroundValidations?
    /// The changes that the client's requests make to stored models.
    let models: ModelChanges
    let challenges: Challenges?
    let authentication: Authentication?
    /// `nil` if the credential isn't a refreshable token.
    let tokens: TokenRefresher?
    /// Whether the client only refreshes tokens for another one.
    let isForRefresh: Bool

    /// - Parameter session: The session of the client whose tokens this one refreshes. `nil` creates or finds one.
    init(
        _ base: Result<HTTPURL, InvalidURL>, _ transport: some HTTPTransport, _ configuration: ClientConfiguration,
        _ session: AccountSession?
    ) {
        let jar = configuration.cookies.makeJar(configuration.publicSuffixes)
        let setting = configuration.authentication
        let credential = setting?.makeCredential { session in
            APIClient(base, transport, configuration.refreshing(with: jar), session)
        }
        tokens = if case .tokens(let tokens) = credential?.kind { tokens } else { nil }
        isForRefresh = session != nil
        let session = session ?? tokens?.shared.session ?? AccountSession(.signedIn)
        self.session = session
        cookieJar = jar
        cacheStore = configuration.cache.makeStore()
        validations = cacheStore.map { _ in BackgroundValidations(clock: configuration.clock) }
        models = ModelChanges(configuration.modelStores)
        var challenges = configuration.challenges
        challenges?.session = session
        self.challenges = challenges
        let own = (try? base.get()).map { [$0.origin] } ?? []
        authentication = credential.map { Authentication($0, for: (setting?.origins ?? []).union(own)) }
        membership = AccountMembership(
            session,
            [
                jar.map { AccountPart($0) }, cacheStore.map { AccountPart($0) },
                challenges.map { AccountPart($0.spaces) },
            ]
            .compactMap(\.self) + configuration.modelStores.map { AccountPart($0) }, isForRefresh: isForRefresh)
    }
}

extension ClientConfiguration {
    /// The configuration for token refreshes. Other calls wait for these, so they must not queue behind those calls.
    fileprivate func refreshing(with jar: CookieJar?) -> ClientConfiguration {
        var configuration = self
        configuration.authentication = nil
        configuration.cookies = jar.map(CookieSetting.jar) ?? .off
        configuration.cache = .off
        configuration.coalescesRequests = false
        configuration.concurrency = ConcurrencyOptions()
        configuration.rateLimit = nil
        configuration.circuitBreaker = nil
        configuration.sharedCircuits = nil
        return configuration
    }
}

// The parts of an account that a client stores.
extension AccountPart {
    init(_ jar: CookieJar) {
        self.init(.cookies, ObjectIdentifier(jar)) {
            jar.clear()
            do throws(NetworkError) {
                try jar.save()
                return nil
            } catch {
                return error
            }
        }
    }

    init(_ store: any CacheStore) {
        self.init(.other, Self.identity(of: store)) {
            await store.removeAll()
            return nil
        }
    }

    init(_ store: any ModelStore) {
        self.init(.other, Self.identity(of: store)) {
            await store.removeAll()
            return nil
        }
    }

    init(_ spaces: ProtectionSpaces) {
        self.init(.other, ObjectIdentifier(spaces)) {
            spaces.forgetAll()
            return nil
        }
    }
}

extension APIClient {
    /// The client's cookie jar. `nil` if it stores no cookies.
    public var cookieJar: CookieJar? { account.cookieJar }

    /// The client's cache. `nil` if it has none.
    public var cacheStore: (any CacheStore)? { account.cacheStore }

    /// The hosts that demand HTTPS. `nil` if the client keeps none.
    public var hstsStore: HSTSStore? { configuration.hsts.store }

    /// The account that the client works for: an asynchronous sequence of its states, the current one first.
    ///
    /// ```swift
    /// for await state in api.session {
    ///     if case .ended(let reason) = state { showLogin(reason) }
    /// }
    /// ```
    public var session: AccountSession { account.tokens?.session ?? account.session }

    /// The refresher of the account's token. `nil` if its credential is something else.
    package var tokenRefresher: TokenRefresher? { account.tokens }

    /// The session, for data that other modules store for the account.
    package var accountSession: AccountSession { account.session }

    /// Stores a token and uses it from now on, for example after a login. Replaces any previous token.
    ///
    /// ```swift
    /// try await api.signIn(try await api.send(.login(form)))      // an endpoint that is .unauthenticated()
    /// ```
    ///
    /// Starts a new generation of the ``session``: data of the previous account is removed before the next call starts.
    /// Cookies stay if no account was signed in, as the login may have set them.
    ///
    /// Throws `.file` if the token can't be stored or old data can't be removed; the token is used anyway. Throws
    /// `.invalidRequest` if the client's ``ClientConfiguration/authentication`` doesn't use tokens.
    ///
    /// - Parameter token: The token that the server issued.
    public func signIn(_ token: AccessToken) async throws(NetworkError) {
        guard let tokens = account.tokens else {
            throw NetworkError(.invalidRequest(reason: "this client has no token to replace"), phase: .building)
        }
        try await tokens.signIn(token)
    }

    /// Removes the account's data: its token, all cookies, stored responses and models, and remembered passwords.
    ///
    /// - Calls in progress still get their response, but nothing of it is stored. A call that would need to be sent
    ///   again throws, with ``AccountChanged`` as the underlying error. The account's WebSockets are closed.
    /// - The next call starts after everything is removed.
    /// - Everything is removed even if one part fails or the task is canceled. The token is removed last, so that a
    ///   program killed in between doesn't leave data without its owner.
    ///
    /// Throws `.file` if the stored token or the cookie file can't be changed. A credential that isn't a stored token
    /// remains in use. The server isn't notified: see `OAuth2.revoke(_:)`.
    public func signOut() async throws(NetworkError) {
        if let tokens = account.tokens { return try await tokens.signOut() }
        let failures = await account.session.advance(to: .ended(.signedOut), removing: .everything).value
        if let error = NetworkError.joining(failures) { throw error }
    }

    /// Records a sign-in to an API whose session is a cookie or whose credential comes from a closure.
    ///
    /// The ``session`` becomes `.signedIn`, and data of the previous account is removed, except cookies.
    ///
    /// Throws `.file` if the data can't be removed, and `.invalidRequest` if the client uses tokens: call
    /// ``signIn(_:)`` instead.
    public func signIn() async throws(NetworkError) {
        guard account.tokens == nil else {
            throw NetworkError(.invalidRequest(reason: "this client signs in with a token"), phase: .building)
        }
        let failures = await account.session.advance(to: .signedIn, removing: .allButCookies).value
        if let error = NetworkError.joining(failures) { throw error }
    }
}
