#if os(Linux)
import COpenSSL
package import GodwitCore

/// What some connections share: trusted certificates, the own certificate, and protocols to agree on (OpenSSL's SSL_CTX).
package final class TLSContext: Sendable {
    // OpenSSL counts its users and locks what they share. Nothing changes it after `init`.
    nonisolated(unsafe) let pointer: OpaquePointer
    /// Names for ALPN as they are sent. Never changes.
    nonisolated(unsafe) private let protocols: UnsafeBufferPointer<UInt8>

    /// Makes a client's context.
    ///
    /// Throws `.insecure(.clientCertificate)` if the identity can't be used.
    ///
    /// - Parameters:
    ///   - identity: Shown to a server that asks for a certificate.
    ///   - protocols: Names for ALPN, the preferred first; none are offered if it is empty.
    package convenience init(store: TrustStore, identity: TLSIdentity?, protocols: [String]) throws(NetworkError) {
        try self.init(TLS_client_method(), protocols, newest: TLS1_3_VERSION)
        // It returns 0 for success, unlike others.
        guard protocols.isEmpty || SSL_CTX_set_alpn_protos(pointer, self.protocols.baseAddress, listLength) == 0 else {
            throw Self.failure(TLSReason.take().text)
        }
        SSL_CTX_set_options(pointer, godwit_no_renegotiation)
        // Sessions are kept by `TLSTickets`, by more than the server's name.
        let caching = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(caching), nil)
        SSL_CTX_sess_set_new_cb(pointer, TLSSession.onTicket)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(pointer, TLSSession.onChain, nil)
        SSL_CTX_set1_cert_store(pointer, store.pointer)
        try identity?.apply(to: pointer)
    }

    /// Makes a server's context.
    ///
    /// - Parameters:
    ///   - identity: Shown to clients.
    ///   - protocols: What ALPN may choose, the preferred first.
    ///   - isTLS12: Whether TLS 1.2 is the newest version.
    ///   - authorities: The authorities of clients' certificates; `nil` if clients aren't asked for one.
    ///   - isRequired: Whether a client without a certificate is refused.
    package convenience init(
        serving identity: TLSIdentity, protocols: [String], isTLS12: Bool, clientsOf authorities: CertificateList?,
        isRequired: Bool
    ) throws(NetworkError) {
        try self.init(TLS_server_method(), protocols, newest: isTLS12 ? TLS1_2_VERSION : TLS1_3_VERSION)
        try identity.apply(to: pointer)
        SSL_CTX_set_alpn_select_cb(pointer, Self.onProtocols, Unmanaged.passUnretained(self).toOpaque())
        // Without a session ID context, OpenSSL refuses to resume the session of a client that showed a certificate.
        SSL_CTX_set_session_id_context(pointer, "godwit", 6)
        guard let authorities else { return }
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | (isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nil)
        guard let store = TrustStore([authorities], folder: nil), authorities.announce(by: pointer) else {
            throw Self.failure(TLSReason.take().text)
        }
        SSL_CTX_set1_cert_store(pointer, store.pointer)
    }

    private init(_ method: OpaquePointer?, _ protocols: [String], newest: Int32) throws(NetworkError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(method) else { throw Self.failure(TLSReason.take().text) }
        pointer = context
        let list = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: protocols.reduce(0) { $0 + 1 + $1.utf8.count })
        _ = list.initialize(from: protocols.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) })
        self.protocols = UnsafeBufferPointer(list)
        guard SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1,
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(newest), nil) == 1
        else { throw Self.failure(TLSReason.take().text) }
        // A connection that waits keeps no buffers. Writes may take a part, and come again from another address.
        let modes = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
        SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(modes), nil)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
    }

    deinit {
        SSL_CTX_free(pointer)
        protocols.deallocate()
    }

    static func failure(_ reason: String) -> NetworkError {
        NetworkError(.transport(.other("TLS can't be set up: \(reason)")), phase: .connecting)
    }

    private var listLength: UInt32 { UInt32(protocols.count) }

    /// Chooses the first of a server's protocols that the client offers (RFC 7301), and none if it offers none of them.
    private static let onProtocols: SSL_CTX_alpn_select_cb_func = { _, chosen, count, offered, offeredCount, context in
        guard let context, let chosen else { return SSL_TLSEXT_ERR_NOACK }
        let own = Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue()
        var name: UnsafeMutablePointer<UInt8>?
        let result = SSL_select_next_proto(
            &name, count, own.protocols.baseAddress, own.listLength, offered, offeredCount)
        guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_NOACK }
        chosen.pointee = UnsafePointer(name)
        return SSL_TLSEXT_ERR_OK
    }
}
#endif
