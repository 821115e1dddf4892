#if os(Linux)
import COpenSSL
package import GodwitCore

/// What the connections to some hosts share: trusted certificates, a client certificate, and protocols to offer (OpenSSL's
/// SSL_CTX).
package final class TLSContext: Sendable {
    // OpenSSL counts its users and locks what they share. Nothing changes it after `init`.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Throws `.insecure(.clientCertificate)` if the identity can't be used.
    ///
    /// - Parameters:
    ///   - identity: Shown to a server that asks for a certificate.
    ///   - protocols: Names for ALPN, the preferred first; none are offered if it is empty.
    package init(store: TrustStore, identity: TLSIdentity?, protocols: [String]) throws(NetworkError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw Self.failure(TLSReason.take().text) }
        pointer = context
        guard limitVersions(), offer(protocols) else {
            throw Self.failure(TLSReason.take().text)
        }
        configure()
        SSL_CTX_set1_cert_store(context, store.pointer)
        try identity?.apply(to: context)
    }

    deinit {
        SSL_CTX_free(pointer)
    }

    static func failure(_ reason: String) -> NetworkError {
        NetworkError(.transport(.other("TLS can't be set up: \(reason)")), phase: .connecting)
    }

    private func limitVersions() -> Bool {
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1
            && SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_3_VERSION), nil) == 1
    }

    private func offer(_ protocols: [String]) -> Bool {
        let list = protocols.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
        // It returns 0 for success, unlike others.
        return list.isEmpty || SSL_CTX_set_alpn_protos(pointer, list, UInt32(list.count)) == 0
    }

    private func configure() {
        // A connection that waits keeps no buffers. Writes may take a part, and come again from another address.
        let modes = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
        SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(modes), nil)
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_READ_AHEAD, 1, nil)
        SSL_CTX_set_options(pointer, godwit_no_renegotiation)
        // Sessions are kept by `TLSTickets`, by more than the server's name.
        let caching = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(caching), nil)
        SSL_CTX_sess_set_new_cb(pointer, TLSSession.onTicket)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(pointer, TLSSession.onChain, nil)
    }
}
#endif
