import CGodwitCurl
import GodwitCore

/// libcurl as a whole: prepared once per process.
enum CurlLibrary {
    private static let preparation: Void = {
        _ = godwit_global_init()
    }()

    static func prepare() {
        _ = preparation
    }

    /// Whether requests break that reuse a cleartext HTTP/2 connection: 7.87 and 7.88 begin HTTP/2 on it once more.
    static let breaksPriorKnowledge = (0x075700..<0x080000).contains(godwit_curl_version())

    /// The system's file of authorities, where libcurl knows no folder of them that says the same.
    static let onlyAuthoritiesFile: URL? = {
        guard let easy = curl_easy_init() else { return nil }
        defer { curl_easy_cleanup(easy) }
        guard godwit_get_string(easy, CURLINFO_CAPATH) == nil else { return nil }
        return godwit_get_string(easy, CURLINFO_CAINFO).map { URL(filePath: String(cString: $0)) }
    }()
}
