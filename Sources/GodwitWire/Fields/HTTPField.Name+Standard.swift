// The field names of RFC 9110, 9111, 6265 and their neighbours that clients meet.
extension HTTPField.Name {
    /// The media types the client takes (RFC 9110 section 12.5.1).
    public static let accept = Self(unchecked: "Accept")
    /// The character encodings the client takes; deprecated (RFC 9110 section 12.5.2).
    public static let acceptCharset = Self(unchecked: "Accept-Charset")
    /// The content codings the client takes (RFC 9110 section 12.5.3).
    public static let acceptEncoding = Self(unchecked: "Accept-Encoding")
    /// The languages the client prefers (RFC 9110 section 12.5.4).
    public static let acceptLanguage = Self(unchecked: "Accept-Language")
    /// Whether the resource takes range requests (RFC 9110 section 14.3).
    public static let acceptRanges = Self(unchecked: "Accept-Ranges")
    /// Seconds since a cached response was made or revalidated (RFC 9111 section 5.1).
    public static let age = Self(unchecked: "Age")
    /// The methods the resource supports (RFC 9110 section 10.2.1).
    public static let allow = Self(unchecked: "Allow")
    /// What the server adds to credentials it accepted, such as Digest's next nonce (RFC 9110 section 11.6.3).
    public static let authenticationInfo = Self(unchecked: "Authentication-Info")
    /// Credentials for the server; sensitive (RFC 9110 section 11.6.2).
    public static let authorization = Self(unchecked: "Authorization")
    /// Directives for caches (RFC 9111 section 5.2).
    public static let cacheControl = Self(unchecked: "Cache-Control")
    /// Options for this connection only; the transport writes it (RFC 9110 section 7.6.1).
    public static let connection = Self(unchecked: "Connection")
    /// How to present content and under what file name (RFC 6266); a form part's name (RFC 7578 section 4.2).
    public static let contentDisposition = Self(unchecked: "Content-Disposition")
    /// The codings applied to the content (RFC 9110 section 8.4).
    public static let contentEncoding = Self(unchecked: "Content-Encoding")
    /// The languages the content is meant for (RFC 9110 section 8.5).
    public static let contentLanguage = Self(unchecked: "Content-Language")
    /// The length of the content in bytes; the transport writes it (RFC 9110 section 8.6).
    public static let contentLength = Self(unchecked: "Content-Length")
    /// A URL for what the content shows (RFC 9110 section 8.7).
    public static let contentLocation = Self(unchecked: "Content-Location")
    /// Which bytes of the whole a partial response holds (RFC 9110 section 14.4).
    public static let contentRange = Self(unchecked: "Content-Range")
    /// The media type of the content (RFC 9110 section 8.3).
    public static let contentType = Self(unchecked: "Content-Type")
    /// The cookies a client sends; sensitive (RFC 6265 section 4.2).
    public static let cookie = Self(unchecked: "Cookie")
    /// When the message was made (RFC 9110 section 6.6.1).
    public static let date = Self(unchecked: "Date")
    /// A validator of the selected version (RFC 9110 section 8.8.3).
    public static let etag = Self(unchecked: "ETag")
    /// What the client wants before it sends content, `100-continue` (RFC 9110 section 10.1.1).
    public static let expect = Self(unchecked: "Expect")
    /// When a cached response becomes stale (RFC 9111 section 5.3).
    public static let expires = Self(unchecked: "Expires")
    /// The host and port of the request; the transport writes it (RFC 9110 section 7.2).
    public static let host = Self(unchecked: "Host")
    /// A key by which a server knows a repeated request (draft-ietf-httpapi-idempotency-key-header).
    public static let idempotencyKey = Self(unchecked: "Idempotency-Key")
    /// Act only where the entity tag is one of these (RFC 9110 section 13.1.1).
    public static let ifMatch = Self(unchecked: "If-Match")
    /// Send only what changed since a date (RFC 9110 section 13.1.3).
    public static let ifModifiedSince = Self(unchecked: "If-Modified-Since")
    /// Act only where the entity tag is none of these (RFC 9110 section 13.1.2).
    public static let ifNoneMatch = Self(unchecked: "If-None-Match")
    /// Send the range only where the resource is unchanged, else all of it (RFC 9110 section 13.1.5).
    public static let ifRange = Self(unchecked: "If-Range")
    /// Act only where nothing changed since a date (RFC 9110 section 13.1.4).
    public static let ifUnmodifiedSince = Self(unchecked: "If-Unmodified-Since")
    /// Limits of a kept connection; the transport's business (RFC 2068 section 19.7.1).
    public static let keepAlive = Self(unchecked: "Keep-Alive")
    /// The last event a client saw, sent on reconnecting (WHATWG HTML, server-sent events).
    public static let lastEventID = Self(unchecked: "Last-Event-ID")
    /// When the resource last changed (RFC 9110 section 8.8.2).
    public static let lastModified = Self(unchecked: "Last-Modified")
    /// Links to other resources, read with ``HTTPFields/links`` (RFC 8288 section 3).
    public static let link = Self(unchecked: "Link")
    /// Where to go next, or what was created (RFC 9110 section 10.2.2).
    public static let location = Self(unchecked: "Location")
    /// The origin that causes a request (RFC 6454 section 7).
    public static let origin = Self(unchecked: "Origin")
    /// Directives for HTTP/1.0 caches; deprecated (RFC 9111 section 5.4).
    public static let pragma = Self(unchecked: "Pragma")
    /// How a proxy wants the client to authenticate (RFC 9110 section 11.7.1).
    public static let proxyAuthenticate = Self(unchecked: "Proxy-Authenticate")
    /// Credentials for a proxy; sensitive (RFC 9110 section 11.7.2).
    public static let proxyAuthorization = Self(unchecked: "Proxy-Authorization")
    /// A leftover that is never to be sent (RFC 9112 appendix C.2.2).
    public static let proxyConnection = Self(unchecked: "Proxy-Connection")
    /// The part of a resource that is asked for (RFC 9110 section 14.2).
    public static let range = Self(unchecked: "Range")
    /// The page a request comes from (RFC 9110 section 10.1.3).
    public static let referer = Self(unchecked: "Referer")
    /// Digests of the whole representation (RFC 9530 section 3).
    public static let reprDigest = Self(unchecked: "Repr-Digest")
    /// `X-Request-ID`, by which logs of client and server are joined; no standard defines it.
    public static let requestID = Self(unchecked: "X-Request-ID")
    /// Seconds to wait, or a date, before trying again (RFC 9110 section 10.2.3).
    public static let retryAfter = Self(unchecked: "Retry-After")
    /// The software of the server (RFC 9110 section 10.2.4).
    public static let server = Self(unchecked: "Server")
    /// A cookie for the client to keep; sensitive, and never joined with commas (RFC 6265 section 4.1).
    public static let setCookie = Self(unchecked: "Set-Cookie")
    /// The transfer codings and trailers a client takes; the transport writes it (RFC 9110 section 10.1.4).
    public static let te = Self(unchecked: "TE")
    /// The names of fields behind the content; the transport writes it (RFC 9110 section 6.6.2).
    public static let trailer = Self(unchecked: "Trailer")
    /// How HTTP/1.1 frames the content; the transport writes it (RFC 9112 section 6.1).
    public static let transferEncoding = Self(unchecked: "Transfer-Encoding")
    /// The protocols to switch to; the transport writes it (RFC 9110 section 7.8).
    public static let upgrade = Self(unchecked: "Upgrade")
    /// The software of the client (RFC 9110 section 10.1.5).
    public static let userAgent = Self(unchecked: "User-Agent")
    /// The request fields that chose the response (RFC 9110 section 12.5.5).
    public static let vary = Self(unchecked: "Vary")
    /// The proxies and gateways on the way (RFC 9110 section 7.6.3).
    public static let via = Self(unchecked: "Via")
    /// How a server wants the client to authenticate (RFC 9110 section 11.6.1).
    public static let wwwAuthenticate = Self(unchecked: "WWW-Authenticate")
}

