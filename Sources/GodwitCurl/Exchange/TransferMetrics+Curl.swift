import CGodwitCurl
import GodwitCore

extension TransferMetrics {
    /// What libcurl measured about the exchange on a handle; the times after sending are not its to tell.
    init(_ handle: EasyHandle, received: Int64) {
        self.init()
        let easy = handle.pointer
        requestSent = Self.duration(easy, CURLINFO_PRETRANSFER_TIME_T)
        // An exchange that never came so far has made no connection either.
        reusedConnection = requestSent != nil && godwit_get_long(easy, CURLINFO_NUM_CONNECTS) == 0
        if !reusedConnection {
            dns = Self.duration(easy, CURLINFO_NAMELOOKUP_TIME_T)
            connect = Self.duration(easy, CURLINFO_CONNECT_TIME_T)
            tls = Self.duration(easy, CURLINFO_APPCONNECT_TIME_T)
        }
        bytesSent = godwit_get_offset(easy, CURLINFO_SIZE_UPLOAD_T)
        bytesReceived = received
        protocolVersion = Self.version(godwit_get_long(easy, CURLINFO_HTTP_VERSION))
        remoteAddress = handle.peerNames.name(of: easy)
    }

    private static func duration(_ easy: UnsafeMutableRawPointer, _ info: CURLINFO) -> Duration? {
        let microseconds = godwit_get_offset(easy, info)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    private static func version(_ value: Int) -> HTTPVersion? {
        switch value {
        case Int(CURL_HTTP_VERSION_1_0): .http1_0
        case Int(CURL_HTTP_VERSION_1_1): .http1_1
        case Int(CURL_HTTP_VERSION_2_0): .http2
        case Int(CURL_HTTP_VERSION_3): .http3
        default: nil
        }
    }
}
