#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The one table from libcurl's codes to ``NetworkError/Kind``.
enum CurlFailure {
    static func kind(of code: CURLcode, on handle: EasyHandle) -> NetworkError.Kind {
        if handle.wasRefusedForPins { return .insecure(.pinMismatch) }
        let message = handle.errorMessage
        let detail = message.isEmpty ? String(cString: curl_easy_strerror(code)) : withoutCredentials(message)
        switch code {
        case CURLE_URL_MALFORMAT: return .invalidURL(reason: detail)
        case CURLE_COULDNT_RESOLVE_PROXY: return .transport(.cannotResolveProxy)
        case CURLE_COULDNT_RESOLVE_HOST: return .transport(.cannotResolveHost(host(of: handle)))
        case CURLE_COULDNT_CONNECT: return refused(detail, on: handle)
        case CURLE_PROXY: return .transport(.proxy(detail))
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(handle.exchange?.state.sendCount == 0 ? .connect : .inactivity)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return .invalidResponse(reason: detail)
        // What libcurl 7 says of a folded line without a header before it.
        case CURLE_BAD_FUNCTION_ARGUMENT: return .invalidResponse(reason: "a header line can't be read")
        case CURLE_OUT_OF_MEMORY: return outOfMemory(handle)
        case CURLE_TOO_LARGE: return .tooLarge(limit: Int64(ResponseHeadParser.limit))
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING: return .transport(.connectionLost(detail))
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return broken(detail, on: handle)
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR:
            return .transport(.protocolViolation(detail))
        case CURLE_READ_ERROR, CURLE_SEND_FAIL_REWIND: return .transport(.cannotSendBody(detail))
        default: return security(code, detail, handle) ?? other(detail)
        }
    }

    private static func other(_ detail: String) -> NetworkError.Kind {
        messages.isClientCertificate(detail) ? .insecure(.clientCertificate(detail)) : .transport(.other(detail))
    }

    /// libcurl quotes the URL of a proxy that it can't use, password included.
    private static func withoutCredentials(_ message: String) -> String {
        guard let scheme = message.firstRange(of: "://"), let at = message.lastIndex(of: "@"), scheme.upperBound < at
        else { return message }
        return message[..<scheme.upperBound] + "<redacted>" + message[at...]
    }

    private static func security(
        _ code: CURLcode, _ detail: String, _ handle: EasyHandle
    ) -> NetworkError.Kind? {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            .insecure(certificate(detail, handle))
        case CURLE_SSL_CONNECT_ERROR: .insecure(handshake(detail))
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: .insecure(.clientCertificate(detail))
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .insecure(.pinMismatch)
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED:
            .insecure(.configuration(detail))
        case CURLE_USE_SSL_FAILED: .insecure(.handshake(detail))
        default: nil
        }
    }

    /// OpenSSL's results (X509_V_ERR_…). libcurl itself compares the host before it asks for the result, which then still has
    /// its initial value, 1.
    private static func certificate(_ detail: String, _ handle: EasyHandle) -> NetworkError.SecurityFailure {
        switch godwit_get_long(handle.pointer, CURLINFO_SSL_VERIFYRESULT) {
        case 9, 10: .certificateExpired
        case 0, 1, 62: .hostMismatch(host(of: handle))
        default: .untrustedCertificate(detail)
        }
    }

    private static func handshake(_ detail: String) -> NetworkError.SecurityFailure {
        asksForCertificate(detail) ? .clientCertificate(detail) : .handshake(detail)
    }

    /// TLS 1.3 refuses a client after the handshake, so it looks like a broken connection.
    private static func broken(_ detail: String, on handle: EasyHandle) -> NetworkError.Kind {
        if isRefusedTunnel(handle) { return .transport(.proxy(detail)) }
        if messages.isUnconnected(detail) { return .transport(.cannotConnect(detail)) }
        if asksForCertificate(detail) { return .insecure(.clientCertificate(detail)) }
        if messages.isLargeHead(detail) { return .tooLarge(limit: 128 << 10) }
        if messages.isUnannouncedEnd(detail), handle.exchange?.state.isReceiving == true {
            return .transport(.connectionLost(Reception.unannouncedEnd))
        }
        if detail.contains("Too large response headers") { return .tooLarge(limit: Int64(ResponseHeadParser.limit)) }
        if messages.isMalformedChunk(detail) { return .invalidResponse(reason: detail) }
        return .transport(.connectionLost(detail))
    }

    private static func refused(_ detail: String, on handle: EasyHandle) -> NetworkError.Kind {
        // libcurl names the URL's host, which it didn't connect to.
        if let path = handle.socketPath {
            return .transport(.cannotConnect("\(path): \(String(cString: strerror(handle.systemError)))"))
        }
        return .transport(isRefusedTunnel(handle) ? .proxy(detail) : .cannotConnect(detail))
    }

    /// Whether a proxy answered CONNECT with something other than success.
    private static func isRefusedTunnel(_ handle: EasyHandle) -> Bool {
        godwit_get_long(handle.pointer, CURLINFO_HTTP_CONNECTCODE) >= 300
    }

    private static var messages: CurlMessages { CurlLibrary.features.messages }

    /// OpenSSL's texts for the alerts by which a server refuses a client's certificate, or a missing one (RFC 8446 section 6.2).
    private static let certificateAlerts = [
        "certificate required", "alert bad certificate", "alert unknown ca", "alert certificate expired",
        "alert certificate revoked", "alert certificate unknown", "alert unsupported certificate",
        "alert access denied",
    ]

    private static func asksForCertificate(_ detail: String) -> Bool {
        certificateAlerts.contains { detail.contains($0) }
    }

    /// libcurl reports "out of memory" for a single header line beyond its own limit.
    private static func outOfMemory(_ handle: EasyHandle) -> NetworkError.Kind {
        handle.exchange?.state.isAwaitingResponse == true
            ? .tooLarge(limit: Int64(ResponseHeadParser.limit)) : .transport(.other("out of memory"))
    }

    private static func host(of handle: EasyHandle) -> String {
        handle.exchange?.request.url.host ?? "?"
    }
}
#endif
