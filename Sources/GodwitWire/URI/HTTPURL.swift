/// An absolute, well-formed `http` or `https` URL.
///
/// The scheme is HTTP, the host is valid and lowercase, the path starts with `/` and has no dot segments, everything is
/// percent-encoded, and there are no credentials. What is logged is what is requested.
///
/// ```swift
/// let url = try HTTPURL("https://api.example.com/v1")
/// url.origin                      // https://api.example.com
/// ```
///
/// Copies share storage.
public struct HTTPURL: Sendable, Nonisolated {
    /// The scheme of an ``HTTPURL``.
    public enum Scheme: String, Sendable, Hashable, CustomStringConvertible {
        /// `http` is plain, `https` is protected by TLS.
        case http, https

        /// 80 or 443.
        package var defaultPort: Int { self == .http ? 80 : 443 }

        public var description: String { rawValue }
    }

    /// Shared by all copies.
    private let storage: Storage

    private final class Storage: Sendable {
        let origin: Origin
        let absoluteString: String
        /// The hash of the whole URL, computed once: caches and tables of shared tasks use URLs as keys.
        let hash: Int
        let fragment: String?
        /// The offset of the path in the whole URL, in UTF-8 bytes.
        let pathOffset: Int
        /// The length of the path in UTF-8 bytes. Only a query may follow.
        let pathLength: Int
        let shownHost: String?

        init(
            _ origin: Origin, _ absoluteString: String, fragment: String?, pathOffset: Int, pathLength: Int,
            shownHost: String?
        ) {
            self.origin = origin
            self.absoluteString = absoluteString
            self.fragment = fragment
            self.pathOffset = pathOffset
            self.pathLength = pathLength
            hash = absoluteString.hashValue
            self.shownHost = shownHost
        }
    }

    /// The scheme, host and port.
    public var origin: Origin { storage.origin }

    /// The URL as requested: everything but the fragment.
    public var absoluteString: String { storage.absoluteString }

    /// The part after `#`, which is never sent.
    public var fragment: String? { storage.fragment }

    /// Parses and normalizes a URL: lowercase host, no default port, no dot segments, `/` for an empty path.
    ///
    /// Characters outside ASCII in the path, query or fragment are percent-encoded. Throws ``InvalidURL`` for another
    /// scheme, an invalid host or port, credentials, spaces, control characters, backslashes and stray `%`. A name outside
    /// ASCII gets its `xn--` form (UTS 46), and is shown in logs and errors as it was typed. An IPv4 address must be four
    /// decimal numbers. An IPv6 address gets the form of RFC 5952; its zone is the interface to connect over (RFC 9844).
    ///
    /// ```swift
    /// try HTTPURL("HTTPS://Example.COM:443/a/../b").absoluteString       // https://example.com/b
    /// try HTTPURL("https://bücher.example/").host                        // xn--bcher-kva.example
    /// try HTTPURL("http://[fe80::1%eth0]/").host                         // [fe80::1%25eth0]
    /// try HTTPURL("https://user:pass@example.com/")                      // throws: credentials
    /// ```
    ///
    /// - Parameter text: The absolute URL, with its scheme and host.
    public init(_ text: String) throws(InvalidURL) {
        let parts = try URLParts(parsing: text)
        guard let scheme = parts.scheme else { throw InvalidURL("it has no scheme; write https://…") }
        let known = try Self.scheme(named: scheme)
        guard let authority = parts.authority else { throw InvalidURL("it has no host") }
        let (host, port, shownHost) = try Authority.parse(authority, scheme: known)
        self.init(
            origin: Origin(scheme: known, host: host, port: port), path: try parts.normalizedPath(),
            query: parts.query, fragment: parts.fragment, shownHost: shownHost)
    }

    /// Creates a URL from an origin and parts that are valid and normalized.
    package init(
        origin: Origin, path: String, query: String?, fragment: String? = nil, shownHost: String? = nil
    ) {
        let root = origin.description
        self.init(origin, root, upTo: root.utf8.count, pathOffset: root.utf8.count, path, query, fragment, shownHost)
    }

    /// This URL with another path and query, both valid and normalized, and without a fragment.
    package func replacing(path: String, query: String?) -> HTTPURL {
        HTTPURL(
            origin, absoluteString, upTo: storage.pathOffset, pathOffset: storage.pathOffset, path, query, nil,
            storage.shownHost)
    }

    /// This URL with a path appended to its own and another query, both valid and normalized, without a fragment.
    ///
    /// An empty path adds nothing. The base's trailing slashes merge with the leading slash of the path.
    package func appending(path: String, query: String?) -> HTTPURL {
        guard !path.isEmpty else { return replacing(path: self.path, query: query) }
        let rootEnd = absoluteString.withBytes { bytes in
            var end = storage.pathOffset + storage.pathLength
            while end > 0, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
            return end
        }
        return HTTPURL(
            origin, absoluteString, upTo: rootEnd, pathOffset: storage.pathOffset, path, query, nil, storage.shownHost)
    }

    /// - Parameters:
    ///   - root: Starts with the text before the path, and perhaps a part of the path.
    ///   - rootEnd: How much of it is used, in bytes.
    private init(
        _ origin: Origin, _ root: String, upTo rootEnd: Int, pathOffset: Int, _ path: String, _ query: String?,
        _ fragment: String?, _ shownHost: String?
    ) {
        let queryLength = query.map { $0.utf8.count + 1 } ?? 0
        var whole = TextWriter(capacity: rootEnd + 1 + path.utf8.count + queryLength)
        whole.write(root, upTo: rootEnd)
        if path.utf8.first != UInt8(ascii: "/") { whole.write("/") }
        whole.write(path)
        if let query {
            whole.write("?")
            whole.write(query)
        }
        storage = Storage(
            origin, whole.text, fragment: fragment, pathOffset: pathOffset,
            pathLength: whole.count - pathOffset - queryLength, shownHost: shownHost)
    }

