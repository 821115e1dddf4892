/// Sends HTTP requests over the network: the only abstraction between Godwit and a socket.
///
/// ## Responsibilities
///
/// A transport sends exactly the request it gets and returns exactly the response it receives. It manages connections,
/// TLS, HTTP/1.1 and HTTP/2, content codings, proxies and timeouts. Redirects, cookies, caching, credentials and
/// retries are ``Middleware``, written once for every transport.
///
/// Write a transport to reach a server by other means: a recording, a message bus, another HTTP stack. To change or
/// answer requests before they reach an existing transport, write a ``Middleware`` instead.
///
/// ```swift
/// struct Offline: HTTPTransport {
///     func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
///         throw NetworkError(.offline(.noPath), phase: .connecting, request: request)
///     }
/// }
/// ```
///
/// ## The contract
///
/// - Fields are checked first: an invalid field, or one reserved for the transport, throws `.invalidRequest`, and
///   nothing is sent.
/// - ``HTTPRequest/delivery`` sets the destination of the response body; see ``Delivery``.
/// - Canceling the calling task ends the exchange, closes its stream or connection, and throws `.cancelled`.
/// - Every error is a ``NetworkError`` that contains the request as it was sent.
/// - Any number of tasks can call `send` at the same time.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns its response.
    ///
    /// Returns when the response head has arrived (`.streamed`) or the whole body (`.buffered`, `.file`). Returns
    /// responses of every status; only a failed exchange throws.
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse

    /// Opens connections to a URL's host in advance, for later requests.
    ///
    /// Sends no request. A transport that doesn't support it does nothing.
    ///
    /// - Parameters:
    ///   - url: Only its scheme, host and port are used.
    ///   - connections: The number of connections, up to the limit per host. One is enough for an HTTP/2 server.
    /// - Throws: The error if a connection can't be opened; others may be open.
    func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError)

    /// Shuts down the transport: finishes or cancels exchanges in progress, then closes all connections.
    ///
    /// Returns when no exchange is in progress. Later sends throw `.shutdown`. Can be called repeatedly.
    func shutdown(_ mode: ShutdownMode) async

    /// The engine's name and protocols, such as `Godwit sockets (HTTP/2, HTTP/1.1)`, for logs.
    ///
    /// The name of the type by default. Must not contain secrets.
    var engineDescription: String { get }

    /// Returns the header fields that the transport adds to a request, as far as it knows them, for logs.
    ///
    /// A transport adds `Host` and `Content-Length`, for example. Empty by default.
    ///
    /// - Parameter request: The request as it reaches the transport.
    func addedFields(for request: HTTPRequest) -> HTTPFields

    /// Returns how many connections the transport has, for metrics. `nil`, the default, if it doesn't know.
    func connectionCounts() async -> ConnectionCounts?

    /// Whether requests to a loopback origin leave this machine, such as through a proxy.
    ///
    /// If so, plain http to that origin carries no credentials. `false` by default.
    ///
    /// - Parameter origin: An origin on this machine (``Origin/isLoopback``).
    func forwardsLoopback(_ origin: Origin) -> Bool
}

extension HTTPTransport {
    /// Does nothing, for transports without connections.
    public func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {}

    /// Does nothing, for transports without connections.
    public func shutdown(_ mode: ShutdownMode) async {}

    /// The name of the type.
    public var engineDescription: String { "\(Self.self)" }

    /// Returns no fields.
    public func addedFields(for request: HTTPRequest) -> HTTPFields { [:] }

    /// Returns `nil`: the counts are unknown.
    public func connectionCounts() async -> ConnectionCounts? { nil }

    /// Returns `false`: loopback requests stay on this machine.
    public func forwardsLoopback(_ origin: Origin) -> Bool { false }
}

extension HTTPTransport {
    /// Whether the network can't read what is sent to an origin through this transport.
    ///
    /// The one rule of everything that sends a secret.
    package func isConfidential(_ origin: Origin) -> Bool {
        origin.isConfidential && (origin.scheme == .https || !forwardsLoopback(origin))
    }
}

/// How many connections a transport has.
///
/// ```swift
/// if let counts = await transport.connectionCounts() { print(counts.open, counts.idle) }
/// ```
public struct ConnectionCounts: Sendable, Hashable {
    /// The open connections, without those of WebSockets.
    public var open: Int

    /// The open connections that no request uses.
    public var idle: Int

    /// The requests that have no connection yet: they wait for one, or for its handshake.
    public var waiting: Int

    /// Creates counts of open, idle and awaited connections.
    public init(open: Int, idle: Int, waiting: Int) {
        self.open = open
        self.idle = idle
        self.waiting = waiting
    }

    /// The counts of two together. `nil` counts nothing.
    package static func sum(_ one: Self?, _ other: Self?) -> Self? {
        guard let one, let other else { return one ?? other }
        return Self(open: one.open + other.open, idle: one.idle + other.idle, waiting: one.waiting + other.waiting)
    }
}

extension HTTPRequest {
    /// The fields that every transport writes over HTTP/1.1: `Host`, and the length of the body. HTTP/2 uses other
    /// names.
    package var framingFields: HTTPFields {
        var added: HTTPFields = [:]
        if !fields.contains(.host) { added.append(url.origin.hostAndPort, for: .host) }
        guard let body else {
            if method.expectsContent { added.append("0", for: .contentLength) }
            return added
        }
        if let length = body.length {
            added.append("\(length)", for: .contentLength)
        } else {
            added.append("chunked", for: .transferEncoding)
        }
        if let announced = body.announcedTrailers { added.append(announced, for: .trailer) }
        return added
    }
}

/// How a shutdown treats exchanges in progress.
///
/// ```swift
/// await api.shutdown(.cancelling)
/// ```
public enum ShutdownMode: Sendable, Hashable {
    /// Lets exchanges in progress finish.
    case finishing
    /// Cancels exchanges in progress; their callers get `.cancelled`.
    case cancelling
}

/// Replaces a transport that can't apply the client's TLS settings. Sends nothing.
struct RefusingTransport: HTTPTransport {
    let refused: any HTTPTransport

    var engineDescription: String { refused.engineDescription }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let reason = "the client's TLS rules are not its transport's; give them to the transport"
        throw NetworkError(.invalidRequest(reason: reason), phase: .building, request: request)
    }

    func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {
        _ = try await send(HTTPRequest(url: url))
    }

    func connectionCounts() async -> ConnectionCounts? { await refused.connectionCounts() }

    func forwardsLoopback(_ origin: Origin) -> Bool { refused.forwardsLoopback(origin) }

    func shutdown(_ mode: ShutdownMode) async {
        await refused.shutdown(mode)
    }
}
