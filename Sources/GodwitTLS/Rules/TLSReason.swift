#if os(Linux)
import COpenSSL

/// OpenSSL's reason for the last failure on this thread.
package struct TLSReason {
    private let code: UInt

    /// The oldest reason; the rest is discarded.
    package static func take() -> TLSReason {
        let code = ERR_get_error()
        ERR_clear_error()
        return TLSReason(code: code)
    }

    /// In OpenSSL's words, such as `wrong version number`.
    package var text: String {
        guard code != 0 else { return "OpenSSL gives no reason" }
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Whether the server's certificate was refused.
    var isVerification: Bool { isOfTLS && number == SSL_R_CERTIFICATE_VERIFY_FAILED }

    /// Whether the server refuses the client's certificate, or that there is none (RFC 8446 section 6.2).
    var isClientCertificate: Bool { isOfTLS && Self.certificateAlerts.contains(number - SSL_AD_REASON_OFFSET) }

    private static let certificateAlerts = [
        SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE, SSL_AD_CERTIFICATE_REVOKED,
        SSL_AD_CERTIFICATE_EXPIRED, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_UNKNOWN_CA, SSL_AD_ACCESS_DENIED,
        SSL_AD_CERTIFICATE_REQUIRED,
    ]

    private var number: Int32 { ERR_GET_REASON(code) }

    private var isOfTLS: Bool { ERR_GET_LIB(code) == ERR_LIB_SSL }
}
#endif