    static func scheme(named name: String) throws(InvalidURL) -> Scheme {
        guard let scheme = Scheme(rawValue: name.asciiLowercased) else {
            throw InvalidURL("the scheme must be http or https, not \"\(name)\"")
        }
        return scheme
    }

    /// `http` or `https`.
    public var scheme: Scheme { origin.scheme }

    /// The host in lowercase ASCII; an IPv6 address is in brackets.
    public var host: String { origin.host }

    /// The host as it was typed, if it is a name outside ASCII.
    var shownHost: String? { storage.shownHost }

    /// The origin as people read it.
    var shownOrigin: String {
        let host = shownHost ?? host
        return Origin(scheme: scheme, host: host, port: port).description
    }

    /// The port; the scheme's default if the URL names none.
    public var port: Int { origin.port }

    /// The percent-encoded path; starts with `/`.
    public var path: String { String(absoluteString[pathStart..<pathEnd]) }

    /// The percent-encoded query, without `?`; `nil` if missing.
    public var query: String? {
        guard pathEnd < absoluteString.endIndex else { return nil }
        return String(absoluteString[absoluteString.utf8.index(after: pathEnd)...])
    }

    /// The path and query, as in the request line (RFC 9112 section 3.2.1).
    public var target: Substring { absoluteString[pathStart...] }

    private var pathStart: String.Index {
        absoluteString.utf8.index(absoluteString.startIndex, offsetBy: storage.pathOffset)
    }

    private var pathEnd: String.Index {
        absoluteString.utf8.index(pathStart, offsetBy: storage.pathLength)
    }

    /// The URL as Foundation's type, including the fragment.
    ///
    /// `nil` only if Foundation can't parse it.
    public var url: URL? {
        URL(string: fragment.map { "\(absoluteString)#\($0)" } ?? absoluteString)
    }

    /// Whether both URLs have the same origin, so that credentials may be sent to both.
    ///
    /// Scheme, host and port are compared (RFC 6454 section 5).
    public func isSameOrigin(as other: HTTPURL) -> Bool {
        origin == other.origin
    }
}

extension HTTPURL: Hashable {
    /// Whether two URLs request the same resource. Fragments aren't compared.
    public static func == (left: HTTPURL, right: HTTPURL) -> Bool {
        left.storage === right.storage || left.absoluteString == right.absoluteString
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.hash)
    }
}

extension HTTPURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without its fragment. The query is shown unredacted.
    public var description: String { absoluteString }

    /// The URL without its fragment; values of query items that look like secrets are redacted.
    public var debugDescription: String { RedactedURL(self).description }

    /// The redacted URL, so that reflection shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["url": debugDescription]) }
}

/// A value accepted where a URL is expected: a string, a Foundation `URL`, or an ``HTTPURL``.
///
/// If the text isn't a valid URL, the call that uses it throws `.invalidURL` with the reason.
///
/// A Foundation `URL` is parsed from its `absoluteString`, by the rules of ``HTTPURL/init(_:)``.
///
/// ```swift
/// APIClient(baseURL: "https://api.example.com/v1")            // a string
/// APIClient(baseURL: server.url)                              // an HTTPURL
/// ```
public protocol HTTPURLConvertible: Sendable {
    /// Converts this value to a URL, or throws the reason why it can't.
    func httpURL() throws(InvalidURL) -> HTTPURL
}

extension HTTPURL: HTTPURLConvertible {
    /// The URL itself; never throws.
    public func httpURL() throws(InvalidURL) -> HTTPURL { self }
}

extension String: HTTPURLConvertible {
    /// Parses this text as an absolute URL.
    public func httpURL() throws(InvalidURL) -> HTTPURL { try HTTPURL(self) }
}

extension URL: HTTPURLConvertible {
    /// Parses the URL's absolute form; a relative URL without a base throws.
    public func httpURL() throws(InvalidURL) -> HTTPURL { try HTTPURL(absoluteString) }
}

/// Why a text isn't a URL that can be requested.
///
/// Thrown by ``HTTPURL`` and its methods. Calls of a client report it as `.invalidURL`, with the same reason.
///
/// ```swift
/// do { try HTTPURL(text) } catch { show(error.reason) }
/// ```
public struct InvalidURL: Error, Sendable, Hashable {
    /// What is wrong, in words a developer can act on. May quote the text.
    public let reason: String

    /// - Parameter reason: What is wrong, in words a developer can act on.
    package init(_ reason: String) {
        self.reason = reason
    }
}

extension InvalidURL: CustomStringConvertible, LocalizedError {
    /// The reason, prefixed with `invalid URL`.
    public var description: String { "invalid URL: \(reason)" }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

/// A URL as shown in logs and errors: values of query items that look like secrets are redacted.
package struct RedactedURL: CustomStringConvertible {
    private let url: HTTPURL
    private let extraNames: Set<String>

    /// - Parameter extraNames: More item names to redact, in lowercase.
    package init(_ url: HTTPURL, extraNames: Set<String> = []) {
        self.url = url
        self.extraNames = extraNames
    }

    /// The URL with secrets redacted.
    package var description: String {
        let path = url.path
        let shownPath = RedactedText.references(path, extraNames: extraNames)
        let query = url.query
        let shownQuery = query.map { RedactedText.form($0, extraNames: extraNames) }
        if shownPath == path, shownQuery == query, url.shownHost == nil { return url.absoluteString }
        return "\(url.shownOrigin)\(shownPath)\(shownQuery.map { "?\($0)" } ?? "")"
    }
}
