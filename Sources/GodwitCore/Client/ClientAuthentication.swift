/// How a client proves who is asking.
///
/// ```swift
/// $0.authentication = .credential(.apiKey(key, field: "X-API-Key"))
/// $0.authentication = .refreshing(tokenStore) { try await $0.send(.refresh($1)) }
/// $0.authentication = .credential { try await vault.token() }
/// ```
///
/// Credentials go to the origin of the client's base URL and to those of ``origins``, with requests whose
/// ``RequestOptions/authentication`` is `.required`; that is what an endpoint without `.unauthenticated()` has.
public struct ClientAuthentication: Sendable, Nonisolated {
    /// Gets a new token from the API, over a client that sends no credentials.
    public typealias Refresh = @Sendable (_ api: APIClient, _ old: AccessToken) async throws -> AccessToken

    private enum Source: Sendable {
        case credential(Credential)
        case refreshing(any TokenStore, Refresh)
    }

    private let source: Source

    /// Further origins that get the credentials, such as an API's file server. Empty by default.
    public var origins: Set<Origin> = []

    /// A credential that is there already.
    ///
    /// - Parameter credential: A key, password, token, or a refresher of tokens.
    public static func credential(_ credential: Credential) -> ClientAuthentication {
        ClientAuthentication(source: .credential(credential))
    }

    /// The token that a closure returns, as for an app that keeps its tokens elsewhere.
    ///
    /// The closure is called for each request to the client's origin, or to one of ``origins``, that needs a credential.
    /// It is called once more after a 401, and the request is sent again if it returns another token. It runs for many
    /// requests at once: keep the token there. If the user changes, call ``APIClient/signOut()``.
    ///
    /// What it throws reaches the caller: a ``NetworkError`` as it is, anything else as `.unauthorized`.
    ///
    /// - Parameter token: Returns the current token. Its expiry and refresh token do not matter here.
    public static func credential(_ token: @escaping @Sendable () async throws -> AccessToken) -> ClientAuthentication {
        credential(.provided { .token(try await token()) })
    }

    /// The credential that a closure returns: a key, a password or a token.
    ///
    /// See ``credential(_:)-(()->AccessToken)`` for when it is called.
    ///
    /// - Parameter credential: Returns the current credential.
    public static func credential(
        _ credential: @escaping @Sendable () async throws -> Credential
    ) -> ClientAuthentication {
        self.credential(.provided(by: credential))
    }

    /// The token of a store, which is replaced by the API itself when it expires or is refused, once for all who wait.
    ///
    /// The closure gets a client of the same API that neither authenticates nor waits in this one's queues. See
    /// ``TokenRefresher`` for when it is called and what its errors mean.
    ///
    /// Clients over the same store share its token and their ``AccountSession``.
    ///
    /// - Parameters:
    ///   - store: Where the token is kept between calls and runs.
    ///   - refresh: Asks the API for a new token; its endpoint needs no `.unauthenticated()`.
    public static func refreshing(
        _ store: some TokenStore, with refresh: @escaping Refresh
    ) -> ClientAuthentication {
        ClientAuthentication(source: .refreshing(store, refresh))
    }

    /// The credential; `api` makes the client that refreshes, for the session that it refreshes for.
    func makeCredential(over api: (AccountSession) -> APIClient) -> Credential {
        switch source {
        case .credential(let credential):
            return credential
        case .refreshing(let store, let refresh):
            let shared = SharedTokens.over(store)
            let api = api(shared.session)
            return .tokens(TokenRefresher(shared) { old in try await refresh(api, old) })
        }
    }
}
