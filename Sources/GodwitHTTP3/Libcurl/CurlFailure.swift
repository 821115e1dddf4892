#if os(Linux)
import CLibcurl
import GodwitCore
import GodwitLibc
import GodwitWire

/// The one table from libcurl's codes to ``NetworkError/Kind``.
enum CurlFailure {
    /// - Parameters:
    ///   - message: libcurl's text about it; empty if it has none.
    ///   - check: How the server's certificate was checked; `nil` if no connection was made.
    static func kind(
        of code: CURLcode, _ message: String, host: String, isConnected: Bool, _ check: CertificateCheck?
    ) -> NetworkError.Kind {
        if let failure = check?.failure { return failure }
        let detail = message.isEmpty ? String(cString: curl_easy_strerror(code)) : message
        switch code {
        case CURLE_URL_MALFORMAT: return .invalidURL(reason: detail)
        case CURLE_COULDNT_RESOLVE_HOST: return .transport(.cannotResolveHost(host))
        case CURLE_COULDNT_CONNECT, CURLE_QUIC_CONNECT_ERROR: return unconnected(detail)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(isConnected ? .inactivity : .connect)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return .invalidResponse(reason: detail)
        case CURLE_OUT_OF_MEMORY: return .transport(.other("out of memory"))
        case godwit_code_too_large: return .tooLarge(limit: Int64(ResponseHeadReader.limit))
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING: return .transport(.connectionLost(detail))
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            if isCertificateRefused(detail) { return .insecure(.clientCertificate(detail)) }
            return isConnected ? .transport(.connectionLost(detail)) : unconnected(detail)
        case CURLE_HTTP3: return .transport(.protocolViolation(detail))
        case CURLE_READ_ERROR, CURLE_SEND_FAIL_REWIND: return .transport(.cannotSendBody(detail))
        case CURLE_PEER_FAILED_VERIFICATION: return .insecure(.untrustedCertificate(detail))
        case CURLE_SSL_CONNECT_ERROR:
            return .insecure(isCertificateRefused(detail) ? .clientCertificate(detail) : .handshake(detail))
        case CURLE_SSL_CERTPROBLEM: return .insecure(.clientCertificate(detail))
        default: return .transport(.other(detail))
        }
    }

    private static func unconnected(_ detail: String) -> NetworkError.Kind { .transport(.cannotConnect(detail)) }

    /// OpenSSL's texts for the alerts by which a server refuses a client's certificate, or a missing one (RFC 8446 section 6.2).
    private static let certificateAlerts = [
        "certificate required", "alert bad certificate", "alert unknown ca", "alert certificate expired",
        "alert certificate revoked", "alert certificate unknown", "alert unsupported certificate",
        "alert access denied",
    ]

    private static func isCertificateRefused(_ detail: String) -> Bool {
        certificateAlerts.contains { detail.contains($0) }
    }
}
#endif
