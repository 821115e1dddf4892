import CGodwitCurl
import GodwitCore

/// libcurl itself, prepared once per process.
enum CurlLibrary {
    private static let preparation: Void = {
        _ = godwit_global_init()
    }()

    static func prepare() {
        _ = preparation
    }

    /// Whether requests fail that reuse a cleartext HTTP/2 connection: 7.87 and 7.88 start HTTP/2 on it again.
    static let breaksPriorKnowledge = (0x075700..<0x080000).contains(godwit_curl_version())

    /// What the library offers at run time. Each option is tried once per process.
    static let features: CurlFeatures = {
        prepare()
        let easy = curl_easy_init()
        defer { curl_easy_cleanup(easy) }
        var features = CurlFeatures(
            number: godwit_curl_version(), version: String(cString: godwit_curl_version_text())
        ) {
            godwit_knows_option(easy, CURLoption(rawValue: $1)) != 0
        }
        features.http3Fault = features.olderThanRaces ?? godwit_quic_fault().map { String(cString: $0) }
        return features
    }()

    /// The system's file and folder of authorities that libcurl uses (libcurl 7.84).
    static let systemAuthorities: (file: String?, folder: String?) = {
        guard let easy = curl_easy_init() else { return (nil, nil) }
        defer { curl_easy_cleanup(easy) }
        return (
            godwit_get_string(easy, CURLINFO_CAINFO).map { String(cString: $0) },
            godwit_get_string(easy, CURLINFO_CAPATH).map { String(cString: $0) }
        )
    }()

    /// The system's file of authorities, if libcurl uses no folder with the same content.
    static var onlyAuthoritiesFile: URL? {
        systemAuthorities.folder == nil ? systemAuthorities.file.map { URL(filePath: $0) } : nil
    }
}
