#if os(Linux)
import COpenSSL
import GodwitCore

// A client certificate for Redis, which asks for one by default (`tls-auth-clients yes`).
extension ClientCertificate {
    /// Reads it, so that a renewed file counts from the next connection on. Returns whether it can be used.
    func isUsed(by context: OpaquePointer) -> Bool {
        defer { ERR_clear_error() }
        let isSet =
            switch content {
            case .pem(let certificate, let key): isUsed(certificate, key, by: context)
            case .pkcs12(let container): isUsed(container, by: context)
            }
        return isSet && SSL_CTX_check_private_key(context) == 1
    }

    private func isUsed(_ certificate: KeyMaterial, _ key: KeyMaterial, by context: OpaquePointer) -> Bool {
        guard let chain = Buffer(certificate), let leaf = PEM_read_bio_X509(chain.bio, nil, nil, nil) else {
            return false
        }
        defer { X509_free(leaf) }
        // Without a password, OpenSSL would ask for it at the terminal.
        var password = Array((password ?? "").utf8CString)
        guard let buffer = Buffer(key), let key = PEM_read_bio_PrivateKey(buffer.bio, nil, nil, &password) else {
            return false
        }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_cert_and_key(context, leaf, key, nil, 1) == 1 else { return false }
        while let issuer = PEM_read_bio_X509(chain.bio, nil, nil, nil) {
            // The context owns it then.
            guard SSL_CTX_ctrl(context, SSL_CTRL_EXTRA_CHAIN_CERT, 0, UnsafeMutableRawPointer(issuer)) == 1 else {
                X509_free(issuer)
                return false
            }
        }
        return true
    }

    private func isUsed(_ container: KeyMaterial, by context: OpaquePointer) -> Bool {
        guard let buffer = Buffer(container), let archive = d2i_PKCS12_bio(buffer.bio, nil) else { return false }
        defer { PKCS12_free(archive) }
        var (key, leaf, issuers): (OpaquePointer?, OpaquePointer?, OpaquePointer?) = (nil, nil, nil)
        guard PKCS12_parse(archive, password ?? "", &key, &leaf, &issuers) == 1 else { return false }
        defer {
            EVP_PKEY_free(key)
            X509_free(leaf)
            while let issuer = OPENSSL_sk_pop(issuers) { X509_free(OpaquePointer(issuer)) }
            OPENSSL_sk_free(issuers)
        }
        return SSL_CTX_use_cert_and_key(context, leaf, key, issuers, 1) == 1
    }

    /// Bytes that OpenSSL reads.
    private final class Buffer {
        let bio: OpaquePointer

        /// `nil` if they can't be read, or no memory is left.
        init?(_ material: KeyMaterial) {
            guard let data = try? material.read(), let bio = BIO_new(BIO_s_mem()) else { return nil }
            self.bio = bio
            let bytes = Array(data)
            guard BIO_write(bio, bytes, Int32(clamping: bytes.count)) == bytes.count else { return nil }
        }

        deinit { BIO_free(bio) }
    }
}
#endif
