/// How long a transport keeps connections, how many, and how it notices that one has died.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") {
///     $0.connections.maximumPerHost = 16
///     $0.connections.idleTimeout = .seconds(20)
/// }
/// ```
///
/// On Linux all of it holds. URLSession has a setting for ``maximumPerHost`` alone; it decides about the rest itself.
public struct ConnectionPolicy: Sendable, Hashable {
    /// Maximum connections to one host at once; further requests wait. `nil`, the default, means the engine's own limit:
    /// 64 with libcurl, 6 with URLSession. `.max` means no limit.
    ///
    /// An HTTP/2 connection carries many requests and counts as one. Over HTTP/1.1 each open stream, such as an event source,
    /// holds a connection. WebSockets do not count. Waiting counts toward `Timeouts.total` alone.
    public var maximumPerHost: Int?

    /// How long a connection without requests is kept. 50 seconds by default: load balancers commonly close after 60, and
    /// a request that meets their closing is lost. `nil` means until the server closes it.
    public var idleTimeout: Duration? = .seconds(50)

    /// How old a connection may get. One hour by default, so that changes in DNS are noticed. `nil` means no limit.
    ///
    /// A connection that is in use when its time is up finishes its requests and gets no further one.
    public var maximumLifetime: Duration? = .seconds(3600)

    /// Probes by which TCP notices that the peer of a silent connection is gone. `nil` sends none.
    public var keepAlive: KeepAlive? = KeepAlive()

    /// How long bytes that were sent may stay unacknowledged before the connection is given up (RFC 5482). 60 seconds by
    /// default. `nil` leaves it to the system: about 15 minutes.
    ///
    /// A server that reads nothing at all for this long counts as gone too.
    public var unacknowledgedTimeout: Duration? = .seconds(60)

    /// Whether connections are dropped when the network path changes. True by default.
    ///
    /// Idle ones are closed, those in use finish and are not used again, and requests whose network is gone fail with
    /// `.transport(.connectionLost)`.
    public var closesOnPathChange = true

    /// Makes the defaults.
    public init() {}

    /// Probes of a silent TCP connection. The system counts in whole seconds.
    public struct KeepAlive: Sendable, Hashable {
        /// Silence before the first probe.
        public var idle: Duration

        /// Time between probes.
        public var interval: Duration

        /// How many unanswered probes mean that the peer is gone.
        public var probes: Int

        /// - Parameters:
        ///   - idle: Silence before the first probe.
        ///   - interval: Time between probes.
        ///   - probes: How many unanswered ones mean that the peer is gone.
        public init(idle: Duration = .seconds(30), interval: Duration = .seconds(10), probes: Int = 3) {
            (self.idle, self.interval, self.probes) = (idle, interval, probes)
        }
    }

    /// Why no transport can be made with this policy, or nil.
    package var fault: String? {
        if let maximumPerHost, maximumPerHost < 1 { return "at least one connection per host is needed" }
        if [idleTimeout, maximumLifetime, unacknowledgedTimeout].contains(where: { $0.map { $0 <= .zero } ?? false }) {
            return "a limit of connections must be longer than zero"
        }
        guard let keepAlive else { return nil }
        let isPossible = keepAlive.idle > .zero && keepAlive.interval > .zero && keepAlive.probes > 0
        return isPossible ? nil : "keep-alive needs times longer than zero and at least one probe"
    }
}
