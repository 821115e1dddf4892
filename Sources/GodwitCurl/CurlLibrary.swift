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

    /// What the library at run time offers: each option is asked for once per process.
    static let features: CurlFeatures = {
        prepare()
        let easy = curl_easy_init()
        defer { curl_easy_cleanup(easy) }
        return CurlFeatures(number: godwit_curl_version(), version: String(cString: godwit_curl_version_text())) {
            godwit_knows_option(easy, CURLoption(rawValue: $1)) != 0
        }
    }()

    /// The system's file and folder of authorities, as far as libcurl knows them (libcurl 7.84).
    static let systemAuthorities: (file: String?, folder: String?) = {
        guard let easy = curl_easy_init() else { return (nil, nil) }
        defer { curl_easy_cleanup(easy) }
        return (
            godwit_get_string(easy, CURLINFO_CAINFO).map { String(cString: $0) },
            godwit_get_string(easy, CURLINFO_CAPATH).map { String(cString: $0) }
        )
    }()

    /// The system's file of authorities, where libcurl knows no folder of them that says the same. From 7.84 on: nil says
    /// nothing for older ones, whose users are refused before this is asked for.
    static let onlyAuthoritiesFile: URL? = {
        guard let easy = curl_easy_init() else { return nil }
        defer { curl_easy_cleanup(easy) }
        guard godwit_get_string(easy, CURLINFO_CAPATH) == nil else { return nil }
        return godwit_get_string(easy, CURLINFO_CAINFO).map { URL(filePath: String(cString: $0)) }
    }()
}
