public import GodwitCore

/// Configures how subscriptions are transported, and how they end.
///
/// ```swift
/// let graphQL = GraphQLClient(api) {
///     $0.subscriptions.transport = .webSocket(path: "subscriptions")
///     $0.subscriptions.connectionPayload = { ["authorization": .string(try await vault.key())] }
/// }
/// ```
public struct GraphQLSubscriptionOptions: Sendable, Nonisolated {
    /// The connection that carries events: a WebSocket, server-sent events, or a response in parts.
    public enum Transport: Sendable {
        /// One WebSocket for all subscriptions, with the subprotocol `graphql-transport-ws`.
        ///
        /// - path: The path of the socket; `nil` means the client's.
        case webSocket(path: EndpointPath? = nil)
        /// One WebSocket for all subscriptions, with the older subprotocol `graphql-ws`.
        case legacyWebSocket(path: EndpointPath? = nil)
        /// One request for each subscription, answered with server-sent events (graphql-sse, distinct connections).
        case eventStream(path: EndpointPath? = nil)
        /// One stream of server-sent events for all subscriptions (graphql-sse, single connection).
        case singleEventStream(path: EndpointPath? = nil)
        /// One request for each subscription, answered with parts (`multipart/mixed;subscriptionSpec=1.0`, Apollo Router).
        case multipart(path: EndpointPath? = nil)
    }

    /// What happens to subscriptions if their connection is lost.
    public enum Reconnecting: Sendable, Hashable {
        /// They are started again over a new connection. Events that happen in between are lost.
        case resubscribe
        /// They throw what ended the connection.
        case never
    }

    /// What happens to an event that arrives while ``bufferedBytes`` of others wait for the loop.
    public enum Overflow: Sendable, Hashable {
        /// The connection isn't read until the loop takes an event, which slows the server down. No event is lost.
        ///
        /// Other subscriptions of the connection wait too, for up to ``overflowTimeout``; then the slow one ends with
        /// `.transport(.other)`. A subscription that is alone on its connection waits as long as its loop needs.
        case wait
        /// The oldest waiting event is dropped.
        case dropOldest
        /// The new event is dropped.
        case dropNewest
    }

    /// The state of the shared connection.
    public enum State: Sendable {
        /// A connection is being made.
        case connecting
        /// The server accepted the connection, and the subscriptions are being started.
        case open
        /// The next attempt follows after this pause.
        case waiting(Duration, after: NetworkError)
        /// Not connected: either no subscription needs a connection, or the error ended all of them.
        case closed(NetworkError?)
    }

    /// The connection that carries events. A WebSocket at the client's path by default.
    public var transport = Transport.webSocket()

    /// Returns the payload of `connection_init`, such as a token; called for each connection. `nil` by default.
    ///
    /// The handshake has the client's credentials anyway. An error ends the subscriptions.
    public var connectionPayload: @Sendable () async throws -> JSONValue? = { nil }

    /// How long the server may take to accept a WebSocket: the handshake and `connection_ack`. 30 seconds by default; then
    /// `.timedOut(.connect)`.
    ///
    /// A subscription also waits that long for its first connection, with all attempts: after it, the last failure is thrown.
    public var connectTimeout: Duration = .seconds(30)

    /// The time between `ping` messages; `nil` (the default) sends none, as WebSockets have their own pings.
    public var pingInterval: Duration?

    /// How long the server may take to answer a `ping`. 20 seconds by default; then the connection counts as lost.
    public var pingTimeout: Duration = .seconds(20)

    /// How long the connection stays open after the last subscription. Three seconds by default.
    public var idleTimeout: Duration = .seconds(3)

    /// What happens if the connection is lost. ``Reconnecting/resubscribe`` by default.
    public var reconnection = Reconnecting.resubscribe

    /// The pauses between attempts to connect.
    public var backoff = Backoff()

    /// The maximum `Retry-After` to wait for: if a server asks for more, the next attempt follows after this time. One
    /// minute by default.
    public var longestRetryAfter = RetryPause.longest

    /// How many attempts to connect may fail in a row before the subscriptions throw. 10 by default; `nil` means no limit.
    ///
    /// A connection that the server accepts and that is lost later restarts the count. The pauses grow until one lasts ten
    /// seconds. Until the first connection, ``connectTimeout`` is another limit.
    public var failureLimit: Int? = 10

    /// The maximum bytes of one subscription's events that wait for its loop. 4 MiB by default; one event may exceed it.
    ///
    /// Each event counts 64 bytes more than its JSON.
    public var bufferedBytes = 4 << 20

    /// What happens to an event beyond this limit. ``Overflow/wait`` by default, so that none is lost unnoticed.
    public var overflow = Overflow.wait

    /// How long a loop that takes no events may hold up the other subscriptions of its connection. Five seconds by default.
    public var overflowTimeout: Duration = .seconds(5)

    /// Changes the options of the WebSocket, such as its message limit.
    public var configureSocket: @Sendable (inout WebSocketOptions) -> Void = { _ in }

    /// Called for each change of the shared connection. Return quickly.
    public var onStateChange: (@Sendable (State) -> Void)?

    /// The random number generator for pauses.
    public var randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Creates options with default values.
    public init() {}
}
