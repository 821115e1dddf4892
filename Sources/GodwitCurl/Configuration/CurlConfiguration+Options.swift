#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets
import GodwitSupport

extension CurlConfiguration {
    /// Sets the options of a new handle that are the same for all its exchanges.
    func apply(to easy: UnsafeMutableRawPointer) {
        godwit_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Otherwise a cancellation during a slow lookup would hold up the loop until the lookup ends.
        if features.quickExit { godwit_set_long(easy, CURLOPT_QUICK_EXIT, 1) }
        if features.protocolNames {
            godwit_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        } else {
            godwit_set_long(easy, godwit_option_protocols, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
        }
        // ContentDecoder decodes bodies, and notices damage that libcurl doesn't (decision 003).
        godwit_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        godwit_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // The engine has its own deadlines (decision 006): libcurl's runs while a request waits in its queue. A day is never.
        godwit_set_long(easy, CURLOPT_CONNECTTIMEOUT, 86_400)
        godwit_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10)
        godwit_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        godwit_set_long(easy, CURLOPT_HTTP_VERSION, protocols.curlVersion)
        // Otherwise libcurl would close kept connections after two minutes.
        godwit_set_long(easy, CURLOPT_MAXAGE_CONN, ConnectionPolicy.curlSeconds(connections.idleTimeout))
        godwit_limit_lifetime(easy, ConnectionPolicy.curlSeconds(connections.maximumLifetime))
        // ProxyRules decides. With empty texts, libcurl doesn't read the environment for every request.
        godwit_set_string(easy, CURLOPT_PROXY, "")
        godwit_set_string(easy, CURLOPT_NOPROXY, "")
        if let unixSocketPath { godwit_set_string(easy, CURLOPT_UNIX_SOCKET_PATH, unixSocketPath) }
        if let file = additionalAuthorities?.path ?? CurlLibrary.replacedAuthorities {
            godwit_set_string(easy, CURLOPT_CAINFO, file)
        }
    }
}

extension ProtocolPreference {
    /// Whether a connection for this scheme may turn out to be shared by many requests.
    func mayShare(_ scheme: HTTPURL.Scheme) -> Bool {
        switch self {
        case .http1: false
        case .http2PriorKnowledge: true
        case .http2WhereSecure, .http3WhereAvailable, .http3Only: scheme == .https
        }
    }

    /// libcurl's value for exchanges without a ``VersionRoute`` of their own.
    var curlVersion: Int {
        switch self {
        case .http1: CURL_HTTP_VERSION_1_1
        case .http2WhereSecure, .http3WhereAvailable: CURL_HTTP_VERSION_2TLS
        case .http2PriorKnowledge: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
        case .http3Only: CURL_HTTP_VERSION_3ONLY
        }
    }
}

extension ConnectionPolicy {
    /// The options of TCP, in its whole seconds.
    var probing: godwit_probing {
        var probing = godwit_probing()
        if let keepAlive {
            probing.idle_seconds = Self.seconds(keepAlive.idle)
            probing.interval_seconds = Self.seconds(keepAlive.interval)
            probing.probes = Int32(clamping: min(keepAlive.probes, 127))
        }
        if let unacknowledgedTimeout {
            let (seconds, attoseconds) = unacknowledgedTimeout.components
            let milliseconds = min(seconds, 1 << 20) * 1000 + attoseconds / 1_000_000_000_000_000
            probing.unacknowledged_milliseconds = UInt32(clamping: max(milliseconds, 1))
        }
        return probing
    }

    /// Rounded up, and within the system's limits.
    private static func seconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: min(max(1, seconds.saturatingAdding(attoseconds > 0 ? 1 : 0)), 32_767))
    }

    /// An age in libcurl's whole seconds, rounded up. The engine's own limits are exact, and apply first.
    static func curlSeconds(_ limit: Duration?) -> Int {
        guard let (seconds, attoseconds) = limit?.components else { return 1 << 30 }
        return Int(min(max(1, seconds.saturatingAdding(attoseconds > 0 ? 1 : 0)), 1 << 30))
    }
}

extension CurlConfiguration {
    package mutating func normalizeHosts() {
        addressOverrides = HostSpelling.normalized(table: addressOverrides)
        connectionTargets = HostSpelling.normalized(table: connectionTargets).mapValues { HostSpelling.normalized($0) }
        hostFields = HostSpelling.normalized(table: hostFields)
    }
}
#endif
