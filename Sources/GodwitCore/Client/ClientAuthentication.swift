/// How a client authenticates its requests.
///
/// ```swift
/// $0.authentication = .credential(.apiKey(key, field: "X-API-Key"))
/// $0.authentication = .refreshing(tokenStore) { try await $0.send(.refresh($1)) }
/// $0.authentication = .credential { try await vault.token() }
/// ```
///
/// Credentials are sent to the origin of the client's base URL and to ``origins``, with requests whose
/// ``RequestOptions/authentication`` is `.required`: the default for endpoints without `.unauthenticated()`.
public struct ClientAuthentication: Sendable, Nonisolated {
    /// Requests a new token from the API, with a client that sends no credentials.
    public typealias Refresh = @Sendable (_ api: APIClient, _ old: AccessToken) async throws -> AccessToken

    private enum Source: Sendable {
        case credential(Credential)
        case refreshing(any TokenStore, Refresh)
    }

    private let source: Source

    /// Additional origins that get the credentials, such as an API's file server. Empty by default.
    public var origins: Set<Origin> = []

    /// Uses a fixed credential.
    ///
    /// - Parameter credential: A key, password or token, or a token refresher.
    public static func credential(_ credential: Credential) -> ClientAuthentication {
        ClientAuthentication(source: .credential(credential))
    }

    /// Uses the token that a closure returns, for apps that manage their own tokens.
    ///
    /// The closure runs for each request that needs a credential, and again after a 401: if it then returns a different
    /// token, the request is sent again. It can run for many requests at the same time, so cache the token. If the user
    /// changes, call ``APIClient/signOut()``.
    ///
    /// A ``NetworkError`` that it throws reaches the caller unchanged; any other error becomes `.unauthorized`.
    ///
    /// - Parameter token: Returns the current token. Its expiry and refresh token are ignored.
    public static func credential(_ token: @escaping @Sendable () async throws -> AccessToken) -> ClientAuthentication {
        credential(.provided { .token(try await token()) })
    }

    /// Uses the credential that a closure returns: a key, a password or a token.
    ///
    /// See ``credential(_:)-(()->AccessToken)`` for when it is called.
    ///
    /// - Parameter credential: Returns the current credential.
    public static func credential(
        _ credential: @escaping @Sendable () async throws -> Credential
    ) -> ClientAuthentication {
        self.credential(.provided(by: credential))
    }

    /// Uses a stored token and refreshes it through the API when it expires or is rejected, once for all waiting calls.
    ///
    /// The closure gets a client for the same API that sends no credentials and bypasses this client's queues. See
    /// ``TokenRefresher`` for when it runs and what its errors mean.
    ///
    /// Clients with the same store share its token and their ``AccountSession``.
    ///
    /// - Parameters:
    ///   - store: Stores the token between calls and launches.
    ///   - refresh: Requests a new token. Its endpoint doesn't need `.unauthenticated()`.
    public static func refreshing(
        _ store: some TokenStore, with refresh: @escaping Refresh
    ) -> ClientAuthentication {
        ClientAuthentication(source: .refreshing(store, refresh))
    }

    /// Creates the credential. `api` creates the client that refreshes tokens for a session.
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
