/// What an ``APIClient`` does for every call. A client copies it when it is made; later changes have no effect.
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
    /// Fields for every request; a request's own field of the same name wins.
    ///
    /// Empty by default. A `User-Agent` here wins over ``userAgent``.
    public var defaultFields: HTTPFields = [:]

    /// The value of `User-Agent`; nil sends none of ours.
    ///
    /// ``defaultUserAgent`` by default.
    public var userAgent: String? = ClientConfiguration.defaultUserAgent

    /// Where the value of `X-Request-ID` comes from.
    ///
    /// ``RequestIDs/automatic`` by default. A request's own `X-Request-ID` is kept.
    public var requestIDs = RequestIDs.automatic

    /// What every endpoint's options start from: limits, policies and hooks. An endpoint's own changes come on top.
    public var options = RequestOptions()

    /// The most bytes of content that are held in memory for one response; more throws `.tooLarge`. 64 MiB by default.
    ///
    /// Where ``RequestOptions/responseLimit`` says otherwise for content that is decoded, it wins.
    public var bufferLimit = 64 << 20

    /// How values are written as JSON and read from it.
    public var json = JSONCoding()

    /// What is logged, and where to. Off by default.
    public var logging = LogOptions()

    /// Readers for bodies of error responses, tried before ``ErrorBody/problemDetails``.
    ///
    /// The first that can read the body wins.
    public var errorBodies: [ErrorBody] = []

    /// Who is asking; nil, the default, where the API need not know.
    public var authentication: ClientAuthentication?

    /// When a call is sent again, and how often: three times at most by default, with pauses that grow.
    ///
    /// Only what is safe to repeat is repeated; see ``Retry``.
    public var retry = RetryOptions()

    /// What cookies are kept in. ``CookieSetting/memory`` by default.
    public var cookies = CookieSetting.memory

    /// Under which names nobody may set cookies for all, such as `co.uk`.
    ///
    /// ``ExactHosts`` by default, and the system's list in a client that makes its own engine on Linux. Counts for
    /// ``CookieSetting/memory``; a jar that is given has its own.
    public var publicSuffixes: any PublicSuffixes = ExactHosts()

    /// What responses are kept in, to answer from where RFC 9111 allows. ``CacheSetting/off`` by default.
    public var cache = CacheSetting.off

    /// The stores of models that belong to the client's account: they are emptied when it changes. Empty by default.
    ///
    /// A store that ``APIClient/reading(_:from:maxAge:key:now:)`` gets, and that is a class, is added by itself when it is
    /// first read from. Name it here if the account may change before that.
    public var modelStores: [any ModelStore] = []

    /// Whether concurrent identical requests share one transfer; see ``Coalescing``. False by default.
    public var coalescesRequests = false

    /// How many calls are under way at once; the others wait. No limit by default.
    public var concurrency = ConcurrencyOptions()

    /// How many calls go to one origin in which time; nil, the default, for as many as there are. See ``RateLimit``.
    public var rateLimit: RateRule?

    /// When calls to a host that is down fail at once; nil, the default, for never. See ``CircuitBreaker``.
    public var circuitBreaker: CircuitBreaker.Options?

    /// The methods whose calls get an `Idempotency-Key`, for a server that knows it; see ``IdempotencyKeys``.
    ///
    /// Empty by default.
    public var idempotencyKeys: Set<HTTPMethod> = []

    /// Answers servers that ask for a name and password, by Basic or Digest; nil, the default, answers none.
    public var challenges: Challenges?

    /// The hosts that plain http may go to, beside this machine: names or addresses. Empty by default.
    ///
    /// To any other host it is refused with `.insecure(.plaintext)`, also after a redirect.
    public var plaintextHosts: Set<String> = []

    /// What holds for TLS with some hosts: authorities, pinned keys, client certificates.
    ///
    /// For a client that makes its own engine. A transport that is handed over has its own rules; a client that has both
    /// refuses every call with `.invalidRequest`.
    public var tls = TLSConfiguration()

    /// How long connections are kept, how many, and how a dead one is noticed.
    ///
    /// For a client that makes its own engine. A transport that is handed over has its own policy.
    public var connections = ConnectionPolicy()

    /// Whether a call waits for a network, or fails at once, where there is none. By default it is tried.
    public var connectivity = ConnectivityPolicy.attempt

    /// Knows which networks there are. Evaluated when a request needs it; the system's by default.
    public var pathMonitor: @Sendable () -> any PathMonitor = { SystemPathMonitor.shared }

    /// Gives calls a W3C `traceparent`; nil, the default, gives none. See ``Tracing``.
    public var tracing: Tracing?

    /// Which origins the trace's fields go to, where ``tracing`` is on; all by default.
    public var traceFields = TraceFields()

    /// Keeps every exchange as an HTTP archive; nil, the default, keeps none. See ``HARRecorder``.
    public var recorder: HARRecorder?

    /// What waits of the client itself are measured by: between attempts, for a place, for a pause to end.
    ///
    /// Tests put a clock here that they wind by hand.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The user's middlewares that see a call once: before retries, redirects and credentials. The first is outermost.
    ///
    /// At that point default fields and `X-Request-ID` are not added yet.
    public var middleware: [any Middleware] = []

    /// The user's middlewares that see each request as it goes to the transport, and each response as it comes.
    ///
    /// They stand below redirects: each hop is a request of its own to them.
    public var attemptMiddleware: [any Middleware] = []

    /// Makes the default configuration, which is safe for production.
    public init() {}

    /// The default configuration.
    public static var `default`: ClientConfiguration { ClientConfiguration() }

    /// A configuration that keeps nothing: no cookie is stored or sent, and no response is taken from a cache or left
    /// in one.
    public static var ephemeral: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.cookies = .off
        configuration.cache = .off
        return configuration
    }

    /// `Godwit/` and the library's version.
    public static let defaultUserAgent = "Godwit/0.1"
}

