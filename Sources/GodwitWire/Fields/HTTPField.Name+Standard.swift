// Field names of RFC 9110, 9111, 6265 and related standards.
extension HTTPField.Name {
    /// The media types the client accepts (RFC 9110 section 12.5.1).
    public static let accept = Self(unchecked: "Accept")
    /// The character encodings the client accepts; deprecated (RFC 9110 section 12.5.2).
    public static let acceptCharset = Self(unchecked: "Accept-Charset")
    /// The content codings the client accepts (RFC 9110 section 12.5.3).
    public static let acceptEncoding = Self(unchecked: "Accept-Encoding")
    /// The languages the client prefers (RFC 9110 section 12.5.4).
    public static let acceptLanguage = Self(unchecked: "Accept-Language")
    /// Whether the resource supports range requests (RFC 9110 section 14.3).
    public static let acceptRanges = Self(unchecked: "Accept-Ranges")
    /// Seconds since a cached response was generated or revalidated (RFC 9111 section 5.1).
    public static let age = Self(unchecked: "Age")
    /// The methods the resource supports (RFC 9110 section 10.2.1).
    public static let allow = Self(unchecked: "Allow")
    /// Other ways to reach the origin, such as HTTP/3 (RFC 7838 section 3).
    public static let altSvc = Self(unchecked: "Alt-Svc")
    /// Information that follows accepted credentials, such as Digest's next nonce (RFC 9110 section 11.6.3).
    public static let authenticationInfo = Self(unchecked: "Authentication-Info")
    /// Credentials for the server; sensitive (RFC 9110 section 11.6.2).
    public static let authorization = Self(unchecked: "Authorization")
    /// The digest of the compression dictionary that the client has (RFC 9842 section 2.2).
    public static let availableDictionary = Self(unchecked: "Available-Dictionary")
    /// Directives for caches (RFC 9111 section 5.2).
    public static let cacheControl = Self(unchecked: "Cache-Control")
    /// How caches on the way handled the request, parsed by ``HTTPFields/cacheStatus`` (RFC 9211).
    public static let cacheStatus = Self(unchecked: "Cache-Status")
    /// Options for this connection only; the transport writes it (RFC 9110 section 7.6.1).
    public static let connection = Self(unchecked: "Connection")
    /// How to present content and its file name (RFC 6266); a form part's name (RFC 7578 section 4.2).
    public static let contentDisposition = Self(unchecked: "Content-Disposition")
    /// Digests of the content as it is sent (RFC 9530 section 2).
    public static let contentDigest = Self(unchecked: "Content-Digest")
    /// The codings applied to the content (RFC 9110 section 8.4).
    public static let contentEncoding = Self(unchecked: "Content-Encoding")
    /// The languages of the content's audience (RFC 9110 section 8.5).
    public static let contentLanguage = Self(unchecked: "Content-Language")
    /// The length of the content in bytes; the transport writes it (RFC 9110 section 8.6).
    public static let contentLength = Self(unchecked: "Content-Length")
    /// A URL of the resource that the content represents (RFC 9110 section 8.7).
    public static let contentLocation = Self(unchecked: "Content-Location")
    /// Which bytes of the whole a partial response contains (RFC 9110 section 14.4).
    public static let contentRange = Self(unchecked: "Content-Range")
    /// The media type of the content (RFC 9110 section 8.3).
    public static let contentType = Self(unchecked: "Content-Type")
    /// The cookies a client sends; sensitive (RFC 6265 section 4.2).
    public static let cookie = Self(unchecked: "Cookie")
    /// When the message originated (RFC 9110 section 6.6.1).
    public static let date = Self(unchecked: "Date")
    /// The server's name for the compression dictionary that a client has (RFC 9842 section 2.3).
    public static let dictionaryID = Self(unchecked: "Dictionary-ID")
    /// A validator of the selected representation (RFC 9110 section 8.8.3).
    public static let etag = Self(unchecked: "ETag")
    /// A behavior the server must support, `100-continue` (RFC 9110 section 10.1.1).
    public static let expect = Self(unchecked: "Expect")
    /// When a cached response becomes stale (RFC 9111 section 5.3).
    public static let expires = Self(unchecked: "Expires")
    /// The host and port of the request; the transport writes it (RFC 9110 section 7.2).
    public static let host = Self(unchecked: "Host")
    /// A key that identifies repetitions of a request (draft-ietf-httpapi-idempotency-key-header).
    public static let idempotencyKey = Self(unchecked: "Idempotency-Key")
    /// Act only if the entity tag matches one of these (RFC 9110 section 13.1.1).
    public static let ifMatch = Self(unchecked: "If-Match")
    /// Send the content only if it changed since a date (RFC 9110 section 13.1.3).
    public static let ifModifiedSince = Self(unchecked: "If-Modified-Since")
    /// Act only if the entity tag matches none of these (RFC 9110 section 13.1.2).
    public static let ifNoneMatch = Self(unchecked: "If-None-Match")
    /// Send the range only if the resource is unchanged, otherwise all of it (RFC 9110 section 13.1.5).
    public static let ifRange = Self(unchecked: "If-Range")
    /// Act only if nothing changed since a date (RFC 9110 section 13.1.4).
    public static let ifUnmodifiedSince = Self(unchecked: "If-Unmodified-Since")
    /// Limits of a persistent connection; the transport writes it (RFC 2068 section 19.7.1).
    public static let keepAlive = Self(unchecked: "Keep-Alive")
    /// The last event a client received, sent when reconnecting (WHATWG HTML, server-sent events).
    public static let lastEventID = Self(unchecked: "Last-Event-ID")
    /// When the resource last changed (RFC 9110 section 8.8.2).
    public static let lastModified = Self(unchecked: "Last-Modified")
    /// Links to other resources, parsed by ``HTTPFields/links`` (RFC 8288 section 3).
    public static let link = Self(unchecked: "Link")
    /// The redirect target, or the URL of the created resource (RFC 9110 section 10.2.2).
    public static let location = Self(unchecked: "Location")
    /// The parts of the query that don't affect the response (draft-ietf-httpbis-no-vary-search).
    public static let noVarySearch = Self(unchecked: "No-Vary-Search")
    /// The origin that caused the request (RFC 6454 section 7).
    public static let origin = Self(unchecked: "Origin")
    /// Directives for HTTP/1.0 caches; deprecated (RFC 9111 section 5.4).
    public static let pragma = Self(unchecked: "Pragma")
    /// The urgency of the request among others (RFC 9218 section 5).
    public static let priority = Self(unchecked: "Priority")
    /// How the client must authenticate with a proxy (RFC 9110 section 11.7.1).
    public static let proxyAuthenticate = Self(unchecked: "Proxy-Authenticate")
    /// Credentials for a proxy; sensitive (RFC 9110 section 11.7.2).
    public static let proxyAuthorization = Self(unchecked: "Proxy-Authorization")
    /// A nonstandard leftover that must not be sent (RFC 9112 appendix C.2.2).
    public static let proxyConnection = Self(unchecked: "Proxy-Connection")
    /// The requested part of a resource (RFC 9110 section 14.2).
    public static let range = Self(unchecked: "Range")
    /// The page a request comes from (RFC 9110 section 10.1.3).
    public static let referer = Self(unchecked: "Referer")
    /// Digests of the whole representation (RFC 9530 section 3).
    public static let reprDigest = Self(unchecked: "Repr-Digest")
    /// `X-Request-ID`, which correlates client and server logs; no standard defines it.
    public static let requestID = Self(unchecked: "X-Request-ID")
    /// Seconds to wait before retrying, or a date (RFC 9110 section 10.2.3).
    public static let retryAfter = Self(unchecked: "Retry-After")
    /// The software of the server (RFC 9110 section 10.2.4).
    public static let server = Self(unchecked: "Server")
    /// A cookie for the client to store; sensitive, never joined with commas (RFC 6265 section 4.1).
    public static let setCookie = Self(unchecked: "Set-Cookie")
    /// Signatures of the message; sensitive (RFC 9421 section 4.2).
    public static let signature = Self(unchecked: "Signature")
    /// What the signatures of the message cover (RFC 9421 section 4.1).
    public static let signatureInput = Self(unchecked: "Signature-Input")
    /// Whether the host demands HTTPS, and for how long (RFC 6797 section 6.1).
    public static let strictTransportSecurity = Self(unchecked: "Strict-Transport-Security")
    /// The transfer codings and trailers a client accepts; the transport writes it (RFC 9110 section 10.1.4).
    public static let te = Self(unchecked: "TE")
    /// The names of the trailer fields; the transport writes it (RFC 9110 section 6.6.2).
    public static let trailer = Self(unchecked: "Trailer")
    /// How HTTP/1.1 frames the content; the transport writes it (RFC 9112 section 6.1).
    public static let transferEncoding = Self(unchecked: "Transfer-Encoding")
    /// The protocols to switch to; the transport writes it (RFC 9110 section 7.8).
    public static let upgrade = Self(unchecked: "Upgrade")
    /// Which requests the response is a compression dictionary for (RFC 9842 section 2.1).
    public static let useAsDictionary = Self(unchecked: "Use-As-Dictionary")
    /// The software of the client (RFC 9110 section 10.1.5).
    public static let userAgent = Self(unchecked: "User-Agent")
    /// The request fields that selected the response (RFC 9110 section 12.5.5).
    public static let vary = Self(unchecked: "Vary")
    /// The proxies and gateways along the way (RFC 9110 section 7.6.3).
    public static let via = Self(unchecked: "Via")
    /// How the client must authenticate with the server (RFC 9110 section 11.6.1).
    public static let wwwAuthenticate = Self(unchecked: "WWW-Authenticate")
}

