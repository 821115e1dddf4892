/// Observes what clients send, for traces and metrics.
///
/// ```swift
/// $0.telemetry = telemetry
/// ```
///
/// The module GodwitTelemetry exports to OpenTelemetry. Implement the protocol for another system; nothing is global: a
/// client reports only to the telemetry in its configuration.
///
/// A client with telemetry writes `traceparent` to its requests (see ``TraceFields``). The trace is
/// ``RequestOptions/trace``, if a middleware or an endpoint sets it.
public protocol ClientTelemetry: Sendable {
    /// Sees each call once: outside retries, redirects, queues and the cache. A validation in the background
    /// (`stale-while-revalidate`) is a call too.
    var callMiddleware: any ChainElement { get }

    /// Sees each request that is sent, after everything else has changed it.
    var requestMiddleware: any ChainElement { get }

    /// Receives the gauges of a client when it is created.
    ///
    /// Gauges don't keep the client or its transport alive.
    func attach(_ gauges: ClientGauges)
}

/// What a client reports about itself at any time.
///
/// ```swift
/// if let counts = await gauges.read() { print(counts.waitingCalls, counts.connections?.open ?? 0) }
/// ```
public struct ClientGauges: Sendable {
    /// The values at one moment.
    public struct Counts: Sendable, Hashable {
        /// The calls that wait for ``ClientConfiguration/concurrency``.
        public var waitingCalls = 0

        /// The calls that wait for ``ClientConfiguration/rateLimit``. With a `.custom` rule, those that its limiter has
        /// not admitted yet.
        public var throttledCalls = 0

        /// How often the client's token was refreshed. Clients that share a token share the count. With a fleet's token,
        /// a refresh that waits for another process counts too.
        public var tokenRefreshes = 0

        /// The transport's connections; `nil` if it doesn't count them, as with URLSession.
        public var connections: ConnectionCounts?

        /// Creates counts of zero.
        public init() {}
    }

    private let connections: @Sendable () async -> ConnectionCounts??
    private let waiting: @Sendable () -> (concurrency: Int, rate: Int)
    /// Counts the refreshes of the token, which several clients may share. It outlives them.
    package let refreshes: RefreshCount?
    /// Identifies the transport, which several clients may share; `nil` for a structure.
    package let transport: ObjectIdentifier?

    init(_ chain: Chain, _ concurrency: ConcurrencyLimit?, _ rate: RateLimit?, _ tokens: TokenRefresher?) {
        connections = chain.weakConnectionCounts
        waiting = { (concurrency?.waitingCount ?? 0, rate?.waitingCount ?? 0) }
        refreshes = tokens?.shared.refreshes
        transport = chain.transportIdentity
    }

    /// Reads the current values; `nil` once the client is gone.
    public func read() async -> Counts? {
        guard let connections = await connections() else { return nil }
        var counts = Counts()
        (counts.waitingCalls, counts.throttledCalls) = waiting()
        counts.tokenRefreshes = refreshes?.value ?? 0
        counts.connections = connections
        return counts
    }
}

/// Whether the call fails for a status that its endpoint doesn't accept.
private enum StatusCheck: RequestOption {
    static var defaultValue: Bool { false }
    static var affectsResponse: Bool { false }
}

/// The template of a request's path.
private enum URLTemplate: RequestOption {
    static var defaultValue: String? { nil }
    static var affectsResponse: Bool { false }
}

extension RequestOptions {
    /// Whether the call fails for a status that isn't accepted: the call of an endpoint, not of a plain request. Set
    /// only if the client has ``ClientConfiguration/telemetry``.
    package var checksStatus: Bool {
        @inline(__always) get { self[StatusCheck.self] }
        set { self[StatusCheck.self] = newValue }
    }

    /// The path with placeholders in place of its values, such as `/v1/articles/{id}`: the name of the operation in
    /// traces and metrics. It must not contain values, as each different template is a series of its own.
    ///
    /// `nil` (the default) uses the endpoint's path with `{}` for each interpolated value, if it is a literal. Set only if the client has
    /// ``ClientConfiguration/telemetry``.
    public var urlTemplate: String? {
        @inline(__always) get { self[URLTemplate.self] }
        set { self[URLTemplate.self] = newValue }
    }
}
