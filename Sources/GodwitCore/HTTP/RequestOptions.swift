/// What one request wants otherwise than its client's defaults.
///
/// The options travel with the request through every middleware to the transport; each reads its own.
///
/// ```swift
/// endpoint.options {
///     $0.timeouts.inactivity = .seconds(5)
///     $0.cachePolicy = .reloadRevalidating
///     $0.redirects = .block
/// }
/// ```
public struct RequestOptions: Sendable, Nonisolated {
    /// How long each part of the exchange may take.
    public var timeouts = Timeouts()

    /// The most bytes a response body may have. Unlimited by default; `.buffered` deliveries have a limit of their own.
    public var responseLimit = ResponseLimit()

    /// How the cache may answer.
    public var cachePolicy = CachePolicy.useProtocol

    /// Which stored models become stale when the server accepts a request that changes something.
    /// ``ModelInvalidation/byPath`` by default.
    public var modelInvalidation = ModelInvalidation.byPath

    /// Further paths below the client's base URL whose stored models become stale with the request.
    var invalidatedPaths: [EndpointPath] = []

    /// What happens on a redirect.
    public var redirects = RedirectPolicy.follow

    /// Whether stored cookies are sent and received ones are stored.
    public var cookies = CookieHandling.automatic

    /// Whether credentials are attached.
    public var authentication = AuthenticationRequirement.required

    /// How often, and whether, a failed attempt is repeated; nil leaves it to the client.
    public var retry: RetryOverride?

    /// The value of the `Idempotency-Key` field, which makes it safe to send an unsafe request again.
    public var idempotencyKey: String?

    /// Whether the content is compressed. ``ContentCompression/off`` by default.
    public var compression = ContentCompression.off

    /// Whether the body waits until the server has seen the head and asks for it (`Expect: 100-continue`, RFC 9110 section
    /// 10.1.1).
    ///
    /// Off by default. Saves a large upload that the server would refuse. A server that does not answer within a second is
    /// sent the body all the same; one that answers 417 is sent the request again without the expectation. Over HTTP/2 the
    /// field is sent and the body does not wait. URLSession ignores this option.
    public var expectContinue = false

    /// How urgent the request is among others on its connection.
    public var priority = RequestPriority.normal

    /// Which kinds of network the request may use.
    ///
    /// The ``Connectivity`` middleware sees to it. Requests to this machine itself use none of them.
    public var allowedNetworks = NetworkAllowance.all

    /// What happens where there is no network that the request may use; nil leaves it to the client.
    public var connectivity: ConnectivityPolicy?

    /// The trace that the request is part of; nil starts one, or goes on with the task's.
    ///
    /// See ``Tracing``.
    public var trace: TraceContext?

    /// Statuses that count as success beside 200 to 299.
    ///
    /// Codes, such as 304. Empty by default.
    public var acceptedStatuses: Set<Int> = []

    /// The protocol to switch to, and to leave HTTP behind; nil, the default, for none.
    public var upgrade: ProtocolUpgrade?

    /// Is told of progress and of the end of the exchange. Called on the transport's thread: return quickly.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?

    /// Whose request this is, where that was settled before it is sent: each connection of a stream that comes back, each
    /// page of a list, each part of a download belongs to the account that the whole was started for.
    package var account: AccountStamp?

    /// How the client that made the request writes values as JSON, for the mocks of `GodwitTesting`.
    package var coding: JSONCoding?

    /// Makes the defaults.
    public init() {}
}

/// How long the parts of one exchange may take.
///
/// ```swift
/// $0.timeouts.connect = .seconds(5)
/// $0.timeouts.total = .seconds(30)
/// ```
///
/// Each throws `.timedOut` with its ``NetworkError/Stage``. A negative limit counts as zero, and one of more than a century as a
/// century. Swift itself traps on `Duration.seconds(.infinity)`; for no total limit there is `nil`.
public struct Timeouts: Sendable, Hashable, Nonisolated {
    /// Until the connection stands, TLS included. 30 seconds by default.
    public var connect: Duration = .seconds(30)

    /// Without a byte in either direction, once connected. 60 seconds by default.
    public var inactivity: Duration = .seconds(60)

    /// For the whole exchange, waiting for a free connection included; nil, the default, sets no limit.
    ///
    /// Each attempt has it anew. A client's own limit counts for calls that return a value. It does not count for downloads,
    /// uploads, streams and events, which may take any time: these have what their endpoint says
    /// (``Endpoint/timeout(_:)``), and ``inactivity``.
    public var total: Duration?

    /// Makes the defaults.
    public init() {}
}

/// The most bytes a response body may have before the exchange is ended with `.tooLarge`.
///
/// ```swift
/// $0.responseLimit = ResponseLimit(encoded: 1 << 20, decoded: 8 << 20)
/// ```
public struct ResponseLimit: Sendable, Hashable {
    /// As received, before any content coding is undone; nil for no limit.
    public var encoded: Int64?

    /// After content codings are undone: what stops a decompression bomb; nil for no limit.
    public var decoded: Int64?

    /// Makes limits; none by default.
    ///
    /// - Parameters:
    ///   - encoded: The most bytes of content as they are received; nil for any number.
    ///   - decoded: The most bytes of content with its codings undone; nil for the delivery's own limit.
    public init(encoded: Int64? = nil, decoded: Int64? = nil) {
        self.encoded = encoded
        self.decoded = decoded
    }
}

