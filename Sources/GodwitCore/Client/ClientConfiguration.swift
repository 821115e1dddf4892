import GodwitSupport

/// The settings of an ``APIClient``. A client copies them when it is created; later changes have no effect.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") {
///     $0.defaultFields[.acceptLanguage] = "de"
///     $0.timeouts.inactivity = .seconds(20)
///     $0.json = JSONCoding(keys: .snakeCase)
///     $0.middleware.append(Tracing())
/// }
/// ```
public struct ClientConfiguration: Sendable, Nonisolated {
    /// Header fields for every request. A request's own field of the same name takes precedence.
    ///
    /// Empty by default. A `User-Agent` here takes precedence over ``userAgent``.
    public var defaultFields: HTTPFields = [:]

    /// The value of `User-Agent`. ``defaultUserAgent`` by default; `nil` sends none.
    public var userAgent: String? = ClientConfiguration.defaultUserAgent

    /// How `X-Request-ID` is generated. ``RequestIDs/automatic`` by default. A request's own `X-Request-ID` is kept.
    public var requestIDs = RequestIDs.automatic

    /// The initial options of every endpoint: limits, policies and hooks. An endpoint can change them.
    public var options = RequestOptions()

    /// Maximum bytes of a response body held in memory; a larger body throws `.tooLarge`. 64 MiB by default.
    ///
    /// A limit for decoded bytes in ``RequestOptions/responseLimit`` takes precedence.
    public var bufferLimit = 64 << 20

    /// How values are encoded as JSON and decoded from it.
    public var json = JSONCoding()

    /// What is logged, and where. Off by default.
    public var logging = LogOptions()

    /// Decoders for error response bodies, tried before ``ErrorBody/problemDetails``. The first that succeeds is used.
    public var errorBodies: [ErrorBody] = []

    /// How requests are authenticated. `nil` (the default) sends no credentials.
    public var authentication: ClientAuthentication?

    /// When calls are retried: up to three attempts by default, with increasing pauses.
    ///
    /// Only calls that are safe to repeat are retried; see ``Retry``.
    public var retry = RetryOptions()

    /// Where cookies are stored. ``CookieSetting/memory`` by default.
    public var cookies = CookieSetting.memory

    /// The domains that no site can set cookies for, such as `co.uk`.
    ///
    /// ``ExactHosts`` by default; the system's list if the client creates its own engine on Linux. Applies to
    /// ``CookieSetting/memory``: a jar that you pass has its own.
    public var publicSuffixes: any PublicSuffixes = ExactHosts()

    /// Where responses are stored for reuse (RFC 9111). ``CacheSetting/off`` by default.
    public var cache = CacheSetting.off

    /// Whether stored responses are offered to servers as compression dictionaries (RFC 9842). `false` by default; needs a
    /// ``cache``.
    ///
    /// A server that has sent a response with `Use-As-Dictionary` can send the next version as the difference from it. A
    /// dictionary tells the server that this client was there before, as a cookie does. It is offered to its own origin only,
    /// over https or to this machine, and goes with the stored response: at a sign-out, when the store is emptied, and when it
    /// is evicted.
    ///
    /// - A GET without a range or an `Accept-Encoding` of its own offers the dictionary with the longest pattern that matches
    ///   its URL, if the cache may use it without asking. Patterns can have `*`, `:name` and `{groups}`; a dictionary with
    ///   another pattern, or of more than 16 MiB, isn't used.
    /// - `SocketTransport` decodes `dcz` (zstd), and `dcb` (brotli) if libbrotli is 1.1 or later. URLSession offers none.
    /// - If the server used another dictionary, the request is sent again without one. A streamed response fails with
    ///   `.invalidResponse` while it is read, and the next request offers none.
    public var usesCompressionDictionaries = false

    /// The model stores that belong to the client's account: cleared when it changes. Empty by default.
    ///
    /// A store that is a class is added automatically when ``APIClient/reading(_:from:maxAge:key:now:)`` first reads
    /// from it. List it here if the account can change before that.
    public var modelStores: [any ModelStore] = []

    /// Whether concurrent identical requests share one transfer; see ``Coalescing``. `false` by default.
    public var coalescesRequests = false

    /// The maximum number of concurrent calls; further calls wait. No limit by default.
    public var concurrency = ConcurrencyOptions()

    /// The maximum rate of calls to one origin. `nil` (the default) means no limit. See ``RateLimit``.
    public var rateLimit: RateRule?

    /// When calls to a failing host fail immediately. `nil` (the default) means never. See ``CircuitBreaker``.
    public var circuitBreaker: CircuitBreaker.Options?

    /// Tells the circuits of ``circuitBreaker`` to other processes. `nil` (the default) keeps them in this one.
    public var sharedCircuits: (any CircuitSharing)?

    /// The methods whose calls get an `Idempotency-Key`, if the server supports it; see ``IdempotencyKeys``. Empty by
    /// default.
    public var idempotencyKeys: Set<HTTPMethod> = []

    /// Answers Basic and Digest challenges with a name and password. `nil` (the default) answers none.
    public var challenges: Challenges?

    /// The hosts, as names or addresses, that allow plain HTTP in addition to this machine. Empty by default.
    ///
    /// A plain HTTP request to any other host throws `.insecure(.plaintext)`, also after a redirect.
    public var plaintextHosts: Set<String> = []

    /// Where the hosts are kept that demand HTTPS (``HSTS``): their `http` URLs become `https`. ``HSTSSetting/memory`` by
    /// default.
    public var hsts = HSTSSetting.memory

