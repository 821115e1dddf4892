#if os(Linux)
import COpenSSL
package import GodwitCore

/// What OpenSSL calls during a session's steps.
extension TLSSession {
    /// Validates a server's chain, and checks its pins before anything is sent to it.
    static let onChain: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { validation, _ in
        guard X509_verify_cert(validation) > 0 else { return 0 }
        let ssl = X509_STORE_CTX_get_ex_data(validation, SSL_get_ex_data_X509_STORE_CTX_idx())
        guard let session = TLSSession.of(ssl.map { OpaquePointer($0) }), session.admits(validation) else {
            X509_STORE_CTX_set_error(validation, X509_V_ERR_APPLICATION_VERIFICATION)
            return 0
        }
        return 1
    }

    /// Keeps a session. It comes after the chain was validated; with TLS 1.3 during a later read.
    static let onTicket: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = { ssl, pointer in
        guard let session = TLSSession.of(ssl), let tickets = session.tickets, let pointer,
            SSL_SESSION_is_resumable(pointer) == 1
        else { return 0 }
        tickets.add(TLSTicket(pointer), for: session.ticketKey)
        // The reference was taken over.
        return 1
    }

    private static func of(_ ssl: OpaquePointer?) -> TLSSession? {
        SSL_get_ex_data(ssl, 0).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
    }

    private func admits(_ validation: OpaquePointer?) -> Bool {
        guard let pins else { return true }
        guard let keys = Self.keys(of: X509_STORE_CTX_get0_chain(validation)) else { return false }
        isRefusedByPins = !pins.admits(keys, from: serverName)
        return !isRefusedByPins
    }

    /// The keys of a chain, the server's first; `nil` if memory ran out.
    package static func keys(of chain: OpaquePointer?) -> [Pin]? {
        var keys: [Pin] = []
        for index in 0..<max(0, OPENSSL_sk_num(chain)) {
            guard let certificate = OPENSSL_sk_value(chain, index), let key = key(of: OpaquePointer(certificate)) else {
                return nil
            }
            keys.append(key)
        }
        return keys
    }

    /// SHA-256 of a certificate's SubjectPublicKeyInfo in DER.
    private static func key(of certificate: OpaquePointer) -> Pin? {
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der)
        guard count > 0, let der else { return nil }
        defer { CRYPTO_free(der, #fileID, #line) }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        guard EVP_Digest(der, Int(count), &digest, nil, EVP_sha256(), nil) == 1 else { return nil }
        return .sha256(digest)
    }
}
#endif
