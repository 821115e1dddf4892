/// An absolute `http` or `https` URL that is known to be well formed.
///
/// Holding one means: the scheme is HTTP, the host is legal and in lower case, the path starts with `/` and has no dot
/// segments, nothing needs encoding any more, and there are no credentials in it. What is logged is what is requested.
///
/// ```swift
/// let url = try HTTPURL("https://api.example.com/v1")
/// url.origin                      // https://api.example.com
/// ```
///
/// A copy shares its storage and costs one reference count.
public struct HTTPURL: Sendable, Nonisolated {
    /// The scheme of an ``HTTPURL``.
    public enum Scheme: String, Sendable, Hashable, CustomStringConvertible {
        /// Without and with TLS.
        case http, https

        /// 80 or 443.
        public var defaultPort: Int { self == .http ? 80 : 443 }

        public var description: String { rawValue }
    }

    private let box: Box<Parts>

    private struct Parts: Sendable {
        let origin: Origin
        let absoluteString: String
        /// Of the whole, found once: a URL is the key of what is cached, shared and under way.
        let hash: Int
        let fragment: String?
        /// Where the path begins in the whole, in UTF-8 bytes.
        let pathOffset: Int
        /// How long the path is, in UTF-8 bytes; a query stands behind it, or nothing.
        let pathLength: Int
    }

    /// The scheme, host and port.
    public var origin: Origin { box.value.origin }

    /// The URL as it is requested: everything but the fragment.
    public var absoluteString: String { box.value.absoluteString }

    /// The part behind `#`, which is never sent.
    public var fragment: String? { box.value.fragment }

    /// Parses a URL and normalises it: lower-case host, no default port, no dot segments, an empty path as `/`.
    ///
    /// Characters outside ASCII in the path, query or fragment are percent-encoded. Throws ``InvalidURL`` for another
    /// scheme, an illegal host or port, credentials, spaces, control characters, backslashes and stray `%`. A host
    /// outside ASCII has to be written in its `xn--` form, an IPv4 address as four decimal numbers; an IPv6 address
    /// takes the form of RFC 5952 and cannot name a zone.
    ///
    /// ```swift
    /// try HTTPURL("HTTPS://Example.COM:443/a/../b").absoluteString       // https://example.com/b
    /// try HTTPURL("https://user:pass@example.com/")                      // throws: credentials
    /// ```
    ///
    /// - Parameter text: The URL, whole: with its scheme and host.
    public init(_ text: String) throws(InvalidURL) {
        let parts = try URLParts(parsing: text)
        guard let scheme = parts.scheme else { throw InvalidURL("it has no scheme; write https://…") }
        let known = try Self.scheme(named: scheme)
        guard let authority = parts.authority else { throw InvalidURL("it has no host") }
        let (host, port) = try Authority.parse(authority, scheme: known)
        self.init(
            origin: Origin(scheme: known, host: host, port: port), path: try parts.normalisedPath(),
            query: parts.query, fragment: parts.fragment)
    }

    /// Makes a URL of an origin and parts that are valid and normalised already.
    package init(origin: Origin, path: String, query: String?, fragment: String? = nil) {
        let root = origin.description
        self.init(origin, root.utf8[...], pathOffset: root.utf8.count, path, query, fragment)
    }

    /// This URL with another path and query, valid and normalised already, and without a fragment.
    package func replacing(path: String, query: String?) -> HTTPURL {
        HTTPURL(
            origin, absoluteString.utf8[..<pathStart], pathOffset: box.value.pathOffset, path, query, nil)
    }

    /// This URL with a path below its own, with another query, both valid and normalised already, and without a fragment.
    ///
    /// An empty path adds nothing. Slashes at the end of its own path are one with that at the beginning of the other.
    package func appending(path: String, query: String?) -> HTTPURL {
        guard !path.isEmpty else { return replacing(path: self.path, query: query) }
        var root = absoluteString.utf8[..<pathEnd]
        while root.last == UInt8(ascii: "/") { root.removeLast() }
        return HTTPURL(origin, root, pathOffset: box.value.pathOffset, path, query, nil)
    }

