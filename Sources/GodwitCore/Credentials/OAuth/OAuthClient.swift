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
