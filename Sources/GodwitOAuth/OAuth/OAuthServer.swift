public import GodwitCore

/// The endpoints of an authorization server.
///
/// ```swift
/// let server = OAuthServer(tokenURL: try HTTPURL("https://auth.example.com/token"))
/// let found = try await OAuthServer.discover(issuer: "https://auth.example.com", over: transport)
/// ```
public struct OAuthServer: Sendable, Hashable {
    /// The token endpoint (RFC 6749 section 3.2).
    public var tokenURL: HTTPURL

    /// The page where a person signs in with a browser (RFC 6749 section 3.1).
    public var authorizationURL: HTTPURL?

    /// The endpoint where a device without a browser gets a code (RFC 8628 section 3.1).
    public var deviceAuthorizationURL: HTTPURL?

    /// The endpoint where tokens are revoked (RFC 7009).
    public var revocationURL: HTTPURL?

    /// The endpoint that takes the parameters of a sign-in before the browser opens (RFC 9126).
    public var pushedAuthorizationURL: HTTPURL?

    /// Whether every sign-in must be pushed there (RFC 9126 section 5). False by default.
    public var requiresPushedAuthorization = false

    /// The endpoint that tells whether a token counts (RFC 7662).
    public var introspectionURL: HTTPURL?

    /// The endpoints for clients that authenticate with a certificate, where they differ (RFC 8705 section 5).
    public var mutualTLS = MutualTLSEndpoints()

    /// The server's identifier. If set, authorization responses from other issuers are refused (RFC 9207).
    public var issuer: String?

    /// Whether to refuse authorization responses without `iss` (RFC 9207 section 3). False by default;
    /// ``discover(issuer:over:)`` reads it from `authorization_response_iss_parameter_supported`.
    public var namesIssuer = false

    /// Creates a server with the endpoints that your flows need.
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint.
    ///   - authorizationURL: The page where a person signs in.
    ///   - deviceAuthorizationURL: The endpoint where devices get codes (RFC 8628).
    ///   - revocationURL: The endpoint where tokens are revoked (RFC 7009).
    ///   - issuer: The required issuer of authorization responses (RFC 9207). With `nil`, the default, it isn't
    ///     checked.
    public init(
        tokenURL: HTTPURL, authorizationURL: HTTPURL? = nil, deviceAuthorizationURL: HTTPURL? = nil,
        revocationURL: HTTPURL? = nil, issuer: String? = nil
    ) {
        self.tokenURL = tokenURL
        self.authorizationURL = authorizationURL
        self.deviceAuthorizationURL = deviceAuthorizationURL
        self.revocationURL = revocationURL
        self.issuer = issuer
    }

    /// Reads the metadata of a server (RFC 8414, or else OpenID Connect Discovery 1.0).
    ///
    /// - Parameters:
    ///   - issuer: The server's identifier.
    ///   - transport: Sends the request.
    /// - Throws: `.invalidResponse` if the metadata belongs to another issuer, `.decoding` if the response isn't
    ///   metadata, `.insecure(.plaintext)` for plain http to another machine, and the errors of the exchange.
    public static func discover(
        issuer: some HTTPURLConvertible, over transport: some HTTPTransport
    ) async throws(NetworkError) -> OAuthServer {
        let call = OAuthCall(transport: transport)
        let url = try Self.url(issuer)
        do throws(NetworkError) {
            return try await discover(url, at: url.wellKnown("oauth-authorization-server"), call)
        } catch  where error.kind == .notFound {
            return try await discover(url, at: url.openIDConfiguration, call)
        }
    }

