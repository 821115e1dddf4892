/// How a ``ReconnectingWebSocket`` comes back.
public struct ReconnectOptions: Sendable {
    /// What becomes of messages that are sent while there is no connection, once too many wait.
    public enum Overflow: Sendable, Hashable {
        /// The oldest makes room. One that is being sent waits no longer, and is not dropped.
        case dropOldest
        /// The new one is dropped.
        case dropNewest
        /// `send` throws `.transport(.cannotSendBody)`.
        case fail
    }

    /// The pauses between attempts; by default from half a second to 30 seconds, drawn by chance.
    public var backoff = Backoff()

    /// A connection that lasted this long counts as a success, and pauses begin small again. Ten seconds by default.
    public var settledAfter: Duration = .seconds(10)

    /// How many messages wait for the next connection. 100 by default; 0 keeps none.
    public var outgoingLimit = 100

    /// What happens when one more comes. `.fail` by default, as nothing is lost unnoticed then.
    public var overflow = Overflow.fail

    /// Which ends are worth another attempt; by default ``NetworkError/isRetryable``: broken connections, time-outs,
    /// servers that went away or are overloaded. Not a clean close with 1000, nor a refusal such as 403.
    public var reconnects: @Sendable (NetworkError) -> Bool = { $0.isRetryable }

    /// Called with each new connection before anything else is sent on it: to subscribe again. What it throws counts
    /// as a failed attempt.
    public var onConnect: @Sendable (WebSocket) async throws -> Void = { _ in }

    /// What pauses are measured by. Tests put a clock here that they wind by hand.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Where chance comes from.
    public var randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Makes the defaults.
    public init() {}
}
