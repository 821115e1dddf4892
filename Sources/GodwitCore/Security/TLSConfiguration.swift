import GodwitSupport

/// TLS rules for single hosts: authorities, pinned keys, client certificates.
///
/// ```swift
/// let transport = try SocketTransport {
///     $0.tls.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
///     $0.tls.authorities["localhost"] = .adding(.file(URL(filePath: "dev-ca.pem")))
/// }
/// ```
///
/// Certificates are always validated; no setting turns that off. Rules apply to the server of a URL, not to a proxy,
/// and not to plain http.
public struct TLSConfiguration: Sendable, Nonisolated {
    /// The trusted authorities for a host. Without an entry, those of the transport.
    public var authorities = HostTable<TrustedAuthorities>()

    /// The keys that a host can have. Without an entry, any.
    public var pins = HostTable<PinSet>()

    /// The certificate for a host that requests one. Without an entry, none.
    public var clientCertificates = HostTable<ClientCertificate>()

    /// Creates a configuration without rules, which leaves the usual validation.
    public init() {}

    /// Whether there are no rules.
    public var isEmpty: Bool { authorities.isEmpty && pins.isEmpty && clientCertificates.isEmpty }

    /// Checks the rules. The initializers of transports call it.
    ///
    /// - Throws: `.invalidRequest` for an invalid host or pin, or for fewer than two pins.
    public func validate() throws(NetworkError) {
        let fault = authorities.fault ?? pins.fault ?? clientCertificates.fault
        if let fault { throw Self.error(fault) }
        _ = try pins.map { set, scope throws(NetworkError) in
            if let fault = set.fault(for: scope.name) { throw Self.error(fault) }
        }
    }

    private static func error(_ fault: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: "TLS configuration: \(fault)"), phase: .building)
    }
}

/// Trusted authorities, or the self-signed certificate of a development server.
///
/// ```swift
/// $0.tls.authorities["dev.example.com"] = .adding(.file(URL(filePath: "/etc/dev-ca.pem")))
/// $0.tls.authorities[domain: "corp.example"] = .only(.file(URL(filePath: "/etc/corp-ca.pem")))
/// ```
///
/// Each certificate is an anchor: a chain that ends with it is trusted. The host name, dates and signatures are
/// validated as usual.
public struct TrustedAuthorities: Sendable, Hashable {
    package let certificates: KeyMaterial
    /// Whether the transport's other authorities, such as the system's, are trusted as well.
    package let keepsOthers: Bool

    /// Trusts these authorities in addition to the transport's.
    ///
    /// - Parameter certificates: One or more certificates in PEM.
    public static func adding(_ certificates: KeyMaterial) -> TrustedAuthorities {
        TrustedAuthorities(certificates: certificates, keepsOthers: true)
    }

    /// Trusts only these authorities.
    ///
    /// - Parameter certificates: One or more certificates in PEM.
    public static func only(_ certificates: KeyMaterial) -> TrustedAuthorities {
        TrustedAuthorities(certificates: certificates, keepsOthers: false)
    }
}

/// Certificates or keys, in a file or in memory.
///
/// The transport's initializer reads the file, and throws `.insecure(.configuration)` if that fails. The description
/// leaves out the content.
///
/// ```swift
/// $0.tls.authorities["dev.example.com"] = .adding(.file(URL(filePath: "/etc/dev-ca.pem")))
/// ```
public enum KeyMaterial: Sendable, Hashable {
    /// The contents of a file.
    case file(URL)
    /// The contents in memory.
    case data(Data)

    /// PEM text in memory.
    ///
    /// - Parameter text: One or more blocks, each from `-----BEGIN` to `-----END`.
    public static func pem(_ text: String) -> KeyMaterial {
        .data(Data(text.utf8))
    }

    package func read() throws(NetworkError) -> Data {
        switch self {
        case .data(let data): return data
        case .file(let url):
            do throws(StreamDescriptor.Fault) {
                return Data(try StreamDescriptor.contents(of: url.path))
            } catch {
                let kind: NetworkError.Kind =
                    error == .cancelled ? .cancelled : .insecure(.configuration("cannot read \(url.path)"))
                throw NetworkError(kind, phase: .building, underlying: error)
            }
        }
    }
}

extension KeyMaterial: CustomStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .file(let url): url.path
        case .data(let data): "\(data.count) bytes"
        }
    }

    /// Empty, so that printing by reflection shows no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Authenticates a client during the TLS handshake: a certificate and its private key.
///
/// ```swift
/// $0.tls.clientCertificates["api.example.com"] = .pem(
///     certificate: .file(URL(filePath: "client.pem")), key: .file(URL(filePath: "client.key")))
/// $0.tls.clientCertificates["bank.example"] = .pkcs12(.data(data), password: password)
/// ```
///
/// Sent only to the hosts of its entry, and only if they request one. If the certificate or key is invalid, or they
/// don't match, the exchange throws `.insecure(.clientCertificate)`. The description leaves out the secrets.
public struct ClientCertificate: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case pem(certificate: KeyMaterial, key: KeyMaterial)
        case pkcs12(KeyMaterial)
    }

    package let content: Content
    /// The password of an encrypted key.
    package let password: String?

    /// A certificate in PEM, followed by its intermediate certificates, and its key in PEM.
    ///
    /// ```swift
    /// $0.tls.clientCertificates["partner.example"] = .pem(certificate: .file(certificate), key: .file(privateKey))
    /// ```
    public static func pem(
        certificate: KeyMaterial, key: KeyMaterial, password: String? = nil
    ) -> ClientCertificate {
        ClientCertificate(content: .pem(certificate: certificate, key: key), password: password)
    }

    /// A certificate and its key in a PKCS #12 container (RFC 7292), such as a `.p12` or `.pfx` file.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - password: The container's password; empty if there is none.
    public static func pkcs12(_ container: KeyMaterial, password: String) -> ClientCertificate {
        ClientCertificate(content: .pkcs12(container), password: password)
    }
}

extension ClientCertificate: CustomStringConvertible, CustomReflectable {
    public var description: String {
        switch content {
        case .pem(let certificate, _): "ClientCertificate(\(certificate))"
        case .pkcs12(let container): "ClientCertificate(\(container))"
        }
    }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
