@testable import GodwitGenerator
import Testing

@Suite("G2 The API and its credentials as Swift")
struct APIWriterTests {
    @Test("G2 an API has its environments, clients and coding")
    func api() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/LibraryAPI.swift") == ##"""
                public import Godwit

                /// Library, version 1.
                ///
                /// ```swift
                /// let api = LibraryAPI.client(credential: .session(tokenStore))
                /// let value = try await api.send(.listBooks())
                /// ```
                nonisolated public enum LibraryAPI {
                    /// The base URL https://{region}.example.com/v1.
                    ///
                    /// - Parameters:
                    ///   - region: Where
                    public static func production(region: Region = .eu) -> APIEnvironment {
                        APIEnvironment(name: "production", baseURL: "https://\(region.rawValue).example.com/v1")
                    }

                    /// The values of `{region}` in the URL.
                    nonisolated public enum Region: String, Sendable, Hashable, CaseIterable {
                        case eu
                        case usWest = "us-west"
                    }

                    /// Creates a client.
                    ///
                    /// - Parameters:
                    ///   - environment: The base URL.
                    ///   - credential: Proves who calls; `nil` for operations that need no proof.
                    ///   - configure: Changes the configuration, such as timeouts and the cache.
                    public static func client(
                        _ environment: APIEnvironment = production(), credential: LibraryCredential? = nil,
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
                    public static func client(
                        _ environment: APIEnvironment = production(), credential: LibraryCredential? = nil,
                        transport: some HTTPTransport, configure: (inout ClientConfiguration) -> Void = { _ in }
                    ) -> APIClient {
                        APIClient(
                            baseURL: environment.baseURL, transport: transport,
                            preset: configuration(environment, credential: credential), configure: configure)
                    }

                    /// The configuration of clients, to change it or to use it for several.
                    public static func configuration(
                        _ environment: APIEnvironment = production(), credential: LibraryCredential? = nil
                    ) -> ClientConfiguration {
                        var configuration = ClientConfiguration(environment)
                        configuration.json = coding
                        configuration.errorBodies.append(.type(Problem.self))
                        credential?.apply(to: &configuration)
                        return configuration
                    }

                    /// How JSON is read and written.
                    public static var coding: JSONCoding { JSONCoding(keys: .snakeCase) }
                }

                """##)
    }

    @Test("G2 credentials are an enum, with the API's own refresh")
    func credential() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/LibraryCredential.swift") == ##"""
                public import Godwit

                /// Proves to the API who calls. Its description leaves out the secret.
                nonisolated public enum LibraryCredential: Sendable {
                    /// A key in the field `X-Key`.
                    case apiKey(String)
                    /// Stored tokens, refreshed by ``Endpoint/refresh`` once for all waiting calls.
                    case session(any TokenStore)

                    /// Makes clients send the credential.
                    func apply(to configuration: inout ClientConfiguration) {
                        switch self {
                        case .apiKey(let key):
                            configuration.authentication = .credential(.apiKey(key, field: "X-Key"))
                        case .session(let store):
                            configuration.authentication = .refreshing(store) { api, old in
                                let tokens = try await api.send(.refresh(RefreshRequest(refreshToken: old.refresh ?? "")))
                                return AccessToken(tokens)
                            }
                        }
                    }
                }

                nonisolated extension LibraryCredential: CustomStringConvertible, CustomReflectable {
                    public var description: String { "LibraryCredential(<redacted>)" }

                    /// Empty, so that printing by reflection shows no secret.
                    public var customMirror: Mirror { Mirror(self, children: []) }
                }

                nonisolated extension AccessToken {
                    /// The tokens of a response, to sign in with: `try await api.signIn(AccessToken(tokens))`.
                    public init(_ tokens: Tokens) {
                        self.init(
                            access: tokens.accessToken, refresh: tokens.refreshToken,
                            expiry: tokens.expiresIn.map { Date(timeIntervalSinceNow: TimeInterval($0)) })
                    }
                }

                """##)
    }

    @Test("G2 the type of error bodies is an error with the server's words")
    func failure() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/Models/Problem+Error.swift") == ##"""
                public import Godwit

                /// Thrown by calls as the underlying error of a `NetworkError`.
                nonisolated extension Problem: Swift.Error, LocalizedError {
                    /// The words of the server.
                    public var errorDescription: String? { message }
                }

                """##)
    }
}
