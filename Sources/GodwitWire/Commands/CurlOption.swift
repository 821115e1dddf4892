/// The curl options that affect one request, and their spellings.
///
/// Options that only change curl's output are ignored. Options that belong to a client's configuration are rejected
/// with the name of the setting.
enum CurlOption: Sendable {
    case method, header, data, dataRaw, dataBinary, dataURLEncoded, json, form, formString, uploadFile
    case user, bearer, cookie, userAgent, referer, range, asQuery, head, url, totalTime, connectTime
    /// No effect on the request.
    case ignored(takesValue: Bool)
    /// Belongs to the client or its transport; has the name of the setting.
    case ofClient(String, takesValue: Bool)
    case insecure

    var takesValue: Bool {
        switch self {
        case .asQuery, .head, .insecure: false
        case .ignored(let takesValue), .ofClient(_, let takesValue): takesValue
        default: true
        }
    }

    /// An option by its long name, without the dashes.
    static func named(_ name: Substring) -> CurlOption? {
        long[String(name)] ?? (name.hasPrefix("no-") ? long[String(name.dropFirst(3))]?.negated : nil)
    }

    /// An option by its letter.
    static func lettered(_ letter: Character) -> CurlOption? { short[letter] }

    private var negated: CurlOption? {
        if case .ignored(takesValue: false) = self { self } else { nil }
    }

    private static let flag = CurlOption.ignored(takesValue: false)
    private static let valued = CurlOption.ignored(takesValue: true)

    private static let short: [Character: CurlOption] = [
        "X": .method, "H": .header, "d": .data, "F": .form, "T": .uploadFile, "u": .user, "b": .cookie,
        "A": .userAgent, "e": .referer, "G": .asQuery, "I": .head, "m": .totalTime, "r": .range, "k": .insecure,
        "s": flag, "S": flag, "v": flag, "i": flag, "f": flag, "L": flag, "#": flag, "O": flag, "J": flag, "g": flag,
        "N": flag, "j": flag, "a": flag, "0": flag, "1": flag, "2": flag, "4": flag, "6": flag,
        "o": valued, "D": valued, "c": valued, "w": valued, "C": valued,
        "x": .ofClient("proxy", takesValue: true), "U": .ofClient("proxy", takesValue: true),
        "E": .ofClient("tls.clientCertificates", takesValue: true),
    ]

    private static let long: [String: CurlOption] = [
        "request": .method, "header": .header, "data": .data, "data-ascii": .data, "data-raw": .dataRaw,
        "data-binary": .dataBinary, "data-urlencode": .dataURLEncoded, "json": .json, "form": .form,
        "form-string": .formString, "upload-file": .uploadFile, "user": .user, "oauth2-bearer": .bearer,
        "cookie": .cookie, "user-agent": .userAgent, "referer": .referer, "range": .range, "get": .asQuery,
        "head": .head, "url": .url,
        "max-time": .totalTime, "connect-timeout": .connectTime, "insecure": .insecure,
        "silent": flag, "show-error": flag, "verbose": flag, "include": flag, "fail": flag, "location": flag,
        "progress-bar": flag, "remote-name": flag, "remote-header-name": flag, "globoff": flag, "buffer": flag,
        "compressed": flag, "http1.0": flag, "http1.1": flag, "http2": flag, "http3": flag, "ipv4": flag,
        "http2-prior-knowledge": flag, "http3-only": flag, "tcp-nodelay": flag, "progress-meter": flag, "basic": flag,
        "junk-session-cookies": flag, "ipv6": flag, "fail-with-body": flag, "tlsv1.2": flag, "tlsv1.3": flag,
        "path-as-is": flag, "keepalive": flag,
        "output": valued, "dump-header": valued, "cookie-jar": valued, "write-out": valued, "stderr": valued,
        "trace": valued, "trace-ascii": valued, "limit-rate": valued, "interface": valued,
        "digest": .ofClient("authentication", takesValue: false),
        "anyauth": .ofClient("authentication", takesValue: false),
        "location-trusted": .ofClient("redirects", takesValue: false),
        "proxy": .ofClient("proxy", takesValue: true), "proxy-user": .ofClient("proxy", takesValue: true),
        "ciphers": .ofClient("tls", takesValue: true), "connect-to": .ofClient("addressOverrides", takesValue: true),
        "cacert": .ofClient("tls.authorities", takesValue: true),
        "cert": .ofClient("tls.clientCertificates", takesValue: true),
        "key": .ofClient("tls.clientCertificates", takesValue: true),
        "pinnedpubkey": .ofClient("pins", takesValue: true),
        "resolve": .ofClient("addressOverrides", takesValue: true),
        "unix-socket": .ofClient("unixSocketPath", takesValue: true),
        "retry": .ofClient("retry", takesValue: true), "retry-delay": .ofClient("retry", takesValue: true),
        "retry-max-time": .ofClient("retry", takesValue: true), "max-redirs": .ofClient("redirects", takesValue: true),
    ]
}
