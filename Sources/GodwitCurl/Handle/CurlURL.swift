import CGodwitCurl
import GodwitCore

/// The URL of a handle as libcurl reads it, kept from one exchange to the next.
///
/// Given as text, a URL is read anew for each exchange, and then written anew, byte by byte; of one that was read
/// libcurl only copies the parts.
struct CurlURL {
    private let pointer: OpaquePointer
    private var current: HTTPURL?

    init?() {
        guard let pointer = curl_url() else { return nil }
        self.pointer = pointer
    }

    /// Makes this the URL of a handle, which it has to outlive.
    func attach(to easy: UnsafeMutableRawPointer) {
        godwit_set_pointer(easy, CURLOPT_CURLU, UnsafeMutableRawPointer(pointer))
    }

    /// Reads a URL; why libcurl refuses it, or nil.
    mutating func set(_ url: HTTPURL) -> String? {
        guard url != current else { return nil }
        current = nil
        // Our URLs are normalised already; what is logged is what is requested.
        let code = url.absoluteString.withCString { text in
            curl_url_set(pointer, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS))
        }
        guard code == CURLUE_OK else { return String(cString: curl_url_strerror(code)) }
        current = url
        return nil
    }

    func free() {
        curl_url_cleanup(pointer)
    }
}
