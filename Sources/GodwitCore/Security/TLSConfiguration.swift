/// What holds for TLS with some hosts beyond what holds for all: authorities, pinned keys, client certificates.
///
/// ```swift
/// let transport = try CurlTransport {
///     $0.tls.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
///     $0.tls.authorities["localhost"] = .adding(.file(URL(filePath: "dev-ca.pem")))
/// }
/// ```
///
/// Certificates are always validated; no setting turns that off. Rules hold for the server of a URL, not for a proxy on
/// the way to it, and do nothing for plain http.
public struct TLSConfiguration: Sendable, Nonisolated {
    /// The authorities trusted for a host; the transport's own where there is no entry.
    public var authorities = HostTable<TrustedAuthorities>()

    /// The keys a host may have; any where there is no entry.
    public var pins = HostTable<PinSet>()

    /// What to show a host that asks who is there; nothing where there is no entry.
    public var clientCertificates = HostTable<ClientCertificate>()

    /// Makes an empty configuration.
    public init() {}

    /// Whether no host has a rule of its own.
    public var isEmpty: Bool { authorities.isEmpty && pins.isEmpty && clientCertificates.isEmpty }

    /// Throws `.invalidRequest` where a rule can never hold: an entry under what is no host, a pin that is none, or fewer
    /// than two pins.
    ///
    /// Transports call it when they are made.
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

/// Whose certificates a host may show: authorities, or a self-signed certificate of a server in development.
///
/// ```swift
/// $0.tls.authorities["dev.example.com"] = .adding(.file(URL(filePath: "/etc/dev-ca.pem")))
/// $0.tls.authorities[domain: "corp.example"] = .only(.file(URL(filePath: "/etc/corp-ca.pem")))
/// ```
///
/// One or more certificates in PEM. Each is an anchor of its own: a chain that leads to it is trusted. Everything else is
/// validated as ever: the host's name, the dates, the signatures. Nothing turns that off.
public struct TrustedAuthorities: Sendable, Hashable {
    /// The certificates.
    package let certificates: KeyMaterial
    /// Whether the transport's other authorities, the system's foremost, are trusted for the host too.
    package let keepsOthers: Bool

    /// These, beside all others that the transport trusts.
    ///
    /// - Parameter certificates: One or more certificates in PEM.
    public static func adding(_ certificates: KeyMaterial) -> TrustedAuthorities {
        TrustedAuthorities(certificates: certificates, keepsOthers: true)
    }

    /// These and no others: for a host whose certificates come from one authority alone.
    ///
    /// - Parameter certificates: One or more certificates in PEM.
    public static func only(_ certificates: KeyMaterial) -> TrustedAuthorities {
        TrustedAuthorities(certificates: certificates, keepsOthers: false)
    }
}

/// Certificates or keys: a file, or what would be in it.
///
/// Read when a transport is made; a file that cannot be read makes its initialiser throw `.insecure(.configuration)`.
/// It describes itself without its content.
///
/// ```swift
/// $0.tls.authorities["dev.example.com"] = .adding(.file(URL(filePath: "/etc/dev-ca.pem")))
/// ```
public enum KeyMaterial: Sendable, Hashable {
    /// The content of a file.
    case file(URL)
    /// The content itself.
    case data(Data)

    /// PEM as text.
    ///
    /// - Parameter text: One or more blocks, each from `-----BEGIN` to `-----END`.
    public static func pem(_ text: String) -> KeyMaterial {
        .data(Data(text.utf8))
    }

    /// The content.
    package func read() throws(NetworkError) -> Data {
        switch self {
        case .data(let data): return data
        case .file(let url):
            do {
                return try Data(contentsOf: url)
            } catch {
                throw NetworkError(
                    .insecure(.configuration("cannot read \(url.path)")), phase: .building, underlying: error)
            }
        }
    }
}

extension KeyMaterial: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .file(let url): url.path
        case .data(let data): "\(data.count) bytes"
        }
    }

    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What proves to a server during the TLS handshake who is asking: a certificate and its private key.
///
/// ```swift
/// $0.tls.clientCertificates["api.example.com"] = .pem(
///     certificate: .file(URL(filePath: "client.pem")), key: .file(URL(filePath: "client.key")))
/// $0.tls.clientCertificates["bank.example"] = .pkcs12(.data(data), password: password)
/// ```
///
/// Shown only to the hosts it is entered for, and only where they ask for one. A certificate or key that cannot be used,
/// or does not belong to the other, fails the exchange with `.insecure(.clientCertificate)`. It describes itself without
/// its secrets.
public struct ClientCertificate: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case pem(certificate: KeyMaterial, key: KeyMaterial)
        case pkcs12(KeyMaterial)
    }

    package let content: Content
    /// What the key is encrypted with; nil where it is not.
    package let password: String?

    /// A certificate in PEM, with those between it and the authority behind it, and its key in PEM.
    ///
    /// ```swift
    /// $0.tls.clientCertificates["partner.example"] = .pem(certificate: .file(certificate), key: .file(privateKey))
    /// ```
    public static func pem(
        certificate: KeyMaterial, key: KeyMaterial, password: String? = nil
    ) -> ClientCertificate {
        ClientCertificate(content: .pem(certificate: certificate, key: key), password: password)
    }

    /// Certificate and key in one PKCS #12 container (RFC 7292), as `.p12` and `.pfx` files are.
    ///
    /// - Parameters:
    ///   - container: The container, as a file or data.
    ///   - password: The password it was encrypted with; empty for none.
    public static func pkcs12(_ container: KeyMaterial, password: String) -> ClientCertificate {
        ClientCertificate(content: .pkcs12(container), password: password)
    }
}

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch content {
        case .pem(let certificate, _): "ClientCertificate(\(certificate))"
        case .pkcs12(let container): "ClientCertificate(\(container))"
        }
    }

    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
