/// Limits and lifetimes of a transport's connections, and detection of dead ones.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") {
///     $0.connections.maximumPerHost = 16
///     $0.connections.idleTimeout = .seconds(20)
/// }
/// ```
///
/// Linux supports all settings. URLSession supports only ``maximumPerHost`` and manages the rest itself.
public struct ConnectionPolicy: Sendable, Hashable {
    /// Maximum concurrent connections to one host; further requests wait. `nil` (the default) means the engine's limit:
    /// 64 with `SocketTransport`, 6 with URLSession. `.max` means no limit.
    ///
    /// An HTTP/2 connection carries many requests and counts as one. Over HTTP/1.1, each open stream, such as an event
    /// source, uses a connection. WebSockets don't count. The wait counts only toward `Timeouts.total`.
    public var maximumPerHost: Int?

    /// How long an idle connection is kept. 50 seconds by default: many load balancers close after 60, and a request
    /// sent at that moment is lost. `nil` means until the server closes it.
    public var idleTimeout: Duration? = .seconds(50)

    /// Maximum age of a connection. One hour by default, to notice DNS changes. `nil` means no limit.
    ///
    /// A connection in use at that age finishes its requests and gets no new ones.
    public var maximumLifetime: Duration? = .seconds(3600)

    /// TCP probes that detect a dead peer on an idle connection. `nil` sends none.
    public var keepAlive: KeepAlive? = KeepAlive()

    /// How long sent bytes can stay unacknowledged before the connection is closed (RFC 5482). 60 seconds by default.
    /// `nil` means the system's limit: about 15 minutes.
    ///
    /// A server that stops reading for this long also counts as dead.
    public var unacknowledgedTimeout: Duration? = .seconds(60)

    /// Whether connections are closed when the network path changes. `true` by default.
    ///
    /// Idle connections are closed; connections in use finish and are not reused. Requests whose network is gone fail
    /// with `.transport(.connectionLost)`.
    public var closesOnPathChange = true

    /// Creates a policy with default values.
    public init() {}

    /// TCP keep-alive probes. The system counts in whole seconds.
    public struct KeepAlive: Sendable, Hashable {
        /// Idle time before the first probe.
        public var idle: Duration

        /// Time between two probes.
        public var interval: Duration

        /// The number of unanswered probes after which the peer counts as dead.
        public var probes: Int

        /// Creates keep-alive settings. By default a dead peer is noticed after about 60 seconds without traffic.
        ///
        /// - Parameters:
        ///   - idle: Idle time before the first probe.
        ///   - interval: Time between probes.
        ///   - probes: The number of unanswered probes after which the peer counts as dead.
        public init(idle: Duration = .seconds(30), interval: Duration = .seconds(10), probes: Int = 3) {
            self.idle = idle
            self.interval = interval
            self.probes = probes
        }
    }

    /// The reason why this policy is invalid. `nil` if it is valid.
    package var fault: String? {
        if let maximumPerHost, maximumPerHost < 1 { return "at least one connection per host is needed" }
        if [idleTimeout, maximumLifetime, unacknowledgedTimeout].contains(where: { $0.map { $0 <= .zero } ?? false }) {
            return "the time limits of connections must be longer than zero"
        }
        guard let keepAlive else { return nil }
        let isPossible = keepAlive.idle > .zero && keepAlive.interval > .zero && keepAlive.probes > 0
        return isPossible ? nil : "keep-alive needs times longer than zero and at least one probe"
    }
}
