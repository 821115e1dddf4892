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

    /// The system's file and folder of authorities, as far as libcurl knows them (libcurl 7.84).
    static let systemAuthorities: (file: String?, folder: String?) = {
        guard let easy = curl_easy_init() else { return (nil, nil) }
        defer { curl_easy_cleanup(easy) }
        return (
            godwit_get_string(easy, CURLINFO_CAINFO).map { String(cString: $0) },
            godwit_get_string(easy, CURLINFO_CAPATH).map { String(cString: $0) }
        )
    }()

    /// The system's file of authorities, where libcurl knows no folder of them that says the same.
    static let onlyAuthoritiesFile: URL? = {
        guard let easy = curl_easy_init() else { return nil }
        defer { curl_easy_cleanup(easy) }
        guard godwit_get_string(easy, CURLINFO_CAPATH) == nil else { return nil }
        return godwit_get_string(easy, CURLINFO_CAINFO).map { URL(filePath: String(cString: $0)) }
    }()
}
