#if os(Linux)
import COpenSSL
package import GodwitCore

/// The certificates of one PEM text, parsed.
package final class CertificateList: Sendable {
    // A stack of X509_INFO, which never changes.
    nonisolated(unsafe) private let stack: OpaquePointer

    /// Parses the text; `nil` if an entry is malformed.
    package init?(pem: Data) {
        let list = pem.withUnsafeBytes { bytes in
            let input = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
            defer { BIO_free(input) }
            return PEM_X509_INFO_read_bio(input, nil, nil, nil)
        }
        ERR_clear_error()
        guard let list else { return nil }
        stack = list
    }

    deinit {
        OPENSSL_sk_pop_free(stack) { X509_INFO_free($0?.assumingMemoryBound(to: X509_INFO.self)) }
    }

    /// Adds certificates and revocations to a store; false if there is no certificate, or memory ran out.
    fileprivate func add(to store: OpaquePointer) -> Bool {
        var count = 0
        for index in 0..<max(0, OPENSSL_sk_num(stack)) {
            guard let entry = OPENSSL_sk_value(stack, index)?.assumingMemoryBound(to: X509_INFO.self).pointee else {
                continue
            }
            if let certificate = entry.x509 {
                guard X509_STORE_add_cert(store, certificate) == 1 else { return false }
                count += 1
            }
            if let revocations = entry.crl, X509_STORE_add_crl(store, revocations) != 1 { return false }
        }
        return count > 0
    }
}

extension CertificateList {
    /// Makes a server name the certificates to clients as those of authorities.
    func announce(by context: OpaquePointer) -> Bool {
        (0..<max(0, OPENSSL_sk_num(stack))).allSatisfy { index in
            let entry = OPENSSL_sk_value(stack, index)?.assumingMemoryBound(to: X509_INFO.self).pointee
            return entry?.x509.map { SSL_CTX_add_client_CA(context, $0) == 1 } ?? true
        }
    }
}

/// Trusted certificates that connections share (OpenSSL's X509_STORE).
package final class TrustStore: Sendable {
    // OpenSSL counts its users and locks changes.
    package nonisolated(unsafe) let pointer: OpaquePointer

    /// Makes a store of all the lists; `nil` if one holds no certificate, or memory ran out.
    ///
    /// - Parameter folder: A folder with certificates named by hashes, used if no list has the issuer.
    package init?(_ lists: [CertificateList], folder: String?) {
        guard let store = X509_STORE_new() else { return nil }
        pointer = store
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN))
        if let folder, X509_STORE_load_path(store, folder) != 1 { return nil }
        guard lists.allSatisfy({ $0.add(to: store) }) else { return nil }
    }

    deinit {
        X509_STORE_free(pointer)
    }
}
#endif
