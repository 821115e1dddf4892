public import GodwitCore

extension MockServer {
    /// The address and the limits of a server.
    ///
    /// ```swift
    /// var options = MockServer.Options()
    /// options.address = .ipv6()
    /// options.bodyLimit = 1 << 10
    /// let server = try await MockServer(options) { route in route.any("*").reply(.text("hello")) }
    /// ```
    public struct Options: Sendable {
        /// The address to listen on; a free port of 127.0.0.1 by default.
        public var address = Address.ipv4()

        /// The behavior in TLS handshakes; `nil` (the default) serves plain http. See ``tls(_:)``.
        public var tls: TLS?

        /// The versions of HTTP that the server speaks; HTTP/1.1 alone by default.
        ///
        /// ```swift
        /// var options = MockServer.Options.tls
        /// options.protocols = .http2AndHTTP1
        /// let server = try await MockServer(options) { route in route.any("*").reply(.text("hello")) }
        /// ```
        ///
        /// Over HTTP/2, a response that is reset resets its stream alone (RST_STREAM). One that drops or truncates the connection
        /// sends GOAWAY, if it can, and ends the connection with all of its streams. `closing()` sends GOAWAY, and the connection ends
        /// with its last stream. Raw responses and tunnels reset the stream, and WebSocket routes answer 501. A connection takes 100
        /// requests at once.
        ///
        /// Linux only, because HTTP/2 needs nghttp2. On other systems, a server with HTTP/2 throws `.unsupported` when it starts.
        public var protocols = Protocols.http1

        /// Maximum bytes of a request body to keep; further bytes are only counted. 8 MiB by default.
        public var bodyLimit = 8 << 20

        /// Maximum requests to keep; older ones are dropped. 10,000 by default. Use 0 for a server that runs for a long time.
        public var recordLimit = 10_000

        /// Maximum bytes of a request's head; a larger one gets a 431. 64 KiB by default.
        public var headLimit = 64 << 10

        /// The size of the system's receive buffer in bytes; `nil` means the system's default.
        ///
        /// With a small buffer, a slow reader slows down the client early.
        public var receiveBuffer: Int?

        /// The size of the system's send buffer in bytes; `nil` means the system's default.
        public var sendBuffer: Int?

        /// Measures delays, intervals and rates. With a ``TestClock``, a test controls them.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// Receives each request with the status of its response, before the response is sent; `nil` by default.
        ///
        /// The status is `nil` if the response isn't HTTP, or none is sent. Runs on the connection's thread.
        public var onResponse: (@Sendable (MockRequest, HTTPStatus?) -> Void)?

        /// Shows the requests and responses of the server on the inspector page; `nil` by default.
        ///
        /// ```swift
        /// var server = MockServer.Options()
        /// server.inspector = .local                           // the page of `godwit inspect`
        /// ```
        ///
        /// Of a WebSocket, only the handshake is shown.
        public var inspector: Inspector?

        /// Creates options with default values.
        public init() {}
    }

    /// The versions of HTTP that a server speaks.
    public enum Protocols: Sendable, Hashable {
        /// HTTP/1.1 and HTTP/1.0.
        case http1
        /// HTTP/2 for clients that ask for it, by ALPN over TLS (RFC 7301) or with prior knowledge over plain http (RFC 9113 section
        /// 3.3), and HTTP/1.1 for others.
        case http2AndHTTP1
        /// HTTP/2. Connections that don't begin with it are closed.
        case http2
    }

    /// A loopback address.
    public enum Address: Sendable, Hashable {
        /// 127.0.0.1; port 0 chooses a free port.
        case ipv4(port: UInt16 = 0)
        /// ::1; port 0 chooses a free port.
        case ipv6(port: UInt16 = 0)
        /// A unix-domain socket, created at this path and removed at the end.
        case unixSocket(path: String)
    }
}
