/// What a client keeps for the account it works for: credentials, cookies, responses, passwords.
struct ClientAccount: Sendable {
    /// Whose all this is.
    let session: AccountSession
    /// Removes all this when the account changes, for as long as there is a client or a call.
    let membership: AccountMembership
    let cookieJar: CookieJar?
    let cacheStore: (any CacheStore)?
    /// What the client's requests change of stored models.
    let models: ModelChanges
    let challenges: Challenges?
    let authentication: Authentication?
    /// Where the credential is a token that changes.
    let tokens: TokenRefresher?

    /// - Parameter session: That of the client whose tokens this one refreshes; `nil` makes or finds its own.
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
        let isForRefresh = session != nil
        let session = session ?? tokens?.shared.session ?? AccountSession(.signedIn)
        self.session = session
        cookieJar = jar
        cacheStore = configuration.cache.makeStore()
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
    /// For the calls that refresh a token, which the other calls wait for: they stand in no queue behind those.
    fileprivate func refreshing(with jar: CookieJar?) -> ClientConfiguration {
        var configuration = self
        configuration.authentication = nil
        configuration.cookies = jar.map(CookieSetting.jar) ?? .off
        configuration.cache = .off
        configuration.coalescesRequests = false
        configuration.concurrency = ConcurrencyOptions()
        configuration.rateLimit = nil
        configuration.circuitBreaker = nil
        return configuration
    }
}

// What a client keeps for its account.
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
