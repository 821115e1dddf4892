public import GodwitCore
import GodwitSupport
import Synchronization

/// An HTTP/1.1 and HTTP/2 server on loopback with scripted responses, for tests and demos.
///
/// ```swift
/// let server = try await MockServer { route in
///     route.get("/articles/1").reply(json: ["id": 1, "title": "Tides"])
///     route.get("/slow").reply(.endlessChunks(every: .milliseconds(50)), dropAfter: .bytes(1000))
///     route.post("/articles").reply { request in .json(try request.decoded(as: Draft.self), status: .created) }
/// }
/// let client = APIClient(baseURL: server.url)
/// …
/// #expect(server.requests.map(\.path) == ["/articles/1"])
/// await server.stop()
/// ```
///
/// `MockServer(.tls)` uses TLS; see ``TLS``. With ``Options/protocols``, the server speaks HTTP/2.
///
/// The server parses requests strictly. A request that violates RFC 9112 gets a 400 with the reason and is not recorded; a
/// request without a route gets a 404 with the list of routes. A client that closes its sending side counts as disconnected.
/// If a response leaves a part of the request's body unread, the server discards further bytes for up to a second, so that the
/// client can read the response.
///
/// The server stops when it is deallocated. ``stop()`` also waits until all its threads and sockets are closed.
public final class MockServer: Sendable {
    /// The URL with the path `/` and the actual port: `http://127.0.0.1:40123/`, or https with TLS. `http://localhost/` for a
    /// unix-domain socket.
    public let url: HTTPURL

    /// The names and certificates; `nil` over plain http.
    let identity: ServerIdentity?
    /// The reasons of failed handshakes.
    let handshakes = Watched<[String]>([])

    let routes: CurrentRoutes
    private let core: ServerCore
    private let recorder: RequestRecorder
    private let thread: SystemThread
    private let isJoined = Atomic(false)

    /// Starts a server with routes. It listens when the initializer returns.
    ///
    /// Throws `.transport` if it can't listen, `.invalidRequest` for an invalid socket path or certificate name, and
    /// `.unsupported` for TLS on a system without OpenSSL.
    public nonisolated(nonsending) convenience init(
        _ options: Options = Options(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, routes: (MockRoutes) -> Void
    ) async throws(NetworkError) {
        try self.init(options, RouteTable(at: MockSourceLocation(fileID, filePath, line, column), routes))
    }

    /// Starts a server that answers each request with a closure. An error of the closure becomes a 500.
    ///
    /// ```swift
    /// let server = try await MockServer { request in .text("\(request.method) \(request.path)") }
    /// ```
    ///
    /// Throws the same errors as the other initializer.
    public nonisolated(nonsending) convenience init(
        _ options: Options = Options(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, handler: @escaping MockRoute.Handler
    ) async throws(NetworkError) {
        try self.init(options, RouteTable(at: MockSourceLocation(fileID, filePath, line, column), handler))
    }

    private init(_ options: Options, _ table: RouteTable) throws(NetworkError) {
        if options.protocols != .http1, !ServerProtocol.hasHTTP2 {
            throw NetworkError(
                .unsupported(feature: "MockServer with HTTP/2", on: "a system without nghttp2"), phase: .building)
        }
        var identity: ServerIdentity?
        if let tls = options.tls { identity = try ServerIdentity(tls, options.protocols) }
        let listener = try Listener(options)
        guard let pipe = WakePipe() else { throw Self.exhausted }
        let recorder = RequestRecorder(limit: options.recordLimit)
        let routes = CurrentRoutes(table)
        let service = ServerService(
            routes: routes, options: options, recorder: recorder,
            inspection: options.inspector.map(ServerInspection.init), acceptor: identity?.acceptor,
            handshakes: handshakes)
        let core = ServerCore(listener, service, pipe)
        guard let thread = SystemThread({ core.run() }) else { throw Self.exhausted }
        url = listener.url
        self.identity = identity
        self.routes = routes
        self.core = core
        self.recorder = recorder
        self.thread = thread
    }

    deinit {
        core.beginStopping()
        if claimJoin() { thread.detach() }
    }

    /// Replaces all routes. Requests that are being answered keep theirs, and connections stay open.
    ///
    /// ```swift
    /// server.setRoutes { route in route.any("*").reply(.status(.serviceUnavailable)) }
    /// ```
    ///
    /// ``issues`` are then those of the new routes.
    public func setRoutes(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, routes write: (MockRoutes) -> Void
    ) {
        routes.table = RouteTable(at: MockSourceLocation(fileID, filePath, line, column), write)
    }

    /// Ends all connections, and returns once all threads and sockets of the server are closed.
    ///
    /// Running handlers are canceled, without waiting for them. Further calls have no effect.
    public func stop() async {
        core.beginStopping()
        // A separate task, so that a canceled caller waits too.
        let stopped = Task { [core] in try await core.connections.wait { $0.isStopped } }
        _ = await stopped.result
        // The thread has finished its work, so this blocks only briefly.
        if claimJoin() { thread.join() }
    }

    private func claimJoin() -> Bool {
        !isJoined.exchange(true, ordering: .acquiringAndReleasing)
    }

    private static let exhausted = NetworkError(
        .transport(.other("MockServer cannot start: no thread or descriptor is left")), phase: .connecting)
}

extension MockServer {
    /// The requests so far in order, including unfinished ones; the last ``Options/recordLimit``.
    public var requests: [MockRequest] { recorder.requests }

    /// The number of all requests, including dropped ones.
    public var requestCount: Int { recorder.count }

    /// Waits until a number of requests with their bodies were received, and returns all requests.
    ///
    /// An aborted request counts too.
    ///
    /// ```swift
    /// let request = try await server.waitForRequests()[0]
    /// ```
    ///
    /// - Parameters:
    ///   - count: The number of requests since the server started.
    ///   - limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Returns: All requests in order.
    /// - Throws: ``WaitFailure`` with the received requests, if the limit passes or the task is canceled.
    @discardableResult
    public func waitForRequests(
        count: Int = 1, within limit: Duration = .seconds(30)
    ) async throws(WaitFailure) -> [MockRequest] {
        try await recorder.wait(forFinished: count, within: limit)
    }

    /// The number of accepted connections. If connections were reused, it is lower than ``requestCount``.
    public var connectionCount: Int { core.connections.value.accepted }

    /// The number of open connections.
    public var openConnectionCount: Int { core.connections.value.open.count }

    /// Waits until no connection is open.
    ///
    /// - Parameter limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Throws: ``WaitFailure`` with the number of open connections, if the limit passes or the task is canceled.
    public func waitUntilConnectionsClose(within limit: Duration = .seconds(30)) async throws(WaitFailure) {
        let connections = core.connections
        try await connections.wait(within: limit, for: "all connections to close") {
            "\($0.open.count) of \($0.accepted) are open"
        } until: {
            $0.open.isEmpty
        }
    }

    /// The requests without a route, and the routes and replies that are unused so far.
    public var issues: [MockIssue] { routes.table.use.issues }

    /// Checks that each request had a route and each route was used, like ``MockTransport/verify()``.
    ///
    /// - Throws: ``MockFailure`` with every issue.
    public func verify() throws(MockFailure) {
        try MockFailure.check(issues)
    }
}
