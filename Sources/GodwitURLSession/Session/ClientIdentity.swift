#if canImport(Security)
import GodwitCore

/// A client certificate with its key, as a URLSession credential.
struct ClientIdentity: Sendable {
    /// The credential, or the error for exchanges in which it is needed.
    let credential: Result<URLCredential, NetworkError>

    /// Throws `.insecure(.configuration)` for a file that can't be read, and `.unsupported` for PEM: the system only
    /// imports PKCS #12.
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
        // Otherwise it would be added to the user's keychain.
        options[kSecImportToMemoryOnly as String] = true
        #endif
        var items: CFArray?
        let status = SecPKCS12Import(container as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess else {
            return .failure(failure(SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "status \(status)"))
        }
        guard let item = (items as? [[String: AnyObject]])?.first,
            let identity = item[kSecImportItemIdentity as String], CFGetTypeID(identity) == SecIdentityGetTypeID()
        else { return .failure(failure("it does not contain a certificate with its key")) }
        // The first of the chain is the identity's own certificate.
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // Core Foundation types have no conditional cast; the type ID was checked above.
        let known = unsafeDowncast(identity, to: SecIdentity.self)
        return .success(
            URLCredential(identity: known, certificates: Array(chain.dropFirst()), persistence: .forSession))
    }

    private static func failure(_ reason: String) -> NetworkError {
        NetworkError(.insecure(.clientCertificate("the PKCS #12 container: \(reason)")), phase: .connecting)
    }
}
#endif
