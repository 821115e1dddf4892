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
