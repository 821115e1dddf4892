/// Configures a WebSocket.
///
/// ```swift
/// let socket = try await api.webSocket("live") {
///     $0.subprotocols = ["chat.v2", "chat"]
///     $0.compression = WebSocketCompression()
///     $0.messageLimit = 1 << 20
/// }
/// ```
public struct WebSocketOptions: Sendable, Nonisolated {
    /// The subprotocols to offer, best first. Each must be a token. Empty by default.
    public var subprotocols: [String] = []

    /// Header fields for the handshake's request, in addition to the client's default fields.
    public var fields: HTTPFields = [:]

    /// How messages are compressed. `nil` (the default) turns compression off.
    ///
    /// A compressor uses memory for each socket, and compressing secrets together with text that others choose reveals the
    /// secrets through the length. Turn it on if messages are large and repetitive.
    ///
    /// URLSession ignores this. ``WebSocket/isCompressed`` says what the server agreed to.
    public var compression: WebSocketCompression?

    /// The maximum size of a received message in bytes, after decompression. 16 MiB by default.
    ///
    /// For a larger message the peer gets the close code 1009, and the reader `.tooLarge`.
    public var messageLimit = 16 << 20

    /// The bytes of messages that may wait for a reader before the peer is slowed. 1 MiB by default.
    ///
    /// One more message may wait, and the messages that came in the same chunk.
    public var receiveBuffer = 1 << 20

    /// The maximum payload of a frame that is sent, in bytes; longer messages are split. No limit by default.
    ///
    /// URLSession ignores this.
    public var fragmentSize = Int.max

    /// How the peer is pinged to detect a dead connection; `nil` for never. Every 30 seconds by default.
    public var keepalive: WebSocketKeepalive? = WebSocketKeepalive()

    /// How long the peer may take to answer a close frame. Five seconds by default.
    public var closeTimeout: Duration = .seconds(5)

    /// The clock for pings and timeouts.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The random number generator for keys and masks. The system's secure generator by default (RFC 6455 section 10.3).
    public var randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Changes the options of the handshake's request, such as its timeouts.
    public var adjustRequest: (@Sendable (inout RequestOptions) -> Void)?

    /// Reports messages to the inspector of the client that opens the socket.
    var trace: TrafficTrace?

    /// What the handshake's call knows of its secrets.
    var secrets: SentSecrets?

    /// Creates options with default values.
    public init() {}
}

/// Configures the pings that detect a dead connection.
public struct WebSocketKeepalive: Sendable, Hashable {
    /// The time between pings. 30 seconds by default.
    public var interval: Duration

    /// How long to wait after a ping for a pong or anything else from the peer. 20 seconds by default.
    ///
    /// Then the socket closes, and its readers get `.timedOut(.inactivity)`.
    public var timeout: Duration

    /// Creates a configuration from the time between pings and the time limit for an answer.
    ///
    /// - Parameters:
    ///   - interval: The time between pings.
    ///   - timeout: How long the peer may take to answer.
    public init(interval: Duration = .seconds(30), timeout: Duration = .seconds(20)) {
        self.interval = interval
        self.timeout = timeout
    }
}

/// Configures the compression of messages: permessage-deflate (RFC 7692). The server may decline, or request less memory.
public struct WebSocketCompression: Sendable, Hashable {
    /// Whether a side keeps its compression context between messages: smaller messages for more memory.
    public enum Context: Sendable, Hashable {
        /// `kept` compresses a message with the context of earlier ones; `forgotten` resets the context after each
        /// message.
        case kept, forgotten
    }

    /// The base-2 logarithm of the client's window: 9 to 15. 15 by default; other values are clamped.
    public var clientWindowBits = 15

    /// The base-2 logarithm of the server's window: 9 to 15. 15 by default; other values are clamped.
    public var serverWindowBits = 15

    /// Whether the client keeps its context. Kept by default.
    public var clientContext = Context.kept

    /// Whether the server keeps its context. Kept by default.
    public var serverContext = Context.kept

    /// Messages below this size in bytes are not compressed. 64 by default.
    public var threshold = 64

    /// The compression level, from 1 (fastest) to 9 (smallest). 6 by default.
    public var level = 6

    /// Creates a configuration with default values.
    public init() {}

    /// The parameters that a client offers, or that a server accepts.
    package var parameters: DeflateParameters {
        DeflateParameters(
            clientWindowBits: min(max(clientWindowBits, 9), 15), serverWindowBits: min(max(serverWindowBits, 9), 15),
            clientForgets: clientContext == .forgotten, serverForgets: serverContext == .forgotten)
    }
}
