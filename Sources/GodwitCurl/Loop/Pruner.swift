import CGodwitCurl

/// Makes libcurl look through its kept connections.
///
/// libcurl closes dead connections, and answers HTTP/2 frames on idle ones, only when a transfer looks for a connection, and at
/// most once a second. This transfer looks for one and then declines to open a socket, so that it costs no traffic.
final class Pruner {
    /// Made when it is first needed.
    private var made: UnsafeMutableRawPointer?

    private var pointer: UnsafeMutableRawPointer? {
        if made == nil { made = Self.makePointer() }
        return made
    }

    private static func makePointer() -> UnsafeMutableRawPointer? {
        CurlLibrary.prepare()
        guard let pointer = curl_easy_init() else { return nil }
        godwit_set_long(pointer, CURLOPT_NOSIGNAL, 1)
        godwit_set_string(pointer, CURLOPT_URL, "http://127.0.0.1:1/")
        godwit_set_string(pointer, CURLOPT_PROXY, "")
        godwit_set_string(pointer, CURLOPT_NOPROXY, "")
        godwit_set_long(pointer, CURLOPT_FRESH_CONNECT, 1)
        // Ages are our business.
        godwit_set_long(pointer, CURLOPT_MAXAGE_CONN, 1 << 30)
        godwit_set_open_function(pointer) { _, _, _ in CURL_SOCKET_BAD }
        return pointer
    }

    func free() {
        if let made { curl_easy_cleanup(made) }
        made = nil
    }

    /// Looks through the connections of a multi handle. Never called from within libcurl.
    func run(on multi: MultiHandle) {
        guard let pointer, multi.add(pointer) else { return }
        multi.actOnTimers()
        multi.remove(pointer)
    }

    /// Closes the connection that has been idle for longest, if there is one, without waiting for the next look.
    ///
    /// - Parameter limit: The engine's own limit of connections.
    func closeOldest(of multi: MultiHandle, limit: Int?) {
        guard let pointer, multi.add(pointer) else { return }
        // libcurl makes room for a new connection by closing an idle one.
        multi.limitConnections(to: 1)
        multi.actOnTimers()
        multi.limitConnections(to: limit)
        // Wakes what the limit held up meanwhile.
        multi.remove(pointer)
    }
}