/// How the cache may answer a request.
///
/// ```swift
/// let confirmed = try await api.send(.article(id: 42).cachePolicy(.reloadRevalidating))
/// ```
public enum CachePolicy: Sendable, Hashable {
    /// As RFC 9111 says.
    case useProtocol
    /// Never from the cache.
    case reloadIgnoringCache
    /// From the cache at any age, else from the server.
    case cacheElseLoad
    /// Only from the cache, at any age: nothing is sent. Throws `.notCached` if nothing is stored.
    case cacheOnly
    /// Only after the server confirmed it.
    case reloadRevalidating
}

/// Whether stored cookies take part in an exchange.
public enum CookieHandling: Sendable, Hashable {
    case automatic, off
}

/// Whether a request carries credentials.
public enum AuthenticationRequirement: Sendable, Hashable {
    case required, none
}

/// How urgent a request is among others on its connection; a hint that HTTP/2 carries as a weight.
public enum RequestPriority: Sendable, Hashable {
    /// After, among or before the others.
    case low, normal, high
}

/// The kinds of network a request may use.
///
/// ```swift
/// Endpoint<Void>.post("backup").allowedNetworks([])        // none that is expensive, mobile or constrained
/// ```
public struct NetworkAllowance: OptionSet, Sendable, Hashable {
    /// One bit for each kind of network.
    public let rawValue: UInt8

    /// Makes a set of bits; prefer the names.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Networks that cost by volume, such as a personal hotspot.
    public static let expensive = NetworkAllowance(rawValue: 1)
    /// Networks in low-data mode.
    public static let constrained = NetworkAllowance(rawValue: 2)
    /// Mobile networks.
    public static let cellular = NetworkAllowance(rawValue: 4)
    /// Every network.
    public static let all: NetworkAllowance = [.expensive, .constrained, .cellular]
}

/// A retry rule for one request.
///
/// ```swift
/// try await api.send(.article(id: 42).retry(.never))
/// ```
public enum RetryOverride: Sendable, Hashable {
    /// Never again.
    case never
    /// Up to this many attempts in all; 1 or more.
    case attempts(Int)
}

/// What happens when a server answers with a redirect.
///
/// ```swift
/// $0.redirects = .decide { next, response in next.url.host == "example.com" ? next : nil }
/// ```
///
/// What changes from hop to hop is said at ``Redirects``.
public enum RedirectPolicy: Sendable, Nonisolated {
    /// Follows up to 20 redirects.
    case follow

    /// Follows up to a number of redirects; one more throws `.redirect(.tooMany)`.
    case followUp(to: Int)

    /// Returns the redirect response itself.
    case block

    /// Asks for each redirect: gets the request that would be sent next and the response that asked for it, and returns
    /// the request to send, changed or not, or nil to return the redirect response itself. At most 20.
    case decide(@Sendable (_ proposed: HTTPRequest, _ response: HTTPResponseHead) -> HTTPRequest?)
}

/// What happens to a request where there is no network that it may use.
///
/// ```swift
/// $0.connectivity = .wait(upTo: .seconds(30))
/// ```
public enum ConnectivityPolicy: Sendable, Hashable {
    /// It is sent all the same: the system may know less than the network. If it can't be sent because there is no network, it
    /// fails with `.offline(.noPath)`; a network that the request may not use (``RequestOptions/allowedNetworks``) ends it with
    /// `.offline` and the reason.
    case attempt
    /// It fails at once with `.offline` and the reason.
    case failFast
    /// It waits for a network, at most so long; nil waits until the task is cancelled. Past the limit it fails with
    /// `.offline` and the reason of that moment.
    ///
    /// The wait is no part of ``Timeouts``.
    case wait(upTo: Duration?)
}

/// Whether, and how, the content of a request is compressed before it is sent; see ``RequestCompression``.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.compression = .gzip }
/// try await api.send(.report(id: 7).compression(.gzip(minimumSize: 0, level: 9)))
/// ```
public enum ContentCompression: Sendable, Hashable {
    /// It is sent as it is.
    case off

    /// As gzip (RFC 1952), where it has so many bytes or is of unknown length.
    ///
    /// The level is 1, fast, to 9, small; what lies outside counts as the nearest.
    case gzip(minimumSize: Int64 = 1024, level: Int = 6)

    /// As gzip, from 1 KiB on, at a middle level.
    public static let gzip = ContentCompression.gzip(minimumSize: 1024, level: 6)
}

/// Which stored models a request that changes something makes stale.
///
/// ```swift
/// $0.options.modelInvalidation = .off                  // for a client
/// ```
public enum ModelInvalidation: Sendable, Hashable {
    /// Those of the request's path and of the path one level up, whatever their query: after `PATCH /articles/42` the
    /// models of `/articles/42`, `/articles` and `/articles?page=2`.
    ///
    /// Counts for methods that are not safe (POST, PUT, PATCH, DELETE) when the server accepts the request. A
    /// `Content-Location` or `Location` of the same origin counts as well.
    case byPath
    /// None, but for those that ``Endpoint/invalidating(_:)`` names.
    case off
}
