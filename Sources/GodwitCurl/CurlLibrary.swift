import CGodwitCurl

/// libcurl as a whole: prepared once per process.
enum CurlLibrary {
    private static let preparation: Void = {
        _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    }()

    static func prepare() {
        _ = preparation
    }
}