    /// - Parameter root: What stands before the path, and may be a part of it.
    private init(
        _ origin: Origin, _ root: Substring.UTF8View, pathOffset: Int, _ path: String, _ query: String?,
        _ fragment: String?
    ) {
        let whole = Self.joined(root, path.utf8[...], query.map { $0.utf8[...] })
        let queryLength = query.map { $0.utf8.count + 1 } ?? 0
        box = Box(
            Parts(
                origin: origin, absoluteString: whole, hash: whole.hashValue, fragment: fragment,
                pathOffset: pathOffset, pathLength: whole.utf8.count - pathOffset - queryLength))
    }

    /// Written in one go: appending string to string costs as much as all else that makes a URL of an endpoint.
    private static func joined(
        _ root: Substring.UTF8View, _ path: Substring.UTF8View, _ query: Substring.UTF8View?
    ) -> String {
        let slash = UInt8(ascii: "/")
        let count = root.count + 1 + path.count + (query.map { $0.count + 1 } ?? 0)
        return String(unsafeUninitializedCapacity: count) { whole in
            var end = whole.update(fromContentsOf: root)
            if path.first != slash {
                whole[end] = slash
                end += 1
            }
            end = whole[end...].update(fromContentsOf: path)
            if let query {
                whole[end] = UInt8(ascii: "?")
                end = whole[(end + 1)...].update(fromContentsOf: query)
            }
            return end
        }
    }

    static func scheme(named name: String) throws(InvalidURL) -> Scheme {
        guard let scheme = Scheme(rawValue: name.asciiLowercased) else {
            throw InvalidURL("the scheme must be http or https, not \"\(name)\"")
        }
        return scheme
    }

    /// The scheme.
    public var scheme: Scheme { origin.scheme }

    /// The host in lower case; an IPv6 address stands in brackets.
    public var host: String { origin.host }

    /// The port, the scheme's default where the URL names none.
    public var port: Int { origin.port }

    /// The percent-encoded path; starts with `/`.
    public var path: String { String(absoluteString[pathStart..<pathEnd]) }

    /// The percent-encoded query, without `?`; nil where there is none.
    public var query: String? {
        guard pathEnd < absoluteString.endIndex else { return nil }
        return String(absoluteString[absoluteString.utf8.index(after: pathEnd)...])
    }

    /// The path and query: what stands in the request line (RFC 9112 section 3.2.1).
    public var target: Substring { absoluteString[pathStart...] }

    private var pathStart: String.Index {
        absoluteString.utf8.index(absoluteString.startIndex, offsetBy: box.value.pathOffset)
    }

    private var pathEnd: String.Index {
        absoluteString.utf8.index(pathStart, offsetBy: box.value.pathLength)
    }

    /// The URL as Foundation's type; nil only where Foundation reads the grammar differently.
    ///
    /// The fragment is part of it.
    public var url: URL? {
        URL(string: fragment.map { "\(absoluteString)#\($0)" } ?? absoluteString)
    }

    /// Whether two URLs belong to the same origin, so that credentials may go to both.
    ///
    /// Scheme, host and port are compared (RFC 6454 section 5).
    ///
    /// - Parameter other: The URL to compare with.
    public func isSameOrigin(as other: HTTPURL) -> Bool {
        origin == other.origin
    }
}

extension HTTPURL: Hashable {
    /// Whether two URLs request the same thing; fragments are not compared.
    public static func == (left: HTTPURL, right: HTTPURL) -> Bool {
        left.box.isCopy(of: right.box) || left.absoluteString == right.absoluteString
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(box.value.hash)
    }
}

extension HTTPURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without its fragment. The query is shown as it is, secrets included.
    public var description: String { absoluteString }

    /// The URL without its fragment, and without values of query items that look like secrets.
    public var debugDescription: String { RedactedURL(self).description }

    /// The same: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: ["url": debugDescription]) }
}
