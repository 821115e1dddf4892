extension EventSource {
    /// Configures how an ``EventSource`` connects and reconnects.
    ///
    /// ```swift
    /// let events = api.events(.live) {
    ///     $0.lastEventID = saved
    ///     $0.idleTimeout = .seconds(45)                   // the server sends a comment every 15
    /// }
    /// ```
    public struct Options: Sendable, Nonisolated {
        /// The ID of the event to resume after, from an earlier loop. Empty (the default) means none.
        public var lastEventID = ""

        /// When to reconnect. ``Reconnecting/automatic`` by default.
        public var reconnection = Reconnecting.automatic

        /// The random delay before a reconnection, in addition to the server's `retry`.
        ///
        /// By default up to a second after the first failure, and up to 30 seconds after many. An event, or a connection that
        /// lasts longer than the cap, restarts the count of failures.
        public var backoff = Backoff(base: .seconds(1), cap: .seconds(30))

        /// The most that the server may ask to wait, with `retry` or `Retry-After`: if it asks for more, the source
        /// reconnects after this time. One minute by default.
        public var longestRetryAfter = RetryPause.longest

        /// How many attempts in a row may fail to connect before the error is thrown. `nil` (the default) means no limit.
        ///
        /// With 0 (or less) the first such error is thrown; after a connection that was open, the source still reconnects.
        public var failureLimit: Int?

        /// Statuses after which to retry instead of throwing, such as 502 and 503. `Retry-After` is respected.
        ///
        /// Empty by default, as in the standard.
        public var statuses: Set<Int> = []

        /// Statuses after which to retry in addition to ``statuses``, once a connection has been open. By default 502, 503
        /// and 504, which a server that restarts answers for a while. With an empty set they are thrown, as in the standard.
        public var reconnectionStatuses: Set<Int> = [502, 503, 504]

        /// How long the connection may be silent, comments included, before it counts as dead.
        ///
        /// `nil` (the default) uses ``Timeouts/inactivity``, which is 60 seconds by default. The transport measures it.
        public var idleTimeout: Duration?

        /// The maximum size of one event in bytes; a larger one throws `.tooLarge`. 16 MiB by default.
        public var eventLimit = EventStreamParser.defaultLimit

        /// Called for each state change, in order, on the task that reads. Return quickly.
        public var onStateChange: (@Sendable (State) -> Void)?

        /// The random number generator for delays.
        public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

        /// Creates options with default values.
        public init() {}
    }

    /// When an event source reconnects.
    ///
    /// ```swift
    /// for try await event in api.events(.query(text), configure: { $0.reconnection = .always }) { show(event) }
    /// ```
    public enum Reconnecting: Sendable, Hashable {
        /// If the method is safe, such as GET (RFC 9110 section 9.2.1).
        case automatic
        /// With every method, if the body can be sent again.
        case always
        /// Never: the events end with the connection, or throw its error.
        case never
    }

    /// The state of an ``EventSource``.
    public enum State: Sendable {
        /// The request is being sent.
        case connecting
        /// The server accepted with this response head.
        case open(HTTPResponseHead)
        /// The connection ended, with or without an error. The next attempt follows after this pause.
        case waiting(Duration, after: NetworkError?)
        /// There are no more events.
        case closed
    }
}
