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
        /// options.inspector = .local                          // the page of `godwit inspect`
        /// ```
        ///
        /// Of a WebSocket, only the handshake is shown.
        public var inspector: Inspector?

        /// Makes the defaults.
        public init() {}
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