extension HTTPField.Name {
    /// Whether values under this name are secrets: logs, errors and recordings redact them, a redirect to another origin
    /// drops them, and files of transfers don't contain them.
    ///
    /// True for `Authorization`, `Cookie` and similar names, and for all that look like names of keys, tokens and sessions.
    /// To redact more fields in a log, add them to `LogOptions.redactedFields`.
    public var isSensitive: Bool {
        // Logs and recordings ask for each field, and to take a name apart takes long.
        Self.harmlessFields.contains(self) ? false : looksSensitive
    }

    /// The rule decides which of these frequent names are harmless.
    private static let harmlessFields: Set<Self> = Set(
        [
            .accept, .acceptEncoding, .acceptLanguage, .acceptRanges, .age, .cacheControl, .connection,
            .contentEncoding,
            .contentLength, .contentType, .date, .etag, .expires, .host, .lastModified, .location, .server,
            .transferEncoding, .userAgent, .vary, "X-Request-ID", "traceparent", .strictTransportSecurity,
        ].filter { !$0.looksSensitive })

    private var looksSensitive: Bool {
        if self == .authorization || self == .cookie || Self.infoFields.contains(self) { return true }
        let name = canonicalName
        // CORS fields mention credentials but don't contain any.
        if name == "refresh" || name.hasPrefix("access-control-") { return false }
        return SecretName.isSecretField(rawName)
    }

