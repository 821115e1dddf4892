#if os(Linux)
import CLibcurl
import GodwitCore
import GodwitSockets
import GodwitSupport

/// libcurl's options that are the same for all exchanges. Used on the loop's thread.
final class CurlOptions {
    private let configuration: SocketConfiguration
    // Handles point into the lists.
    private var addresses = CurlList()
    private var targets = CurlList()

    init(_ configuration: SocketConfiguration) {
        self.configuration = configuration
        for (name, texts) in configuration.addressOverrides {
            addresses.append("\(name):" + texts.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ","))
        }
        for (name, target) in configuration.connectionTargets { targets.append("\(name):\(target)") }
    }

    /// The value of `Host` that replaces a URL's host; `nil` if none does.
    func host(for url: HTTPURL) -> String? {
        configuration.hostFields.isEmpty ? nil : configuration.hostFields["\(url.host):\(url.port)"]
    }

    func apply(to easy: UnsafeMutableRawPointer) {
        godwit_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Otherwise a cancellation during a slow lookup would hold up the loop until the lookup ends.
        godwit_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        godwit_set_string(easy, CURLOPT_PROTOCOLS_STR, "https")
        godwit_set_long(easy, CURLOPT_HTTP_VERSION, godwit_http_version_3only)
        godwit_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        godwit_set_string(easy, CURLOPT_PROXY, "")
        // ContentDecoder decodes bodies, and notices damage that libcurl doesn't.
        godwit_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        // The engine has its own deadlines. A day is never.
        godwit_set_long(easy, CURLOPT_CONNECTTIMEOUT, 86_400)
        godwit_set_long(easy, CURLOPT_BUFFERSIZE, 64 << 10)
        godwit_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10)
        // CertificateCheck has the store. A resumed session would show no chain whose pins could be checked.
        godwit_set_string(easy, CURLOPT_CAINFO, nil)
        godwit_set_string(easy, CURLOPT_CAPATH, nil)
        godwit_set_long(easy, CURLOPT_SSL_SESSIONID_CACHE, 0)
        godwit_set_long(easy, CURLOPT_MAXAGE_CONN, Self.seconds(configuration.connections.idleTimeout))
        godwit_set_long(easy, CURLOPT_MAXLIFETIME_CONN, Self.seconds(configuration.connections.maximumLifetime))
        if let first = addresses.first { godwit_set_pointer(easy, CURLOPT_RESOLVE, first) }
        if let first = targets.first { godwit_set_pointer(easy, CURLOPT_CONNECT_TO, first) }
    }

    func apply(toMulti multi: UnsafeMutableRawPointer?) {
        godwit_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maximumIdleConnections)
        godwit_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, min(configuration.connectionsPerHost, 1 << 20))
        godwit_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections ?? 0)
        godwit_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.maximumStreamsPerConnection)
    }

    /// An age in libcurl's whole seconds, rounded up.
    private static func seconds(_ limit: Duration?) -> Int {
        guard let (seconds, attoseconds) = limit?.components else { return 1 << 30 }
        return Int(min(max(1, seconds.saturatingAdding(attoseconds > 0 ? 1 : 0)), 1 << 30))
    }
}
#endif
