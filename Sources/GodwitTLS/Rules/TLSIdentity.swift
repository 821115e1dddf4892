#if os(Linux)
import COpenSSL
package import GodwitCore

/// A client certificate and its key, parsed.
package final class TLSIdentity: Sendable {
    /// The objects of OpenSSL, which counts their users.
    private struct Parts: @unchecked Sendable {
        let certificate: OpaquePointer
        let key: OpaquePointer
        var chain: [OpaquePointer]
    }

    /// Or why they can't be used, without any secret.
    private let parts: Result<Parts, Unusable>

    private struct Unusable: Error {
        let reason: String
    }

    /// Parses a certificate. What can't be used is reported when it is used.
    ///
    /// Throws `.insecure(.configuration)` if a file can't be read.
    package init(_ entry: ClientCertificate) throws(NetworkError) {
        let password = entry.password ?? ""
        ERR_clear_error()
        switch entry.content {
        case .pem(let certificate, let key):
            parts = Self.parse(try Self.read(certificate), key: try Self.read(key), password)
        case .pkcs12(let container):
            parts = Self.parse(container: try Self.read(container), password)
        }
        ERR_clear_error()
    }

    deinit {
        guard case .success(let parts) = parts else { return }
        X509_free(parts.certificate)
        EVP_PKEY_free(parts.key)
        parts.chain.forEach { X509_free($0) }
    }

    /// Makes a context's connections show it.
    package func apply(to context: OpaquePointer) throws(NetworkError) {
        switch parts {
        case .failure(let fault): throw Self.error(fault.reason)
        case .success(let parts):
            ERR_clear_error()
            guard SSL_CTX_use_certificate(context, parts.certificate) == 1,
                SSL_CTX_use_PrivateKey(context, parts.key) == 1, SSL_CTX_check_private_key(context) == 1,
                parts.chain.allSatisfy({
                    SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer($0)) == 1
                })
            else { throw Self.error(TLSReason.take().text) }
        }
    }

    private static func error(_ reason: String) -> NetworkError {
        NetworkError(.insecure(.clientCertificate(reason)), phase: .connecting)
    }

    private static func read(_ material: KeyMaterial) throws(NetworkError) -> Data {
        let data = try material.read()
        guard data.isEmpty else { return data }
        throw NetworkError(.insecure(.configuration("a client certificate or its key is empty")), phase: .building)
    }

    // MARK: Parsing

    private static func parse(_ chain: Data, key: Data, _ password: String) -> Result<Parts, Unusable> {
        let certificates = withInput(chain) { input in
            var certificates: [OpaquePointer] = []
            // Without a password, OpenSSL would ask on the terminal.
            while let next = password.withCString({ PEM_read_bio_X509(input, nil, nil, .init(mutating: $0)) }) {
                certificates.append(next)
            }
            return certificates
        }
        guard let own = certificates.first else { return unusable("the certificate can't be read") }
        // The end of the text was an error, too.
        ERR_clear_error()
        let key = withInput(key) { input in
            password.withCString { PEM_read_bio_PrivateKey(input, nil, nil, .init(mutating: $0)) }
        }
        guard let key else {
            certificates.forEach { X509_free($0) }
            return unusable("the key can't be read")
        }
        return checked(Parts(certificate: own, key: key, chain: Array(certificates.dropFirst())))
    }

    private static func parse(container: Data, _ password: String) -> Result<Parts, Unusable> {
        guard let container = withInput(container, { d2i_PKCS12_bio($0, nil) }) else {
            return unusable("the container can't be read")
        }
        defer { PKCS12_free(container) }
        var (key, certificate, stack): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
        guard PKCS12_parse(container, password, &key, &certificate, &stack) == 1 else {
            return unusable("the container can't be opened")
        }
        // Its elements are taken over.
        let chain = (0..<max(0, OPENSSL_sk_num(stack))).compactMap {
            OPENSSL_sk_value(stack, $0).map { OpaquePointer($0) }
        }
        OPENSSL_sk_free(stack)
        guard let key, let certificate else {
            EVP_PKEY_free(key)
            X509_free(certificate)
            chain.forEach { X509_free($0) }
            return unusable("the container holds no certificate with its key")
        }
        return checked(Parts(certificate: certificate, key: key, chain: chain))
    }

    private static func checked(_ parts: Parts) -> Result<Parts, Unusable> {
        if X509_check_private_key(parts.certificate, parts.key) == 1 { return .success(parts) }
        X509_free(parts.certificate)
        EVP_PKEY_free(parts.key)
        parts.chain.forEach { X509_free($0) }
        return unusable("the key isn't the certificate's")
    }

    private static func unusable(_ what: String) -> Result<Parts, Unusable> {
        .failure(Unusable(reason: "\(what): \(TLSReason.take().text)"))
    }

    /// Lets OpenSSL read the data.
    private static func withInput<Value>(_ data: Data, _ body: (OpaquePointer?) -> Value) -> Value {
        data.withUnsafeBytes { bytes in
            let input = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
            defer { BIO_free(input) }
            return body(input)
        }
    }
}
#endif
