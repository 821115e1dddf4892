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
        return server
    }

    private static func url(_ text: some HTTPURLConvertible) throws(NetworkError) -> HTTPURL {
        do throws(InvalidURL) {
            return try text.httpURL()
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building, underlying: error)
        }
    }

    /// The names are those of RFC 8414 section 2.
    private struct Metadata: Decodable {
        let issuer: String
        let token_endpoint: String
        let authorization_endpoint: String?
        let device_authorization_endpoint: String?
        let revocation_endpoint: String?
        let authorization_response_iss_parameter_supported: Flag?
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

/// A program's registration at an authorization server.
///
/// A distributed program, such as an app or a command, can't keep a secret and is registered as a public client; PKCE
/// protects its codes (RFC 8252 section 8.5). The description leaves out the secret.
///
/// ```swift
/// OAuthClient(id: "reader")                                        // an app: no secret
/// OAuthClient(id: "importer", secret: secret, secretIn: .form)     // a program on a server
/// ```
public struct OAuthClient: Sendable {
    /// How a secret is sent (RFC 6749 section 2.3.1).
    public enum SecretPlacement: Sendable, Hashable {
        /// With HTTP Basic, which every server must support.
        case header
        /// In the form, for servers that support nothing else.
        case form
    }

    /// The client identifier.
    public let id: String

    private let secret: String?
    private let placement: SecretPlacement

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - id: The identifier from the server.
    ///   - secret: The secret. `nil`, the default, means a public client (RFC 6749 section 2.1).
    ///   - placement: How the secret is sent. `.header` by default.
    public init(id: String, secret: String? = nil, secretIn placement: SecretPlacement = .header) {
        self.id = id
        self.secret = secret
        self.placement = placement
    }

    /// Adds the client's identifier and secret to a request.
    func authenticate(_ form: inout QueryItems, _ fields: inout HTTPFields) {
        guard let secret else { return form.append("client_id", id) }
        switch placement {
        case .form:
            form.append("client_id", id)
            form.append("client_secret", secret)
        case .header:
            let pair = "\(Self.encoded(id)):\(Self.encoded(secret))"
            fields[.authorization] = "Basic \(Data(pair.utf8).base64EncodedString())"
        }
    }

    /// Form-encodes both halves, so that a colon in one isn't a separator (RFC 6749 appendix B).
    private static func encoded(_ text: String) -> String {
        var encoded = FormURLEncoded.encode([text: ""])
        encoded.removeLast()
        return encoded
    }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable {
    /// The identifier, and whether there is a secret.
    public var description: String { "OAuthClient(\(id), \(secret == nil ? "public" : "secret <redacted>"))" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
