#if os(Linux)
import CGodwitCurl
package import GodwitCore
import GodwitSockets

/// What libcurl offers at run time beyond version 7.76. A value, so that tests can make it for other versions.
///
/// Every option that the engine sets is in one of the lists of this file, and ``CurlLibrary`` tries each of them once: an
/// unknown option is never ignored silently.
package struct CurlFeatures: Sendable, Hashable {
    /// The library's version, such as `7.88.1`.
    package var version: String
    /// `CURLOPT_CAINFO_BLOB` and `CURLINFO_CAINFO` (7.77, 7.84). Without them, authorities of single hosts are refused.
    package var hostAuthorities: Bool
    /// `CURLOPT_PREREQFUNCTION` (7.80). Without it, a request that must not be sent twice uses a new connection, where libcurl
    /// never sends again, and libcurl's debug messages report when a request goes out.
    package var prerequest: Bool
    /// `CURLOPT_MAXLIFETIME_CONN` (7.80). Without it, connections have no maximum lifetime.
    package var connectionLifetime: Bool
    /// `CURLOPT_PROTOCOLS_STR` (7.85). Without it, an older option has the same effect.
    package var protocolNames: Bool
    /// `CURLOPT_QUICK_EXIT` (7.87). Without it, canceling a slow DNS lookup may hold up its event loop.
    package var quickExit: Bool
    /// Whether libcurl takes an idle HTTP/2 connection for dead if only TLS records without data arrived on it (before 8.0).
    package var needsFirstFrame: Bool { number < 0x080000 }
    /// Whether libcurl writes to a closed connection without a signal, also over TLS (7.87). Otherwise only the event loop's own
    /// thread, which blocks that signal, may use it.
    package var writesWithoutSignals: Bool { number >= 0x075700 }
    /// Bytes of an upload that libcurl counts as sent although it still holds them, over HTTP/2 and HTTP/3: 8.x has a buffer
    /// for each stream.
    var heldUpload: UInt64 { number < 0x080000 ? 0 : 80 << 10 }
    /// Whether libcurl keeps the address that it tried first, although another one's socket took its number.
    var remembersFirstAddress: Bool { number >= 0x080000 }
    /// Whether an HTTP/2 stream's data is its easy handle. 8.x gives it a pointer of its own.
    var namesStreamsByHandle: Bool { number < 0x080000 }
    /// Whether a connection over one interface is never used for another (CVE-2022-27775, mended in 7.83).
    var separatesZones: Bool { number >= 0x075300 }
    /// Why HTTP/3 isn't used with this library; nil if it is. Set by ``CurlLibrary``, which asks the process.
    package var http3Fault: String? = "it was built without HTTP/3"
    /// Why the library is too old for HTTP/3, or nil. Older ones run QUIC, but what holds over it was not tested.
    var olderThanRaces: String? { number < 0x080e00 ? "8.14 or later is needed for HTTP/3" : nil }
    /// Required options that the library doesn't know; empty as a rule.
    package var missing: [String] = []
    /// Options of settings that the library doesn't know. Such a setting is refused when it is used.
    package var absent: Set<String> = []
    private let number: UInt32

    /// - Parameters:
    ///   - number: The version as `LIBCURL_VERSION_NUM` has it.
    ///   - knows: Whether the library takes an option, by its name and number.
    package init(number: UInt32, version: String, knows: (_ name: String, _ option: UInt32) -> Bool) {
        func has(_ since: UInt32, _ name: String, _ option: CURLoption) -> Bool {
            number >= since && knows(name, option.rawValue)
        }
        self.number = number
        self.version = version
        // The paths of the system's authorities have to be known too.
        hostAuthorities = has(0x075400, "CURLOPT_CAINFO_BLOB", CURLOPT_CAINFO_BLOB)
        prerequest =
            has(0x075000, "CURLOPT_PREREQFUNCTION", CURLOPT_PREREQFUNCTION)
            && has(0x075000, "CURLOPT_PREREQDATA", CURLOPT_PREREQDATA)
        connectionLifetime = has(0x075000, "CURLOPT_MAXLIFETIME_CONN", CURLOPT_MAXLIFETIME_CONN)
        protocolNames = has(0x075500, "CURLOPT_PROTOCOLS_STR", CURLOPT_PROTOCOLS_STR)
        quickExit = has(0x075700, "CURLOPT_QUICK_EXIT", CURLOPT_QUICK_EXIT)
        var required = Self.required
        if !prerequest { required += Self.debugging }
        missing = required.filter { !knows($0.name, $0.option.rawValue) }.map(\.name)
        absent = Set(Self.settings.filter { !knows($0.name, $0.option.rawValue) }.map(\.name))
    }

    /// Why no transport can be made with this library, or nil.
    package var fault: NetworkError.Kind? {
        if number < 0x074c00 { return .unsupported(feature: "HTTP (7.76 or later is needed)", on: library) }
        return missing.first.map { .unsupported(feature: $0, on: library) }
    }

    /// Why a setting that needs an option can't be used, or nil.
    package func fault(without name: String) -> NetworkError.Kind? {
        absent.contains(name) ? .unsupported(feature: name, on: library) : nil
    }

    /// Why HTTP/3 alone can't be used, or nil.
    package var http3OnlyFault: NetworkError.Kind? {
        http3Fault.map { .unsupported(feature: "HTTP/3 (\($0))", on: library) }
    }

    /// How errors name the library.
    package var library: String { "libcurl \(version)" }
}

