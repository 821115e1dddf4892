#if os(Linux)
import COpenSSL
package import GodwitCore
import GodwitLibc

extension TLSSession {
    /// Why the carrier failed.
    var carrierFailure: NetworkError.Kind {
        link.outer?.failure ?? .transport(.connectionLost(String(cString: strerror(link.failure))))
    }

    /// Why a complete connection failed. TLS 1.3 refuses a client's certificate only then.
    func laterFailure(_ reason: TLSReason) -> NetworkError.Kind {
        reason.isClientCertificate
            ? .insecure(.clientCertificate(reason.text)) : .transport(.connectionLost("TLS: \(reason.text)"))
    }

    /// Why a handshake failed.
    ///
    /// - Parameter verification: The result of validating the server's chain (X509_V_ERR_…).
    func handshakeFailure(_ reason: TLSReason, verification: Int) -> NetworkError.Kind {
        if isRefusedByPins { return .insecure(.pinMismatch) }
        if reason.isVerification {
            return .insecure(Self.refusal(Int32(clamping: verification), of: host?.written ?? ""))
        }
        if link.failure != 0 {
            return link.outer?.failure ?? .insecure(.handshake(String(cString: strerror(link.failure))))
        }
        if link.hasEnded { return .insecure(.handshake("the server closed the connection")) }
        return .insecure(reason.isClientCertificate ? .clientCertificate(reason.text) : .handshake(reason.text))
    }

    /// What OpenSSL's result of validating a host's chain means.
    package static func refusal(_ verification: Int32, of host: String) -> NetworkError.SecurityFailure {
        switch verification {
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: .certificateExpired
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .hostMismatch(host)
        default: .untrustedCertificate(String(cString: X509_verify_cert_error_string(Int(verification))))
        }
    }
}

/// TLS within TLS, through an https proxy.
extension TLSSession: TLSCarrier {
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch read(into: buffer) {
        case .done(let count): count
        case .wantsRead, .wantsWrite: -Int(EAGAIN)
        case .ended: 0
        case .failed: -Int(ECONNRESET)
        }
    }

    package func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch write(bytes) {
        case .done(let count): count
        case .wantsRead, .wantsWrite: -Int(EAGAIN)
        case .ended, .failed: -Int(EPIPE)
        }
    }
}
#endif
