#if os(Linux)
import CLibcurl
import COpenSSL
import GodwitCore
import GodwitTLS

/// How the server of one QUIC connection is checked: with the store, the pins and the client certificate of its host, on libcurl's
/// TLS context. Used on the loop's thread.
final class CertificateCheck {
    private let plan: TLSRules
    private let host: String
    /// Why the server, or our own certificate, was refused.
    private(set) var failure: NetworkError.Kind?
    /// Whether the chain was validated, and its pins are right.
    private(set) var isPassed = false

    init(_ plan: TLSRules, host: String) {
        self.plan = plan
        self.host = host
    }

    /// Sets itself on a context of libcurl's, which keeps it. Returns whether that succeeded.
    func apply(to context: OpaquePointer) -> Bool {
        let retained = Unmanaged.passRetained(self)
        guard Self.index >= 0, SSL_CTX_set_ex_data(context, Self.index, retained.toOpaque()) == 1 else {
            retained.release()
            return false
        }
        SSL_CTX_set1_cert_store(context, plan.store.pointer)
        SSL_CTX_set_cert_verify_callback(context, Self.onChain, retained.toOpaque())
        // libcurl writes the keys to the file that SSLKEYLOGFILE names, and no setting of Godwit asks for that.
        SSL_CTX_set_keylog_callback(context, nil)
        do throws(NetworkError) {
            try plan.identity?.apply(to: context)
            return true
        } catch {
            failure = error.kind
            return false
        }
    }

    /// Where contexts keep it.
    private static let index = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil) {
        _, check, _, _, _, _ in
        if let check { Unmanaged<CertificateCheck>.fromOpaque(check).release() }
    }

    private static let onChain: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
        validation, check in
        guard let validation, let check else { return 0 }
        return Unmanaged<CertificateCheck>.fromOpaque(check).takeUnretainedValue().admits(validation) ? 1 : 0
    }

    /// Validates a chain and its name, and checks its pins, before anything is sent to the server.
    ///
    /// libcurl checks the name afterwards too; which error it then has depends on its version.
    private func admits(_ validation: OpaquePointer) -> Bool {
        guard TLSHost(host).require(by: X509_STORE_CTX_get0_param(validation)) != nil,
            X509_verify_cert(validation) > 0
        else {
            failure = .insecure(TLSSession.refusal(X509_STORE_CTX_get_error(validation), of: host))
            return false
        }
        if let pins = plan.pins {
            let ssl = X509_STORE_CTX_get_ex_data(validation, SSL_get_ex_data_X509_STORE_CTX_idx())
            let name = SSL_get_servername(ssl.map { OpaquePointer($0) }, Int32(TLSEXT_NAMETYPE_host_name))
            let keys = TLSSession.keys(of: X509_STORE_CTX_get0_chain(validation))
            guard let keys, pins.admits(keys, from: name.map { String(cString: $0) }) else {
                failure = .insecure(.pinMismatch)
                X509_STORE_CTX_set_error(validation, X509_V_ERR_APPLICATION_VERIFICATION)
                return false
            }
        }
        isPassed = true
        return true
    }
}

/// What holds for TLS with one host.
struct TLSRules {
    let store: TrustStore
    let pins: PinCheck?
    let identity: TLSIdentity?
}
#endif
