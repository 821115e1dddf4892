#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

// Warming up: a connection is made and kept, and no request is sent on it.
extension EasyHandle {
    func beginWarmUp() {
        waitToShare(false)
        godwit_set_long(pointer, CURLOPT_FRESH_CONNECT, 1)
    }

    /// From here on libcurl only connects. Set earlier, this option would reserve the connection for the handle.
    func stopAfterConnecting() {
        godwit_set_long(pointer, CURLOPT_CONNECT_ONLY, 1)
    }

    /// The socket of a connection that was made; `nil` if there is none.
    var connectedSocket: Int32? {
        var descriptor: Int32 = -1
        return godwit_get_active_socket(pointer, &descriptor) == CURLE_OK && descriptor >= 0 ? descriptor : nil
    }

    /// Call this before libcurl learns that the exchange is over: it closes connections of handles that only connect.
    func endWarmUp() {
        godwit_set_long(pointer, CURLOPT_CONNECT_ONLY, 0)
        godwit_set_long(pointer, CURLOPT_FRESH_CONNECT, 0)
    }
}

extension EasyHandle {
    /// Makes libcurl connect and leave the rest to us: through a proxy by a tunnel, and over TLS as HTTP/1.1.
    func onlyConnect() {
        godwit_set_long(pointer, CURLOPT_CONNECT_ONLY, 1)
        godwit_set_long(pointer, CURLOPT_HTTPPROXYTUNNEL, 1)
        // libcurl keeps the buffer for as long as the connection is open, and reads next to nothing into it.
        godwit_set_long(pointer, CURLOPT_BUFFERSIZE, 1024)
        godwit_set_long(pointer, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        headParser.acceptsSwitch = true
    }

    /// libcurl reads no more at once than its buffer had room for, though it reads into ours.
    func readLargePieces() {
        godwit_set_long(pointer, CURLOPT_BUFFERSIZE, 64 << 10)
    }

    var usesProxy: Bool { proxy != nil }
}
#endif