    private static let infoFields: Set<Self> = [.authenticationInfo, "Proxy-Authentication-Info"]

    /// Whether only the transport may write this field: it frames the message or describes its connection (RFC 9110
    /// section 7.6.1), or is the expectation that `RequestOptions.expectContinue` requests.
    ///
    /// A request with such a field throws `.invalidRequest` before anything is sent.
    public var isReservedForTransport: Bool {
        let length = rawName.utf8.count
        return Self.reserved.contains { $0.rawName.utf8.count == length && $0 == self }
    }

    private static let reserved: [Self] = [
        .contentLength, .transferEncoding, .host, .connection, .keepAlive, .proxyConnection, .upgrade, .te, .trailer,
        .expect,
    ]
}

extension HTTPField.Name {
    /// Whether HTTP/2 and HTTP/3 have no such field, as it is about a connection of HTTP/1 (RFC 9113 section 8.2.2, RFC 9114
    /// section 4.2). `TE` may be there, with one value.
    package var isOfHTTP1Connection: Bool { Self.ofHTTP1Connection.contains(self) }

    private static let ofHTTP1Connection: [Self] = [
        .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade,
    ]

    /// Whether the field may follow a body: it doesn't frame, route, modify or authenticate the message, and doesn't say how to read its
    /// body (RFC 9110 section 6.5.1). Digests may (RFC 9530 section 2).
    package var isAllowedInTrailers: Bool {
        let name = canonicalName
        if name.hasPrefix("content-") { return name == "content-digest" || name == "content-md5" }
        if name.hasPrefix("if-") { return false }
        return !isReservedForTransport && !Self.barredFromTrailers.contains(self)
    }

    private static let barredFromTrailers: Set<Self> = [
        .authorization, "Proxy-Authorization", .wwwAuthenticate, "Proxy-Authenticate", .cookie, .setCookie,
        .cacheControl, "Pragma",
        .range, "Max-Forwards", .age, .expires, .date, .location, .retryAfter, .vary, "Warning",
    ]
}
