#if canImport(Security)
import GodwitCore

/// A certificate with its key, as URLSession shows it.
struct ClientIdentity: Sendable {
    /// What to show; or why it cannot be used, which fails the exchanges that it is asked for in.
    let credential: Result<URLCredential, NetworkError>

    /// Throws `.insecure(.configuration)` for a file that cannot be read, and `.unsupported` for PEM: the system makes an
    /// identity of PKCS #12 alone.
    init(_ certificate: ClientCertificate) throws(NetworkError) {
        guard case .pkcs12(let container) = certificate.content else {
            throw NetworkError(
                Platform.unsupported("a client certificate in PEM (PKCS #12 is needed)"), phase: .building)
        }
        credential = Self.credential(in: try container.read(), certificate.password ?? "")
    }

    private static func credential(in container: Data, _ password: String) -> Result<URLCredential, NetworkError> {
        var options: [String: Any] = [kSecImportExportPassphrase as String: password]
        #if os(macOS)
        // Else it would be put into the user's keychain.
        options[kSecImportToMemoryOnly as String] = true
        #endif
        var items: CFArray?
        let status = SecPKCS12Import(container as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess else {
            return .failure(failure(SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "status \(status)"))
        }
        guard let item = (items as? [[String: AnyObject]])?.first,
            let identity = item[kSecImportItemIdentity as String], CFGetTypeID(identity) == SecIdentityGetTypeID()
        else { return .failure(failure("it holds no certificate with its key")) }
        // The first of the chain is the identity's own certificate.
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // Core Foundation's types know no conditional cast; which one it is was asked above.
        let known = unsafeDowncast(identity, to: SecIdentity.self)
        return .success(
            URLCredential(identity: known, certificates: Array(chain.dropFirst()), persistence: .forSession))
    }

    private static func failure(_ reason: String) -> NetworkError {
        NetworkError(.insecure(.clientCertificate("the PKCS #12 container: \(reason)")), phase: .connecting)
    }
}
#endif
