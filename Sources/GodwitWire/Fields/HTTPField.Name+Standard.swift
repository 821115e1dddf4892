// The field names of RFC 9110, 9111, 6265 and their neighbours that clients meet.
extension HTTPField.Name {
    public static let accept = Self(unchecked: "Accept")
    public static let acceptCharset = Self(unchecked: "Accept-Charset")
    public static let acceptEncoding = Self(unchecked: "Accept-Encoding")
    public static let acceptLanguage = Self(unchecked: "Accept-Language")
    public static let acceptRanges = Self(unchecked: "Accept-Ranges")
    public static let age = Self(unchecked: "Age")
    public static let allow = Self(unchecked: "Allow")
    public static let authorization = Self(unchecked: "Authorization")
    public static let cacheControl = Self(unchecked: "Cache-Control")
    public static let connection = Self(unchecked: "Connection")
    public static let contentDisposition = Self(unchecked: "Content-Disposition")
    public static let contentEncoding = Self(unchecked: "Content-Encoding")
    public static let contentLanguage = Self(unchecked: "Content-Language")
    public static let contentLength = Self(unchecked: "Content-Length")
    public static let contentLocation = Self(unchecked: "Content-Location")
    public static let contentRange = Self(unchecked: "Content-Range")
    public static let contentType = Self(unchecked: "Content-Type")
    public static let cookie = Self(unchecked: "Cookie")
    public static let date = Self(unchecked: "Date")
    public static let etag = Self(unchecked: "ETag")
    public static let expect = Self(unchecked: "Expect")
    public static let expires = Self(unchecked: "Expires")
    public static let host = Self(unchecked: "Host")
    public static let idempotencyKey = Self(unchecked: "Idempotency-Key")
    public static let ifMatch = Self(unchecked: "If-Match")
    public static let ifModifiedSince = Self(unchecked: "If-Modified-Since")
    public static let ifNoneMatch = Self(unchecked: "If-None-Match")
    public static let ifRange = Self(unchecked: "If-Range")
    public static let ifUnmodifiedSince = Self(unchecked: "If-Unmodified-Since")
    public static let keepAlive = Self(unchecked: "Keep-Alive")
    public static let lastEventID = Self(unchecked: "Last-Event-ID")
    public static let lastModified = Self(unchecked: "Last-Modified")
    public static let link = Self(unchecked: "Link")
    public static let location = Self(unchecked: "Location")
    public static let origin = Self(unchecked: "Origin")
    public static let pragma = Self(unchecked: "Pragma")
    public static let proxyAuthenticate = Self(unchecked: "Proxy-Authenticate")
    public static let proxyAuthorization = Self(unchecked: "Proxy-Authorization")
    public static let proxyConnection = Self(unchecked: "Proxy-Connection")
    public static let range = Self(unchecked: "Range")
    public static let referer = Self(unchecked: "Referer")
    public static let requestID = Self(unchecked: "X-Request-ID")
    public static let retryAfter = Self(unchecked: "Retry-After")
    public static let server = Self(unchecked: "Server")
    public static let setCookie = Self(unchecked: "Set-Cookie")
    public static let te = Self(unchecked: "TE")
    public static let trailer = Self(unchecked: "Trailer")
    public static let transferEncoding = Self(unchecked: "Transfer-Encoding")
    public static let upgrade = Self(unchecked: "Upgrade")
    public static let userAgent = Self(unchecked: "User-Agent")
    public static let vary = Self(unchecked: "Vary")
    public static let via = Self(unchecked: "Via")
    public static let wwwAuthenticate = Self(unchecked: "WWW-Authenticate")
}

extension HTTPField.Name {
    /// Whether values under this name are secrets that logs, errors and descriptions leave out.
    public var isSensitive: Bool {
        Self.sensitive.contains(self)
    }

    private static let sensitive: Set<Self> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie, "Authentication-Info", "API-Key", "DPoP",
        "Ocp-Apim-Subscription-Key", "Private-Token", "Proxy-Authentication-Info", "X-Access-Token",
        "X-Amz-Security-Token", "X-API-Key", "X-API-Token", "X-Auth-Key", "X-Auth-Token", "X-CSRF-Token",
        "X-Goog-Api-Key", "X-Vault-Token", "X-XSRF-Token",
    ]

    /// Names that the transport alone writes: they frame the message or name its connection (RFC 9110 section 7.6.1).
    public var isReservedForTransport: Bool {
        Self.reserved.contains(self)
    }

    private static let reserved: [Self] = [
        .contentLength, .transferEncoding, .host, .connection, .keepAlive, .proxyConnection, .upgrade, .te, .trailer,
    ]
}
