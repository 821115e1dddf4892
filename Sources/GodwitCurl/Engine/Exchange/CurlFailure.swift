import CGodwitCurl
import Glibc
import GodwitCore

/// The one table from libcurl's codes to ``NetworkError/Kind``.
enum CurlFailure {
    /// - Parameter isConnected: Whether the request was on its way already.
    static func kind(of code: CURLcode, on handle: EasyHandle, isConnected: Bool) -> NetworkError.Kind {
        if handle.wasRefusedForPins { return .insecure(.pinMismatch) }
        let message = handle.errorMessage
        let detail = message.isEmpty ? String(cString: curl_easy_strerror(code)) : withoutCredentials(message)
        switch code {
        case CURLE_URL_MALFORMAT: return .invalidURL(reason: detail)
        case CURLE_COULDNT_RESOLVE_PROXY: return .transport(.cannotResolveProxy)
        case CURLE_COULDNT_RESOLVE_HOST: return .transport(.cannotResolveHost(host(of: handle)))
        case CURLE_COULDNT_CONNECT: return .transport(.cannotConnect(detail))
        case CURLE_PROXY: return .transport(.proxy(detail))
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(isConnected ? .inactivity : .connect)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return .invalidResponse(reason: detail)
        case CURLE_OUT_OF_MEMORY: return outOfMemory(handle)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING: return .transport(.connectionLost(detail))
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return broken(detail, on: handle)
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR:
            return .transport(.protocolViolation(detail))
        case CURLE_READ_ERROR, CURLE_SEND_FAIL_REWIND: return .transport(.cannotSendBody(detail))
        default: return security(code, detail, handle) ?? .transport(.other(detail))
        }
    }

    /// libcurl quotes a proxy's URL that it cannot use, password included.
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

    /// OpenSSL's verdicts (X509_V_ERR_…). libcurl itself compares the host, before it asks for the verdict, which is
    /// then still the 1 it began with.
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
        // A proxy that answers CONNECT with anything but success.
        if godwit_get_long(handle.pointer, CURLINFO_HTTP_CONNECTCODE) >= 300 { return .transport(.proxy(detail)) }
        if asksForCertificate(detail) { return .insecure(.clientCertificate(detail)) }
        // NGHTTP2_ERR_CALLBACK_FAILURE: libcurl's own takes 128 KiB of header.
        if detail.contains("nghttp2_session_mem_recv() returned -902") { return .tooLarge(limit: 128 << 10) }
        if detail.contains("Too large response headers") { return .tooLarge(limit: Int64(ResponseHeadParser.limit)) }
        if detail.contains("chunked-encoding") { return .invalidResponse(reason: detail) }
        return .transport(.connectionLost(detail))
    }

    /// OpenSSL's words for the alerts by which a server refuses a client's certificate, or the lack of one (RFC 8446
    /// section 6.2).
    private static let certificateAlerts = [
        "certificate required", "alert bad certificate", "alert unknown ca", "alert certificate expired",
        "alert certificate revoked", "alert certificate unknown", "alert unsupported certificate",
        "alert access denied",
    ]

    private static func asksForCertificate(_ detail: String) -> Bool {
        certificateAlerts.contains { detail.contains($0) }
    }

    /// libcurl says "out of memory" for a single header line beyond its own limit.
    private static func outOfMemory(_ handle: EasyHandle) -> NetworkError.Kind {
        guard let exchange = handle.exchange, exchange.phase != .connecting, exchange.head == nil else {
            return .transport(.other("out of memory"))
        }
        return .tooLarge(limit: Int64(ResponseHeadParser.limit))
    }

    private static func host(of handle: EasyHandle) -> String {
        handle.exchange?.request.url.host ?? "?"
    }
}

/// Tells a host that cannot be reached from a machine that is not connected. libcurl reports the same for both: a name without
/// an address, or a connection that cannot be made.
struct OfflineCheck: Sendable {
    private let monitor: @Sendable () -> any PathMonitor
    /// Whether connections go to a socket of this machine, whatever the URL says.
    private let isLocal: Bool

    init(_ configuration: CurlConfiguration) {
        monitor = configuration.pathMonitor
        isLocal = configuration.unixSocketPath != nil
    }

    /// The error as `.offline(.noPath)` if no network explains it; else as it is.
    ///
    /// The network path alone does not: a name may stand for this machine, and a firewall may drop what has a route. So the
    /// failure has to fit, too. The path is asked for last, as that starts its monitor.
    func explain(_ error: NetworkError, of exchange: Exchange) -> NetworkError {
        guard !isLocal, !exchange.request.url.origin.isLoopback else { return error }
        switch error.kind {
        case .transport(.cannotResolveHost), .transport(.cannotResolveProxy): break
        case .transport(.cannotConnect) where exchange.lackedRoute: break
        default: return error
        }
        guard monitor().current.status == .unsatisfied else { return error }
        var offline = error
        offline.kind = .offline(.noPath)
        offline.underlying = offline.underlying ?? error
        return offline
    }
}

extension EasyHandle {
    /// Whether the system had no way to the address: no route, no interface that is up, or no address of its own kind.
    var lackedRoute: Bool {
        let error = Int32(clamping: godwit_get_long(pointer, CURLINFO_OS_ERRNO))
        return error == ENETUNREACH || error == ENETDOWN || error == EADDRNOTAVAIL
    }
}