extension ClientConfiguration {
    /// The keys that hosts may have; any where there is no entry.
    ///
    /// ```swift
    /// $0.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
    /// ```
    public var pins: HostTable<PinSet> {
        get { tls.pins }
        set { tls.pins = newValue }
    }

    /// How long each part of an exchange may take: connecting, waiting for a byte, and the whole.
    public var timeouts: Timeouts {
        get { options.timeouts }
        set { options.timeouts = newValue }
    }

    /// The most bytes a response may have, received and decoded.
    public var responseLimit: ResponseLimit {
        get { options.responseLimit }
        set { options.responseLimit = newValue }
    }

    /// What happens on a redirect.
    public var redirects: RedirectPolicy {
        get { options.redirects }
        set { options.redirects = newValue }
    }
}

/// What a client keeps responses in.
///
/// ```swift
/// $0.cache = .memory(limit: 20 << 20)
/// $0.cache = .store(store)
/// ```
public enum CacheSetting: Sendable, Nonisolated {
    /// Nothing is kept.
    case off

    /// Up to so many bytes in memory, for as long as the client lives.
    case memory(limit: Int)

    /// A store, which several clients of one account may share.
    case store(any CacheStore)

    func makeStore() -> (any CacheStore)? {
        switch self {
        case .off: nil
        case .memory(let limit): MemoryCacheStore(limit: limit)
        case .store(let store): store
        }
    }
}

/// What a client keeps cookies in.
///
/// ```swift
/// let jar = try CookieJar(file: CookieFile(file))
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.cookies = .jar(jar) }
/// ```
public enum CookieSetting: Sendable, Nonisolated {
    /// No cookie is kept or sent, but those that a request brings along.
    case off

    /// A jar in memory that is the client's own, and lives as long.
    case memory

    /// A jar, which several clients may share.
    case jar(CookieJar)

    func makeJar(_ suffixes: any PublicSuffixes) -> CookieJar? {
        switch self {
        case .off: nil
        case .memory: CookieJar(suffixes: suffixes)
        case .jar(let jar): jar
        }
    }
}

/// How many calls of a client are under way at once; see ``ConcurrencyLimit``.
///
/// ```swift
/// $0.concurrency.perHost = 6
/// ```
public struct ConcurrencyOptions: Sendable, Hashable {
    /// The most in all; nil, the default, for no limit.
    public var total: Int?

    /// The most to one origin; nil, the default, for no limit.
    public var perHost: Int?

    /// Makes the defaults: no limit.
    public init() {}

    var isLimited: Bool { total != nil || perHost != nil }
}

extension ClientConfiguration {
    /// Whether the content of requests is compressed; off by default, as a server need not understand it.
    public var compression: ContentCompression {
        get { options.compression }
        set { options.compression = newValue }
    }
}
