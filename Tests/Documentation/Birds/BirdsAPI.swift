import Godwit

/// Birds API, version 1.0.
///
/// Sightings of waders along the coast.
///
/// ```swift
/// let api = BirdsAPI.client(credential: .token(token))
/// let value = try await api.send(.sightings())
/// ```
nonisolated enum BirdsAPI {
    /// Production
    static let production = APIEnvironment(name: "production", baseURL: "https://birds.example.com/v1")

    /// Local
    static let local = APIEnvironment(name: "local", baseURL: "http://127.0.0.1:8080/v1")

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - environment: The base URL.
    ///   - credential: Proves who calls; `nil` for operations that need no proof.
    ///   - configure: Changes the configuration, such as timeouts and the cache.
    static func client(
        _ environment: APIEnvironment = production, credential: BirdsCredential? = nil,
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(
            baseURL: environment.baseURL, preset: configuration(environment, credential: credential),
            configure: configure)
    }

    /// Creates a client that sends its requests with a transport, such as a mock.
    ///
    /// - Parameters:
    ///   - environment: The base URL.
    ///   - credential: Proves who calls; `nil` for operations that need no proof.
    ///   - transport: Sends the requests.
    ///   - configure: Changes the configuration, such as timeouts and the cache.
    static func client(
        _ environment: APIEnvironment = production, credential: BirdsCredential? = nil, transport: some HTTPTransport,
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(
            baseURL: environment.baseURL, transport: transport,
            preset: configuration(environment, credential: credential), configure: configure)
    }

    /// The configuration of clients, to change it or to use it for several.
    static func configuration(
        _ environment: APIEnvironment = production, credential: BirdsCredential? = nil
    ) -> ClientConfiguration {
        var configuration = ClientConfiguration(environment)
        configuration.json = coding
        credential?.apply(to: &configuration)
        return configuration
    }

    /// How JSON is read and written.
    static var coding: JSONCoding { JSONCoding(keys: .snakeCase) }
}
