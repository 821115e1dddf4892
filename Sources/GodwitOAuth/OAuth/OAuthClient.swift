import GodwitCore

/// A program's registration at an authorization server.
///
/// A distributed program, such as an app or a command, can't keep a secret and is registered as a public client; PKCE
/// protects its codes (RFC 8252 section 8.5). The description leaves out the secret.
///
/// ```swift
/// OAuthClient(id: "reader")                                        // an app: no secret
/// OAuthClient(id: "importer", secret: secret, secretIn: .form)     // a program on a server
/// OAuthClient(certificateID: "importer")                           // one with a client certificate
/// ```
public struct OAuthClient: Sendable {
    /// How a secret is sent (RFC 6749 section 2.3.1).
    public enum SecretPlacement: Sendable, Hashable {
        /// Sends the secret with HTTP Basic, which every server must support.
        case header
        /// Sends the secret in the form, for servers that support nothing else.
        case form
    }

    /// The client identifier.
    public let id: String

    private enum Method: Sendable {
        case none
        case secret(String, SecretPlacement)
        case certificate
    }

    private let method: Method

    /// Creates a client from its registration with the server.
    ///
    /// - Parameters:
    ///   - id: The identifier from the server.
    ///   - secret: The secret. `nil`, the default, means a public client (RFC 6749 section 2.1).
    ///   - placement: How the secret is sent. `.header` by default.
    public init(id: String, secret: String? = nil, secretIn placement: SecretPlacement = .header) {
        self.id = id
        method = secret.map { .secret($0, placement) } ?? .none
    }

    /// Creates a client that authenticates with its certificate (`tls_client_auth`, RFC 8705 section 2). The server can bind
    /// tokens to the certificate.
    ///
    /// The transport shows the certificate: set `TLSConfiguration.clientCertificates` for the server's host, and for the
    /// host of the API.
    ///
    /// - Parameter id: The identifier from the server.
    public init(certificateID id: String) {
        self.id = id
        method = .certificate
    }

    var usesCertificate: Bool { if case .certificate = method { true } else { false } }

    /// Adds the client's identifier and secret to a request.
    func authenticate(_ form: inout QueryItems, _ fields: inout HTTPFields) {
        switch method {
        case .none, .certificate:
            form.append("client_id", id)
        case .secret(let secret, .form):
            form.append("client_id", id)
            form.append("client_secret", secret)
        case .secret(let secret, .header):
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
    /// The identifier, and how the client authenticates.
    public var description: String {
        let shown =
            switch method {
            case .none: "public"
            case .secret: "secret <redacted>"
            case .certificate: "certificate"
            }
        return "OAuthClient(\(id), \(shown))"
    }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
