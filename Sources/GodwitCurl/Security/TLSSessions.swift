import CGodwitCurl

/// TLS sessions that the handles of one engine resume, so that a second connection to a host is cheap (a CURLSH).
///
/// libcurl keeps them by host, port and certificates. The rules of a host never change in an engine, so a session never
/// passes from one rule to another.
final class TLSSessions {
    private let share = godwit_sessions_new()

    deinit {
        if let share { curl_share_cleanup(share) }
    }

    /// Attaches a handle, which has to be detached or freed before these sessions are released.
    func attach(_ easy: UnsafeMutableRawPointer) {
        if let share { godwit_set_pointer(easy, CURLOPT_SHARE, share) }
    }
}