extension CurlFeatures {
    /// An option and its name.
    package struct Option: Sendable {
        package let name: String
        let option: CURLoption

        init(_ name: String, _ option: CURLoption) {
            (self.name, self.option) = (name, option)
        }
    }

    /// The names of all options that the engine may set.
    package static var known: Set<String> {
        Set((required + settings + debugging).map(\.name)).union([
            "CURLOPT_CAINFO_BLOB", "CURLOPT_PREREQFUNCTION", "CURLOPT_PREREQDATA", "CURLOPT_PROTOCOLS_STR",
            "CURLOPT_QUICK_EXIT", "CURLOPT_MAXLIFETIME_CONN",
        ])
    }

    /// The options that every exchange needs. All are in 7.76.
    package static var required: [Option] {
        [
            Option("CURLOPT_NOSIGNAL", CURLOPT_NOSIGNAL), Option("CURLOPT_PROTOCOLS", godwit_option_protocols),
            Option("CURLOPT_HTTP_CONTENT_DECODING", CURLOPT_HTTP_CONTENT_DECODING),
            Option("CURLOPT_SUPPRESS_CONNECT_HEADERS", CURLOPT_SUPPRESS_CONNECT_HEADERS),
            Option("CURLOPT_CONNECTTIMEOUT", CURLOPT_CONNECTTIMEOUT),
            Option("CURLOPT_UPLOAD_BUFFERSIZE", CURLOPT_UPLOAD_BUFFERSIZE),
            Option("CURLOPT_SSLVERSION", CURLOPT_SSLVERSION), Option("CURLOPT_HTTP_VERSION", CURLOPT_HTTP_VERSION),
            Option("CURLOPT_PRIVATE", CURLOPT_PRIVATE), Option("CURLOPT_WRITEFUNCTION", CURLOPT_WRITEFUNCTION),
            Option("CURLOPT_WRITEDATA", CURLOPT_WRITEDATA), Option("CURLOPT_HEADERFUNCTION", CURLOPT_HEADERFUNCTION),
            Option("CURLOPT_HEADERDATA", CURLOPT_HEADERDATA), Option("CURLOPT_READFUNCTION", CURLOPT_READFUNCTION),
            Option("CURLOPT_READDATA", CURLOPT_READDATA), Option("CURLOPT_SEEKFUNCTION", CURLOPT_SEEKFUNCTION),
            Option("CURLOPT_SEEKDATA", CURLOPT_SEEKDATA),
            Option("CURLOPT_RESOLVER_START_FUNCTION", CURLOPT_RESOLVER_START_FUNCTION),
            Option("CURLOPT_RESOLVER_START_DATA", CURLOPT_RESOLVER_START_DATA),
            Option("CURLOPT_OPENSOCKETFUNCTION", CURLOPT_OPENSOCKETFUNCTION),
            Option("CURLOPT_OPENSOCKETDATA", CURLOPT_OPENSOCKETDATA),
            Option("CURLOPT_CLOSESOCKETFUNCTION", CURLOPT_CLOSESOCKETFUNCTION),
            Option("CURLOPT_CLOSESOCKETDATA", CURLOPT_CLOSESOCKETDATA), Option("CURLOPT_CURLU", CURLOPT_CURLU),
            Option("CURLOPT_RESOLVE", CURLOPT_RESOLVE), Option("CURLOPT_ERRORBUFFER", CURLOPT_ERRORBUFFER),
            Option("CURLOPT_FORBID_REUSE", CURLOPT_FORBID_REUSE),
            Option("CURLOPT_FRESH_CONNECT", CURLOPT_FRESH_CONNECT),
            Option("CURLOPT_NOBODY", CURLOPT_NOBODY), Option("CURLOPT_HTTPGET", CURLOPT_HTTPGET),
            Option("CURLOPT_CUSTOMREQUEST", CURLOPT_CUSTOMREQUEST), Option("CURLOPT_UPLOAD", CURLOPT_UPLOAD),
            Option("CURLOPT_INFILESIZE_LARGE", CURLOPT_INFILESIZE_LARGE),
            Option("CURLOPT_HTTPHEADER", CURLOPT_HTTPHEADER), Option("CURLOPT_BUFFERSIZE", CURLOPT_BUFFERSIZE),
            Option("CURLOPT_PIPEWAIT", CURLOPT_PIPEWAIT), Option("CURLOPT_CONNECT_ONLY", CURLOPT_CONNECT_ONLY),
            Option("CURLOPT_URL", CURLOPT_URL), Option("CURLOPT_SHARE", CURLOPT_SHARE),
            Option("CURLOPT_MAXAGE_CONN", CURLOPT_MAXAGE_CONN),
            Option("CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS", CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS),
        ]
    }

