/// Where an authorization server is spoken to.
///
/// ```swift
/// let server = OAuthServer(tokenURL: try HTTPURL("https://auth.example.com/token"))
/// let found = try await OAuthServer.discover(issuer: "https://auth.example.com", over: transport)
/// ```
public struct OAuthServer: Sendable, Hashable {
    /// Where tokens are asked for (RFC 6749 section 3.2).
    public var tokenURL: HTTPURL

    /// Where a person signs in, in a browser (RFC 6749 section 3.1).
    public var authorizationURL: HTTPURL?

    /// Where a device without a browser asks for its code (RFC 8628 section 3.1).
    public var deviceAuthorizationURL: HTTPURL?

    /// Where tokens are given back (RFC 7009).
    public var revocationURL: HTTPURL?

    /// The server's own name for itself. If it is set, an authorization response that names another is refused
    /// (RFC 9207).
    public var issuer: String?

    /// Whether the server names itself in every authorization response (RFC 9207 section 3). False by default;
    /// ``discover(issuer:over:)`` takes it from `authorization_response_iss_parameter_supported`.
    ///
    /// If it does, a response without `iss` is refused.
    public var namesIssuer = false

    /// Makes a server of the endpoints that the flows in use need.
    ///
    /// - Parameters:
    ///   - tokenURL: Where tokens are given out.
    ///   - authorizationURL: The page where a person signs in.
    ///   - deviceAuthorizationURL: Where devices ask for codes (RFC 8628).
    ///   - revocationURL: Where tokens are revoked (RFC 7009).
    ///   - issuer: Who answers have to be from (RFC 9207); nil compares nothing.
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

    /// Asks a server for its endpoints: as RFC 8414 says, else as OpenID Connect Discovery 1.0 does.
    ///
    /// Throws `.invalidResponse` where the answer speaks for another issuer, `.decoding` where it is not metadata,
    /// `.insecure(.plaintext)` for plain http to another machine, and what the exchange throws.
    ///
    /// ```swift
    /// let server = try await OAuthServer.discover(issuer: "https://auth.example.com", over: transport)
    /// ```
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
        // RFC 8414 section 3.3: else any server could speak for this one.
        guard (try? HTTPURL(metadata.issuer)) == issuer else {
            throw NetworkError(
                .invalidResponse(reason: "the metadata is that of another issuer, \(metadata.issuer)"),
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

    /// A truth value. Anything else counts as false, and does not make the rest of the metadata unreadable.
    private struct Flag: Decodable {
        let value: Bool

        init(from decoder: any Decoder) throws {
            value = (try? decoder.singleValueContainer().decode(Bool.self)) ?? false
        }
    }
}

extension HTTPURL {
    /// RFC 8414 section 3: the well-known part stands before the issuer's path.
    fileprivate func wellKnown(_ name: String) -> HTTPURL {
        replacing(path: "/.well-known/\(name)\(folder)", query: nil)
    }

    /// OpenID Connect Discovery section 4: behind the issuer's path.
    fileprivate var openIDConfiguration: HTTPURL {
        replacing(path: "\(folder)/.well-known/openid-configuration", query: nil)
    }

    /// Both have a terminating slash removed first.
    private var folder: String {
        path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

/// Who a program is to an authorization server: what it was registered as.
///
/// A program that others can take apart, such as an app or a command, has no secret to keep and is registered as a
/// public client; PKCE protects its codes (RFC 8252 section 8.5). It describes itself without its secret.
///
/// ```swift
/// OAuthClient(id: "reader")                                        // an app: no secret
/// OAuthClient(id: "importer", secret: secret, secretIn: .form)     // a program on a server
/// ```
public struct OAuthClient: Sendable {
    /// How a secret is sent (RFC 6749 section 2.3.1).
    public enum SecretPlacement: Sendable, Hashable {
        /// By HTTP Basic, as every server has to understand.
        case header
        /// Among the items of the form, for servers that understand nothing else.
        case form
    }

    /// The client's public identifier.
    public let id: String

    private let secret: String?
    private let placement: SecretPlacement

    /// Makes a client; without a secret, a public one.
    ///
    /// - Parameters:
    ///   - id: The identifier that the server gave out.
    ///   - secret: The secret, for programs that can keep one; nil for a public client (RFC 6749 section 2.1).
    ///   - placement: Where the secret is sent: by HTTP Basic, or in the form.
    public init(id: String, secret: String? = nil, secretIn placement: SecretPlacement = .header) {
        self.id = id
        self.secret = secret
        self.placement = placement
    }

    /// Puts what proves the client into a request's form or fields.
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

    /// RFC 6749 appendix B: both halves are form-encoded first, so that a colon in either is no separator.
    private static func encoded(_ text: String) -> String {
        var encoded = FormURLEncoded.encode([text: ""])
        encoded.removeLast()
        return encoded
    }
}

extension OAuthClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier, and whether there is a secret.
    public var description: String { "OAuthClient(\(id), \(secret == nil ? "public" : "secret <redacted>"))" }
    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
