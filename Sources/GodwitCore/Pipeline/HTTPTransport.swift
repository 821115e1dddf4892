/// Carries one HTTP exchange over the network: the one abstraction between Godwit and a socket.
///
/// ## What a transport does, and what it does not
///
/// A transport sends exactly the request it is given and reports exactly the answer it gets. Redirects, cookies, the
/// cache, credentials and retries are not its business: they are ``Middleware`` above it, written once for every
/// transport. A transport does own connections, TLS, HTTP/1.1 and HTTP/2, content codings, proxies and timeouts.
///
/// Write a transport to reach a server by other means: a recording, a message bus, another HTTP stack. To change or
/// answer requests on their way to an existing transport, write a ``Middleware`` instead.
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
/// - Fields are checked first: an invalid field, or one reserved for the transport, throws
///   `.invalidRequest` and nothing is sent.
/// - ``HTTPRequest/delivery`` says where the response body goes; see ``Delivery``.
/// - Cancelling the calling task ends the exchange, closes its stream or connection, and throws `.cancelled`.
/// - Every error is a ``NetworkError`` that carries the request that was sent.
/// - `send` may be called from any number of tasks at once.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns its response.
    ///
    /// Returns when the response head is in (`.streamed`), or when the whole body is (`.buffered`, `.file`).
    /// Responses of every status are returned; only a failed exchange throws.
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse

    /// Opens connections to the host of a URL and keeps them for the requests that follow.
    ///
    /// Sends no request. A transport that cannot do it does nothing.
    ///
    /// - Parameters:
    ///   - url: Its scheme, host and port count.
    ///   - connections: How many; no more than the limit per host. One is enough for a server that speaks HTTP/2.
    /// - Throws: Why a connection could not be made; others may have been.
    func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError)

    /// Ends the transport's work: waits for exchanges under way, or cancels them, and lets go of connections.
    ///
    /// A `send` that comes later throws `.shutdown`. Calling it again does no harm.
    ///
    /// Returns once nothing is under way any more.
    func shutdown(_ mode: ShutdownMode) async

    /// Names the engine, its version and its protocols, such as `libcurl 8.14.1 (HTTP/2, HTTP/1.1)`, for logs.
    ///
    /// The name of the type by default. Holds no secrets.
    var engineDescription: String { get }

    /// Returns the fields that the transport adds to a request when it sends it, as far as it knows them, for logs.
    ///
    /// A transport adds `Host` and `Content-Length`, for example. Empty by default.
    ///
    /// - Parameter request: The request as it reaches the transport.
    func addedFields(for request: HTTPRequest) -> HTTPFields
}

extension HTTPTransport {
    /// Does nothing: a transport without connections has none to open.
    public func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {}

    /// Does nothing: a transport without connections of its own has nothing to let go of.
    public func shutdown(_ mode: ShutdownMode) async {}

    /// The name of the type.
    public var engineDescription: String { "\(Self.self)" }

    /// None: a transport that says nothing adds no fields.
    public func addedFields(for request: HTTPRequest) -> HTTPFields { [:] }
}

extension HTTPRequest {
    /// The fields that every transport over HTTP/1.1 writes by itself: `Host`, and how long the content is. HTTP/2 has other
    /// names for them.
    package var framingFields: HTTPFields {
        var added: HTTPFields = [:]
        if !fields.contains(.host) { added.append(url.origin.hostAndPort, for: .host) }
        guard let body else {
            // Methods that expect content say so even if there is none (RFC 9110 section 8.6).
            if method == .post || method == .put || method == .patch { added.append("0", for: .contentLength) }
            return added
        }
        if let length = body.length {
            added.append("\(length)", for: .contentLength)
        } else {
            added.append("chunked", for: .transferEncoding)
        }
        return added
    }
}

/// How a transport treats exchanges that are under way when it is shut down.
///
/// ```swift
/// await api.shutdown(.cancelling)
/// ```
public enum ShutdownMode: Sendable, Hashable {
    /// Lets them finish.
    case finishing
    /// Ends them; their callers see `.cancelled`.
    case cancelling
}

/// In the place of a transport that knows nothing of the TLS rules it was to keep: sends nothing.
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

    func shutdown(_ mode: ShutdownMode) async {
        await refused.shutdown(mode)
    }
}
