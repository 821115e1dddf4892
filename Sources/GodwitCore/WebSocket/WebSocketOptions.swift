/// What a WebSocket is made with.
///
/// ```swift
/// let socket = try await api.webSocket("live") {
///     $0.subprotocols = ["chat.v2", "chat"]
///     $0.compression = WebSocketCompression()
///     $0.messageLimit = 1 << 20
/// }
/// ```
public struct WebSocketOptions: Sendable, Nonisolated {
    /// The subprotocols to offer, the best first. Tokens; none by default.
    public var subprotocols: [String] = []

    /// Fields for the handshake's request, beside the client's default fields.
    public var fields: HTTPFields = [:]

    /// Whether and how messages are compressed; nil, the default, for not at all.
    ///
    /// A compressor takes memory for each socket, and compressing secrets beside what others can choose gives away
    /// the secrets by their length: ask for it where messages are large and alike.
    ///
    /// URLSession decides by itself; ``WebSocket/isCompressed`` says what the server agreed to.
    public var compression: WebSocketCompression?

    /// The most bytes a received message may have, after decompression. 16 MiB by default.
    ///
    /// A peer that sends more gets the close code 1009, and the reader `.tooLarge`.
    public var messageLimit = 16 << 20

    /// The bytes of messages that may wait for their reader before the peer is slowed. 1 MiB by default.
    ///
    /// One message more than that may wait, and the messages that came in the same piece.
    public var receiveBuffer = 1 << 20

    /// The most bytes of content in one frame that is sent; longer messages are sent in several. No limit by default.
    ///
    /// URLSession frames as it likes.
    public var fragmentSize = Int.max

    /// How the peer is asked whether it is still there; nil for never. Every 30 seconds by default.
    public var keepalive: WebSocketKeepalive? = WebSocketKeepalive()

    /// How long the peer may take to answer a close frame. Five seconds by default.
    public var closeTimeout: Duration = .seconds(5)

    /// What waits are measured by. Tests put a clock here that they wind by hand.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Where keys and masks come from; the system's secure source by default (RFC 6455 section 10.3).
    public var randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Changes the options of the handshake's request, such as its timeouts.
    public var adjustRequest: (@Sendable (inout RequestOptions) -> Void)?

    /// Makes the defaults.
    public init() {}
}

/// How a socket finds out that its peer is gone: by a ping now and then.
public struct WebSocketKeepalive: Sendable, Hashable {
    /// How long to wait before each ping. 30 seconds by default.
    public var interval: Duration

    /// How long to wait for a sign of life after it: a pong, or anything else. 20 seconds by default.
    ///
    /// Then the socket is closed, and its readers get `.timedOut(.inactivity)`.
    public var timeout: Duration

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - interval: The time from one ping to the next.
    ///   - timeout: How long the answer may take before the connection is given up.
    public init(interval: Duration = .seconds(30), timeout: Duration = .seconds(20)) {
        self.interval = interval
        self.timeout = timeout
    }
}

/// How messages are compressed: permessage-deflate (RFC 7692).
///
/// The server decides: it may refuse, or ask for less memory.
public struct WebSocketCompression: Sendable, Hashable {
    /// Whether a side remembers earlier messages, which makes the next ones smaller and costs memory meanwhile.
    public enum Context: Sendable, Hashable {
        case kept, forgotten
    }

    /// The base-2 logarithm of the window that we compress with: 9 to 15, the default; others count as the nearest.
    public var clientWindowBits = 15

    /// The same for the server.
    public var serverWindowBits = 15

    /// Whether we remember our earlier messages. Kept by default.
    public var clientContext = Context.kept

    /// The same for the server.
    public var serverContext = Context.kept

    /// Shorter messages are sent as they are. 64 bytes by default.
    public var threshold = 64

    /// From 1, fast, to 9, small. 6 by default.
    public var level = 6

    /// Makes the defaults.
    public init() {}

    /// What is offered, or a server's wishes.
    package var parameters: DeflateParameters {
        DeflateParameters(
            clientWindowBits: min(max(clientWindowBits, 9), 15), serverWindowBits: min(max(serverWindowBits, 9), 15),
            clientForgets: clientContext == .forgotten, serverForgets: serverContext == .forgotten)
    }
}
