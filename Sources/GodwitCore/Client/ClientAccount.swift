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