    /// TLS settings per host: authorities, pinned keys, client certificates.
    ///
    /// Applies if the client creates its own engine. If you pass a transport, configure TLS there; otherwise, every
    /// call throws `.invalidRequest`.
    public var tls = TLSConfiguration()

    /// Limits and lifetimes of connections, and detection of dead ones.
    ///
    /// Applies if the client creates its own engine. A transport that you pass has its own policy.
    public var connections = ConnectionPolicy()

    /// Whether a call waits, fails immediately or is tried if the network is unavailable. Tried by default.
    public var connectivity = ConnectivityPolicy.attempt

    /// Provides the monitor of available networks. Runs when a request needs it. The system's monitor by default.
    public var pathMonitor: @Sendable () -> any PathMonitor = { SystemPathMonitor.shared }

    /// Adds a W3C `traceparent` to calls. `nil` (the default) adds none. See ``Tracing``.
    public var tracing: Tracing?

    /// Observes calls and requests, for traces and metrics. `nil` (the default) observes nothing. See
    /// ``ClientTelemetry``.
    public var telemetry: (any ClientTelemetry)?

    /// The origins that get trace fields if ``tracing`` or ``telemetry`` is on. All by default.
    public var traceFields = TraceFields()

    /// Records every exchange as an HTTP archive. `nil` (the default) records none. See ``HARRecorder``.
    public var recorder: HARRecorder?

    /// Shows the client's traffic live. `nil` (the default) costs nothing. See ``Inspector``.
    public var inspector: Inspector?

    /// Whether the environment variable `GODWIT_INSPECT` turns on ``inspector``: `1`, or the URL of a page. By default
    /// in debug builds only: the environment of a released program must not reveal its traffic.
    public var allowsInspectorFromEnvironment = Self.isDebugBuild

    /// The clock for the client's own pauses: between attempts, in queues and for throttling.
    ///
    /// Tests can set a clock that they advance by hand.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Custom middlewares that see each call once: before retries, redirects and credentials. The first is outermost.
    ///
    /// Default fields and `X-Request-ID` are added after them.
    public var middleware: [any ChainElement] = []

    /// Custom middlewares that see each request as the transport gets it, and each response as it arrives.
    ///
    /// Each redirect hop is a separate request to them.
    public var attemptMiddleware: [any ChainElement] = []

    /// Creates the default configuration, which is safe for production.
    public init() {}

    /// The default configuration.
    public static var `default`: ClientConfiguration { ClientConfiguration() }

    /// A configuration that stores nothing: no cookies and no responses.
    public static var ephemeral: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.cookies = .off
        configuration.cache = .off
        return configuration
    }

    #if DEBUG
    private static let isDebugBuild = true
    #else
    private static let isDebugBuild = false
    #endif

    /// `Godwit/` and the library's version.
    public static let defaultUserAgent = "Godwit/\(LibraryVersion.current)"
}

extension ClientConfiguration {
    /// The public keys that hosts must have. Hosts without an entry can have any.
    ///
    /// ```swift
    /// $0.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
    /// ```
    public var pins: HostTable<PinSet> {
        get { tls.pins }
        set { tls.pins = newValue }
    }

    /// The time limits for connecting, for inactivity and for a whole exchange.
    public var timeouts: Timeouts {
        get { options.timeouts }
        set { options.timeouts = newValue }
    }

    /// The maximum size of a response body, as received and decoded.
    public var responseLimit: ResponseLimit {
        get { options.responseLimit }
        set { options.responseLimit = newValue }
    }

    /// How redirects are handled.
    public var redirects: RedirectPolicy {
        get { options.redirects }
        set { options.redirects = newValue }
    }
}

/// Where a client stores responses.
///
/// ```swift
/// $0.cache = .memory(limit: 20 << 20)
/// $0.cache = .store(store)
/// ```
public enum CacheSetting: Sendable, Nonisolated {
    /// Stores nothing.
    case off

    /// Stores up to `limit` bytes in memory, as long as the client lives.
    case memory(limit: Int)

    /// Uses a store, which several clients of one account can share.
    case store(any CacheStore)

    func makeStore() -> (any CacheStore)? {
        switch self {
        case .off: nil
        case .memory(let limit): MemoryCacheStore(limit: limit)
        case .store(let store): store
        }
    }
}

/// Where a client stores cookies.
///
/// ```swift
/// let jar = try CookieJar(file: CookieFile(file))
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.cookies = .jar(jar) }
/// ```
public enum CookieSetting: Sendable, Nonisolated {
    /// Stores and sends no cookies, except those in a request's own fields.
    case off

    /// Stores cookies in memory, as long as the client lives.
    case memory

    /// Uses a jar, which several clients can share.
    case jar(CookieJar)

    func makeJar(_ suffixes: any PublicSuffixes) -> CookieJar? {
        switch self {
        case .off: nil
        case .memory: CookieJar(suffixes: suffixes)
        case .jar(let jar): jar
        }
    }
}

/// The maximum number of concurrent calls of a client; see ``ConcurrencyLimit``.
///
/// ```swift
/// $0.concurrency.perHost = 6
/// ```
public struct ConcurrencyOptions: Sendable, Hashable {
    /// The maximum across all origins. `nil` (the default) means no limit.
    public var total: Int?

    /// The maximum per origin. `nil` (the default) means no limit.
    public var perHost: Int?

    /// Creates the defaults: no limit.
    public init() {}

    var isLimited: Bool { total != nil || perHost != nil }
}

extension ClientConfiguration {
    /// Whether request bodies are compressed. Off by default, as servers don't have to support it.
    public var compression: ContentCompression {
        get { options.compression }
        set { options.compression = newValue }
    }
}
