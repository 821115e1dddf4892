#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets

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

    /// Whether a handle that served an exchange may serve another only if its last header is held: libcurl frees that header, and
    /// writes a folded line at the start of the next response to it (decision 086).
    static let losesHeaders = (0x075400..<0x080101).contains(godwit_curl_version())

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
    ///
    /// A libcurl that was built for another system names paths that don't exist here; then the first usual one is used.
    static let systemAuthorities: (file: String?, folder: String?) = {
        guard let easy = curl_easy_init() else { return (nil, nil) }
        defer { curl_easy_cleanup(easy) }
        let file = godwit_get_string(easy, CURLINFO_CAINFO).map { String(cString: $0) }
        let folder = godwit_get_string(easy, CURLINFO_CAPATH).map { String(cString: $0) }
        let named = [file, folder].compactMap(\.self)
        guard !named.isEmpty, named.allSatisfy({ access($0, R_OK) != 0 }) else { return (file, folder) }
        return (usualAuthorities.first { access($0, R_OK) == 0 } ?? file, nil)
    }()

    /// Where Debian, Fedora, openSUSE, RHEL and Alpine keep certificates.
    private static let usualAuthorities = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// The file that libcurl has to be told, as its own doesn't exist; nil if it does.
    static let replacedAuthorities: String? = {
        guard let easy = curl_easy_init() else { return nil }
        defer { curl_easy_cleanup(easy) }
        let file = godwit_get_string(easy, CURLINFO_CAINFO).map { String(cString: $0) }
        return systemAuthorities.file == file ? nil : systemAuthorities.file
    }()

    /// The system's file of authorities, if libcurl uses no folder with the same content.
    static var onlyAuthoritiesFile: URL? {
        systemAuthorities.folder == nil ? systemAuthorities.file.map { URL(filePath: $0) } : nil
    }
}
#endif
