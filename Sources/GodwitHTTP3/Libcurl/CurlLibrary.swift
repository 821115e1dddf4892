#if os(Linux)
import CLibcurl
import COpenSSL
import GodwitLibc
import GodwitTLS

/// libcurl as this process has it.
enum CurlLibrary {
    /// Its name and version, such as `libcurl 8.23.0`.
    static let name: String = {
        TLSLibrary.prepare()
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        return "libcurl " + (information?.version.map { String(cString: $0) } ?? "?")
    }()

    /// Why it can't be used for HTTP/3; `nil` if it can.
    ///
    /// TLS rules are set on libcurl's contexts with the OpenSSL that Godwit is linked with, which has to be the one that runs
    /// QUIC's handshakes.
    static let fault: String? = {
        _ = name
        guard let information else { return "it says nothing about itself" }
        // Older ones run QUIC, but 8.14.1 leaves requests waiting for ever (decision 145).
        if information.version_num < 0x081700 { return "8.23 or later is needed for HTTP/3" }
        if information.features & CURL_VERSION_HTTP3 == 0 { return "it was built without HTTP/3" }
        if !isOurVersion(information.ssl_version.map { String(cString: $0) } ?? "") {
            return "its TLS is not the OpenSSL that this program uses, so rules for TLS would not hold"
        }
        if !isOneCopy { return "its QUIC uses another OpenSSL than this program, so rules for TLS would not hold" }
        return nil
    }()

    private static var information: curl_version_info_data? { godwit_curl_information()?.pointee }

    /// Whether libcurl names the version of OpenSSL that this is linked with.
    private static func isOurVersion(_ library: String) -> Bool {
        guard let version = OpenSSL_version(OPENSSL_VERSION_STRING) else { return false }
        return library.split(separator: " ").first.map { $0 == "OpenSSL/" + String(cString: version) } ?? false
    }

    /// Whether QUIC's functions are in the same library as the others.
    ///
    /// With two copies of OpenSSL in a process, the dynamic linker resolves the names of both to the copy that comes first,
    /// except those of QUIC if that copy is too old to have them.
    private static var isOneCopy: Bool {
        let quic = dlsym(nil, "SSL_set_quic_tls_cbs") ?? dlsym(nil, "SSL_set_quic_method")
        guard let quic, let others = dlsym(nil, "SSL_CTX_set_cert_verify_callback") else { return false }
        return godwit_library_of(quic) != nil && godwit_library_of(quic) == godwit_library_of(others)
    }
}

/// A list of lines for libcurl, which points into it.
struct CurlList: ~Copyable {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    mutating func append(_ line: String) { append(Array(line.utf8)) }

    /// Adds a line. If memory ran out, the list stays as it is.
    mutating func append(_ line: [UInt8]) {
        first = curl_slist_append(first, line.map { CChar(bitPattern: $0) } + [0]) ?? first
    }

    deinit { curl_slist_free_all(first) }
}
#endif
