#if os(Linux)
import COpenSSL
import GodwitCore

/// A client's side of TLS between two buffers of bytes. Used by one thread.
///
/// OpenSSL reads and writes memory: it never blocks, and never touches the socket.
final class RedisTLS {
    private let context: OpaquePointer
    private let ssl: OpaquePointer
    /// Bytes from the server, and bytes for it. `ssl` owns both.
    private let input: OpaquePointer
    private let output: OpaquePointer

    /// What a connection trusts, and how it identifies itself.
    struct Settings: Sendable {
        /// A PEM file of the trusted certificates; `nil` for the system's.
        var authorities: String?
        var clientCertificate: ClientCertificate?
    }

    /// Prepares a connection that verifies the server's certificate and name.
    ///
    /// - Parameter host: The name or address that the certificate must be valid for.
    init(to host: String, _ settings: Settings) throws(RedisFailure) {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw Self.noMemory }
        let isTrusting =
            settings.authorities.map { SSL_CTX_load_verify_locations(context, $0, nil) == 1 }
            ?? (SSL_CTX_set_default_verify_paths(context) == 1)
        let isIdentified = settings.clientCertificate.map { $0.isUsed(by: context) } ?? true
        guard isTrusting, isIdentified,
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1,
            let ssl = SSL_new(context)
        else {
            SSL_CTX_free(context)
            throw RedisFailure(
                .unreachable,
                isIdentified
                    ? "the trusted certificates can't be read" : "the client certificate or its key can't be used")
        }
        guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            SSL_CTX_free(context)
            throw Self.noMemory
        }
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        SSL_set_verify(ssl, SSL_VERIFY_PEER, nil)
        (self.context, self.ssl, self.input, self.output) = (context, ssl, input, output)
        guard expect(host) else { throw Self.noMemory }
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    /// Sets the name or address that the certificate must have.
    private func expect(_ host: String) -> Bool {
        guard let parameters = SSL_get0_param(ssl) else { return false }
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 { return true }
        ERR_clear_error()
        // The server can have certificates for several names (RFC 6066 section 3).
        let isNamed = host.withCString { name in
            SSL_ctrl(
                ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                UnsafeMutableRawPointer(mutating: name))
        }
        return isNamed == 1 && X509_VERIFY_PARAM_set1_host(parameters, host, host.utf8.count) == 1
    }

    /// Continues the handshake. Returns whether it is complete.
    func shakeHands() throws(RedisFailure) -> Bool {
        ERR_clear_error()
        let code = SSL_do_handshake(ssl)
        if code == 1 { return true }
        guard SSL_get_error(ssl, code) == SSL_ERROR_WANT_READ else { throw failure }
        return false
    }

    /// Adds bytes from the server.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        _ = BIO_write(input, bytes.baseAddress, Int32(clamping: bytes.count))
    }

    /// Reads decrypted bytes; 0 if more are needed from the server.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(RedisFailure) -> Int {
        ERR_clear_error()
        let count = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        if count > 0 { return Int(count) }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ: return 0
        case SSL_ERROR_ZERO_RETURN: throw RedisFailure(.unreachable, "Redis closed the connection")
        default: throw failure
        }
    }

    /// Encrypts bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(RedisFailure) {
        ERR_clear_error()
        guard !bytes.isEmpty else { return }
        guard SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)) == bytes.count else { throw failure }
    }

    /// Takes the bytes for the server.
    func takeOutput(into bytes: inout [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Int(BIO_read(output, &buffer, Int32(buffer.count)))
            guard count > 0 else { return }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    private var failure: RedisFailure {
        let verification = SSL_get_verify_result(ssl)
        if verification != X509_V_OK, let text = X509_verify_cert_error_string(verification) {
            return RedisFailure(.unreachable, "the certificate of Redis isn't accepted: \(String(cString: text))")
        }
        let reason = ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) } ?? "unknown"
        return RedisFailure(.unreachable, "TLS with Redis failed: \(reason)")
    }

    private static let noMemory = RedisFailure(.unreachable, "TLS can't be set up")
}
#endif
