extension EventSource {
    /// How an ``EventSource`` connects, and when it does so again.
    ///
    /// ```swift
    /// let events = api.events(.live) {
    ///     $0.lastEventID = saved
    ///     $0.idleTimeout = .seconds(45)                   // the server sends a comment every 15
    /// }
    /// ```
    public struct Options: Sendable, Nonisolated {
        /// The id to resume behind, as the last one of an earlier run; empty, the default, for none.
        public var lastEventID = ""

        /// Whether a connection that ended is made again.
        ///
        /// ``Reconnecting/automatic`` by default.
        public var reconnection = Reconnecting.automatic

        /// The pause by chance before a reconnection, which comes on top of the server's `retry`.
        ///
        /// A second at most after the first failure, 30 seconds at most after many. An event, or a connection that
        /// stood for longer than the cap, begins the count anew.
        public var backoff = Backoff(base: .seconds(1), cap: .seconds(30))

        /// How many attempts in a row may fail to connect before the error is thrown; nil, the default, for any number.
        ///
        /// 0 throws the first such error, and still reconnects where a connection that stood ends. Less counts as 0.
        public var failureLimit: Int?

        /// Statuses after which to try again instead of throwing, such as 502 and 503; `Retry-After` is kept to.
        ///
        /// Empty by default, as the standard has it.
        public var statuses: Set<Int> = []

        /// How long no byte may come, comments included, before the connection counts as dead and is made again.
        ///
        /// Nil, the default, leaves it to ``Timeouts/inactivity``: 60 seconds unless the client says otherwise.
        /// Measured by the transport.
        public var idleTimeout: Duration?

        /// The most bytes of one event; more throws `.tooLarge`. 16 MiB by default.
        public var eventLimit = EventStreamParser.defaultLimit

        /// Is told what the source is doing, in order, on the task that reads: return quickly.
        public var onStateChange: (@Sendable (State) -> Void)?

        /// Where chance comes from; give a seeded one to make tests repeatable.
        public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

        /// Makes the defaults.
        public init() {}
    }

    /// Whether a connection that ended is made again.
    ///
    /// ```swift
    /// for try await event in api.events(.query(text), configure: { $0.reconnection = .always }) { show(event) }
    /// ```
    public enum Reconnecting: Sendable, Hashable {
        /// Where the method is safe, as GET is (RFC 9110 section 9.2.1).
        case automatic
        /// With every method, as long as its content can be sent again.
        case always
        /// Never: the events end with the connection, or throw what broke it.
        case never
    }

    /// What an ``EventSource`` is doing.
    public enum State: Sendable {
        /// The request is on its way.
        case connecting
        /// The server has accepted; its answer.
        case open(HTTPResponseHead)
        /// The connection ended, by an error or without one, and is made again after this pause.
        case waiting(Duration, after: NetworkError?)
        /// There will be no more events.
        case closed
    }
}