extension HTTPField.Name {
    /// Whether values under this name are secrets that logs, errors and descriptions leave out.
    ///
    /// True for `Authorization`, `Cookie` and their like, and for common names of API keys and tokens. To hide further
    /// fields in a log, add them to `LogOptions.redactedFields`.
    public var isSensitive: Bool {
        Self.sensitive.contains(self)
    }

    private static let sensitive: Set<Self> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie, "Authentication-Info", "API-Key", "DPoP",
        "Ocp-Apim-Subscription-Key", "Private-Token", "Proxy-Authentication-Info", "X-Access-Token",
        "X-Amz-Security-Token", "X-API-Key", "X-API-Token", "X-Auth-Key", "X-Auth-Token", "X-CSRF-Token",
        "X-Goog-Api-Key", "X-Vault-Token", "X-XSRF-Token",
    ]

    /// Whether logs, descriptions and recordings leave the value out: it is sensitive, or its name looks like a secret's.
    ///
    /// Wider than ``isSensitive``, which also decides what a redirect leaves behind.
    package var hidesValue: Bool {
        if isSensitive { return true }
        // The fields of CORS speak of credentials, and hold none.
        return !description.asciiLowercased.hasPrefix("access-control-") && SecretName.isSecret(description)
    }

    /// Whether values under this name are URLs, whose queries and fragments may hold secrets.
    package var holdsURLs: Bool {
        Self.urlFields.contains(self)
    }

    private static let urlFields: [Self] = [.location, .contentLocation, .referer, .link, "Refresh"]

    /// Names that the transport alone writes: they frame the message or name its connection (RFC 9110 section 7.6.1), or are
    /// the expectation that `RequestOptions.expectContinue` asks for.
    ///
    /// A request with one of them throws `.invalidRequest` before anything is sent.
    public var isReservedForTransport: Bool {
        let length = rawName.utf8.count
        return Self.reserved.contains { $0.rawName.utf8.count == length && $0 == self }
    }

    private static let reserved: [Self] = [
        .contentLength, .transferEncoding, .host, .connection, .keepAlive, .proxyConnection, .upgrade, .te, .trailer,
        .expect,
    ]
}