    private static func discover(
        _ issuer: HTTPURL, at url: HTTPURL, _ call: OAuthCall
    ) async throws(NetworkError) -> OAuthServer {
        let metadata = try call.decode(Metadata.self, from: try await call.get(url))
        // Otherwise, any server could act as this one (RFC 8414 section 3.3).
        guard (try? HTTPURL(metadata.issuer)) == issuer else {
            throw NetworkError(
                .invalidResponse(reason: "the metadata belongs to another issuer, \(metadata.issuer)"),
                phase: .decoding)
        }
        var server = OAuthServer(
            tokenURL: try Self.url(metadata.token_endpoint),
            authorizationURL: try metadata.authorization_endpoint.map(Self.url),
            deviceAuthorizationURL: try metadata.device_authorization_endpoint.map(Self.url),
            revocationURL: try metadata.revocation_endpoint.map(Self.url), issuer: metadata.issuer)
        server.namesIssuer = metadata.authorization_response_iss_parameter_supported?.value ?? false
        server.pushedAuthorizationURL = try metadata.pushed_authorization_request_endpoint.map(Self.url)
        server.requiresPushedAuthorization = metadata.require_pushed_authorization_requests?.value ?? false
        server.introspectionURL = try metadata.introspection_endpoint.map(Self.url)
        if let aliases = metadata.mtls_endpoint_aliases {
            server.mutualTLS.tokenURL = try aliases.token_endpoint.map(Self.url)
            server.mutualTLS.deviceAuthorizationURL = try aliases.device_authorization_endpoint.map(Self.url)
            server.mutualTLS.revocationURL = try aliases.revocation_endpoint.map(Self.url)
            server.mutualTLS.pushedAuthorizationURL = try aliases.pushed_authorization_request_endpoint.map(Self.url)
            server.mutualTLS.introspectionURL = try aliases.introspection_endpoint.map(Self.url)
        }
        return server
    }

    private static func url(_ text: some HTTPURLConvertible) throws(NetworkError) -> HTTPURL {
        try HTTPRequest(url: text).url
    }

    /// The same server for a client with a certificate.
    var withMutualTLS: OAuthServer {
        var server = self
        server.tokenURL = mutualTLS.tokenURL ?? tokenURL
        server.deviceAuthorizationURL = mutualTLS.deviceAuthorizationURL ?? deviceAuthorizationURL
        server.revocationURL = mutualTLS.revocationURL ?? revocationURL
        server.pushedAuthorizationURL = mutualTLS.pushedAuthorizationURL ?? pushedAuthorizationURL
        server.introspectionURL = mutualTLS.introspectionURL ?? introspectionURL
        return server
    }

    /// The names are those of RFC 8414 section 2, RFC 9126 section 5 and RFC 8705 section 5.
    private struct Metadata: Decodable {
        let issuer: String
        let token_endpoint: String
        let authorization_endpoint: String?
        let device_authorization_endpoint: String?
        let revocation_endpoint: String?
        let authorization_response_iss_parameter_supported: Flag?
        let pushed_authorization_request_endpoint: String?
        let require_pushed_authorization_requests: Flag?
        let introspection_endpoint: String?
        let mtls_endpoint_aliases: Aliases?
    }

    private struct Aliases: Decodable {
        let token_endpoint: String?
        let device_authorization_endpoint: String?
        let revocation_endpoint: String?
        let pushed_authorization_request_endpoint: String?
        let introspection_endpoint: String?
    }

    /// A Boolean value. Any other value counts as false, instead of making the metadata unreadable.
    private struct Flag: Decodable {
        let value: Bool

        init(from decoder: any Decoder) throws {
            value = (try? decoder.singleValueContainer().decode(Bool.self)) ?? false
        }
    }
}

extension HTTPURL {
    /// RFC 8414 section 3: before the issuer's path.
    fileprivate func wellKnown(_ name: String) -> HTTPURL {
        replacing(path: "/.well-known/\(name)\(folder)", query: nil)
    }

    /// OpenID Connect Discovery section 4: after the issuer's path.
    fileprivate var openIDConfiguration: HTTPURL {
        replacing(path: "\(folder)/.well-known/openid-configuration", query: nil)
    }

    /// The path without a trailing slash.
    private var folder: String {
        path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

/// The endpoints of an authorization server that ask for a client certificate (RFC 8705 section 5).
public struct MutualTLSEndpoints: Sendable, Hashable {
    /// The token endpoint.
    public var tokenURL: HTTPURL?
    /// The endpoint where a device without a browser gets a code.
    public var deviceAuthorizationURL: HTTPURL?
    /// The endpoint where tokens are revoked.
    public var revocationURL: HTTPURL?
    /// The endpoint that takes the parameters of a sign-in.
    public var pushedAuthorizationURL: HTTPURL?
    /// The endpoint that tells whether a token counts.
    public var introspectionURL: HTTPURL?

    init() {}
}
