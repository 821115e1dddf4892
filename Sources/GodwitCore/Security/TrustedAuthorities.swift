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