    /// The options that a setting or a request's option needs. Some builds lack them.
    package static var settings: [Option] {
        [
            Option("CURLOPT_PROXY", CURLOPT_PROXY), Option("CURLOPT_NOPROXY", CURLOPT_NOPROXY),
            Option("CURLOPT_HTTPPROXYTUNNEL", CURLOPT_HTTPPROXYTUNNEL),
            Option("CURLOPT_UNIX_SOCKET_PATH", CURLOPT_UNIX_SOCKET_PATH), Option("CURLOPT_CAINFO", CURLOPT_CAINFO),
            Option("CURLOPT_CONNECT_TO", CURLOPT_CONNECT_TO),
            Option("CURLOPT_CAPATH", CURLOPT_CAPATH), Option("CURLOPT_STREAM_WEIGHT", CURLOPT_STREAM_WEIGHT),
            Option("CURLOPT_SSLCERT_BLOB", CURLOPT_SSLCERT_BLOB), Option("CURLOPT_SSLKEY_BLOB", CURLOPT_SSLKEY_BLOB),
            Option("CURLOPT_SSLCERTTYPE", CURLOPT_SSLCERTTYPE), Option("CURLOPT_KEYPASSWD", CURLOPT_KEYPASSWD),
            Option("CURLOPT_SSL_CTX_FUNCTION", CURLOPT_SSL_CTX_FUNCTION),
            Option("CURLOPT_SSL_CTX_DATA", CURLOPT_SSL_CTX_DATA),
            Option("CURLOPT_TRAILERFUNCTION", CURLOPT_TRAILERFUNCTION),
            Option("CURLOPT_TRAILERDATA", CURLOPT_TRAILERDATA),
        ]
    }

    /// The options that replace `CURLOPT_PREREQFUNCTION`.
    private static var debugging: [Option] {
        [
            Option("CURLOPT_DEBUGFUNCTION", CURLOPT_DEBUGFUNCTION), Option("CURLOPT_DEBUGDATA", CURLOPT_DEBUGDATA),
            Option("CURLOPT_VERBOSE", CURLOPT_VERBOSE),
        ]
    }
}

/// libcurl's texts where its codes don't tell failures apart. They differ between 7.x and 8.x.
package struct CurlMessages: Sendable {
    private let chunks: [String]
    private let largeHeads: [String]
    private let connecting: String?
    private let certificates: [String]
    private let unannouncedEnd: String?

    fileprivate init(
        chunks: [String], largeHeads: [String], connecting: String? = nil, certificates: [String] = [],
        unannouncedEnd: String? = nil
    ) {
        (self.chunks, self.largeHeads, self.connecting) = (chunks, largeHeads, connecting)
        (self.certificates, self.unannouncedEnd) = (certificates, unannouncedEnd)
    }

    /// Whether the framing of a chunked body is invalid.
    func isMalformedChunk(_ message: String) -> Bool { chunks.contains { message.contains($0) } }

    /// Whether nghttp2 refused the header of a response over HTTP/2: libcurl's callback accepts 128 KiB (-902), and 8.x few
    /// frames (-905).
    func isLargeHead(_ message: String) -> Bool { largeHeads.contains { message.contains($0) } }

    /// Whether TLS ended without `close_notify`. 7.x takes it for the end of the response.
    func isUnannouncedEnd(_ message: String) -> Bool { unannouncedEnd.map { message.contains($0) } ?? false }

    /// Whether the client's certificate can't be used. 7.x has a code for it.
    func isClientCertificate(_ message: String) -> Bool { certificates.contains { message.contains($0) } }

    /// Whether no connection was made: 8.x reports a UDP port that refuses as a failed sending.
    func isUnconnected(_ message: String) -> Bool { connecting.map { message.hasPrefix($0) } ?? false }
}

extension CurlFeatures {
    var messages: CurlMessages {
        number < 0x080000
            ? CurlMessages(
                chunks: ["chunked-encoding"], largeHeads: ["nghttp2_session_mem_recv() returned -902"])
            : CurlMessages(
                chunks: ["chunked-encoding", "chunk hex-length", "chunk size"],
                largeHeads: ["nghttp2 recv error -902", "nghttp2 recv error -905"],
                connecting: "Failed to connect to ", certificates: ["unable to set private key file"],
                unannouncedEnd: "unexpected eof while reading")
    }
}
#endif
