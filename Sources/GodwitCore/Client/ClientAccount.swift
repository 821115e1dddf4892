/// What a client keeps for the account it works for: credentials, cookies, responses.
struct ClientAccount: Sendable {
    let cookieJar: CookieJar?
    let cacheStore: (any CacheStore)?
    let authentication: Authentication?
    /// Where the credential is a token that changes.
    let tokens: TokenRefresher?

    init(
        _ base: Result<HTTPURL, InvalidURL>, _ transport: some HTTPTransport, _ configuration: ClientConfiguration
    ) {
        let jar = configuration.cookies.makeJar(configuration.publicSuffixes)
        cookieJar = jar
        cacheStore = configuration.cache.makeStore()
        guard let setting = configuration.authentication else {
            authentication = nil
            tokens = nil
            return
        }
        let credential = setting.makeCredential { APIClient(base, transport, configuration.refreshing(with: jar)) }
        let own = (try? base.get()).map { [$0.origin] } ?? []
        authentication = Authentication(credential, for: setting.origins.union(own))
        tokens = if case .tokens(let tokens) = credential.kind { tokens } else { nil }
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
