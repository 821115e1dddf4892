extension MockServer {
    /// How a server listens, and how much it keeps.
    ///
    /// ```swift
    /// var options = MockServer.Options()
    /// options.address = .ipv6()
    /// options.bodyLimit = 1 << 10
    /// let server = try await MockServer(options) { route in route.any("*").reply(.text("hello")) }
    /// ```
    public struct Options: Sendable {
        /// Where to listen; any free port of 127.0.0.1 by default.
        public var address = Address.ipv4()

        /// What the server does in TLS handshakes; nil, the default, serves plain http. See ``tls(_:)``.
        public var tls: TLS?

        /// The most bytes of one request's content that are kept; 8 MiB by default. More is counted and thrown away.
        public var bodyLimit = 8 << 20

        /// The most requests that are kept; 10,000 by default. Older ones are forgotten. 0 for a server that runs for
        /// long and is not asked.
        public var recordLimit = 10_000

        /// The most bytes of a request's head; 64 KiB by default. More is answered with 431.
        public var headLimit = 64 << 10

        /// The size of the system's receive buffer in bytes; nil leaves it to the system.
        ///
        /// A small one lets a slow reader hold a client back early.
        public var receiveBuffer: Int?

        /// The size of the system's send buffer in bytes; nil leaves it to the system.
        public var sendBuffer: Int?

        /// What delays, intervals and paces are measured by.
        ///
        /// A ``TestClock`` makes delays pass at a test's command.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// Makes the defaults.
        public init() {}
    }

    /// Where a server listens; always on this machine.
    public enum Address: Sendable, Hashable {
        /// 127.0.0.1; port 0 takes a free one.
        case ipv4(port: UInt16 = 0)
        /// ::1; port 0 takes a free one.
        case ipv6(port: UInt16 = 0)
        /// A unix-domain socket that is made at this path, and removed at the end.
        case unixSocket(path: String)
    }
}
