/// How a client proves who is asking.
///
/// ```swift
/// $0.authentication = .credential(.apiKey(key, field: "X-API-Key"))
/// $0.authentication = .refreshing(tokenStore) { try await $0.send(.refresh($1)) }
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

    /// The token of a store, which is replaced by the API itself when it expires or is refused, once for all who wait.
    ///
    /// The closure gets a client of the same API that neither authenticates nor waits in this one's queues. See
    /// ``TokenRefresher`` for when it is called and what its errors mean.
    ///
    /// - Parameters:
    ///   - store: Where the token is kept between calls and runs.
    ///   - refresh: Asks the API for a new token; its endpoint needs no `.unauthenticated()`.
    public static func refreshing(
        _ store: some TokenStore, with refresh: @escaping Refresh
    ) -> ClientAuthentication {
        ClientAuthentication(source: .refreshing(store, refresh))
    }

    /// The credential; `api` makes the client that refreshes.
    func makeCredential(over api: () -> APIClient) -> Credential {
        switch source {
        case .credential(let credential):
            return credential
        case .refreshing(let store, let refresh):
            let api = api()
            return .tokens(TokenRefresher(store: store) { old in try await refresh(api, old) })
        }
    }
}
