public import GodwitCore
import Synchronization

/// Serves scripted answers over HTTP/1.1 on this machine's loopback, for tests and demonstrations.
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
/// `MockServer(.tls)` speaks TLS with a certificate of its own; see ``TLS``.
///
/// Requests are read strictly; one that breaks the grammar of RFC 9112 is answered with a 400 that says why, and is not
/// recorded. A request that fits no route gets a 404 that lists the routes. A client that closes its sending side is
/// taken as gone, even if it would still read.
///
/// After an answer that leaves content of the request unread, the server takes what still comes, for up to a second, so
/// that the client gets to read the answer.
///
/// The server stops when it is let go of; ``stop()`` also waits until every thread and socket is gone.
public final class MockServer: Sendable {
    /// The server's address with the path `/`. For a unix-domain socket `http://localhost/`.
    ///
    /// With the port that was taken: `http://127.0.0.1:40123/`, or `https` with TLS.
    public let url: HTTPURL

    /// What TLS shows to clients; nil over plain http.
    let identity: ServerIdentity?
    /// Why handshakes failed.
    let handshakes = Watched<[String]>([])

    let table: RouteTable
    private let core: ServerCore
    private let recorder: RequestRecorder
    private let thread: SystemThread
    private let isJoined = Atomic(false)

    /// Starts a server with routes.
    ///
    /// Throws `.transport` when it cannot listen there, `.invalidRequest` for an impossible socket path or name in the
    /// certificate, and `.unsupported` for TLS on a system without OpenSSL.
    ///
    /// The server listens when this returns.
    public nonisolated(nonsending) convenience init(
        _ options: Options = Options(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, routes: (MockRoutes) -> Void
    ) async throws(NetworkError) {
        try self.init(options, RouteTable(at: MockSourceLocation(fileID, filePath, line, column), routes))
    }

    /// Starts a server that answers every request by a closure. What the closure throws becomes a 500.
    ///
    /// ```swift
    /// let server = try await MockServer { request in .text("\(request.method) \(request.path)") }
    /// ```
    ///
    /// Throws as the other initializer does.
    public nonisolated(nonsending) convenience init(
        _ options: Options = Options(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, handler: @escaping MockRoute.Handler
    ) async throws(NetworkError) {
        try self.init(options, RouteTable(at: MockSourceLocation(fileID, filePath, line, column), handler))
    }

    private init(_ options: Options, _ table: RouteTable) throws(NetworkError) {
        var identity: ServerIdentity?
        if let tls = options.tls { identity = try ServerIdentity(tls) }
        let listener = try Listener(options)
        guard let pipe = WakePipe() else { throw Self.exhausted }
        let recorder = RequestRecorder(limit: options.recordLimit)
        let service = ServerService(
            table: table, options: options, recorder: recorder, acceptor: identity?.acceptor, handshakes: handshakes)
        let core = ServerCore(listener, service, pipe)
        guard let thread = SystemThread({ core.run() }) else { throw Self.exhausted }
        url = listener.url
        self.identity = identity
        self.table = table
        self.core = core
        self.recorder = recorder
        self.thread = thread
    }

    deinit {
        core.beginStopping()
        if claimJoin() { thread.detach() }
    }

    /// Ends all connections, and returns once every thread and socket of the server is gone.
    ///
    /// Handlers under way are cancelled, and not waited for.
    ///
    /// Calling it again does no harm.
    public func stop() async {
        core.beginStopping()
        // Waits in a task of its own, so that a cancelled caller too finds the server gone.
        let stopped = Task { [core] in try await core.connections.wait { $0.isStopped } }
        _ = await stopped.result
        // The thread has nothing left to do, so this does not block for long.
        if claimJoin() { thread.join() }
    }

    private func claimJoin() -> Bool {
        !isJoined.exchange(true, ordering: .acquiringAndReleasing)
    }

    private static let exhausted = NetworkError(
        .transport(.other("MockServer cannot start: no thread or descriptor is left")), phase: .connecting)
}

// What the server saw.
extension MockServer {
    /// The requests received so far, in the order in which their heads came in; those under way included.
    ///
    /// At most `recordLimit` of them, the newest.
    public var requests: [MockRequest] { recorder.requests }

    /// How many requests were received in all, forgotten ones included.
    public var requestCount: Int { recorder.count }

    /// Waits until so many requests are in, contents included, and returns all that are there.
    ///
    /// An aborted request counts too.
    ///
    /// ```swift
    /// let request = try await server.waitForRequests()[0]
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many requests in all, since the server started.
    ///   - limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Returns: All requests that came, in their order.
    /// - Throws: ``WaitFailure`` with the requests that did come, if the limit passes or the task is canceled.
    @discardableResult
    public func waitForRequests(
        count: Int = 1, within limit: Duration = .seconds(30)
    ) async throws(WaitFailure) -> [MockRequest] {
        try await recorder.wait(forFinished: count, within: limit)
    }

    /// How many connections were accepted in all.
    ///
    /// Fewer than the requests where connections were reused.
    public var connectionCount: Int { core.connections.value.accepted }

    /// How many connections are open: accepted, and not yet closed by either side.
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
}

extension MockServer {
    /// The requests that no route took, and the routes that took no request so far.
    public var issues: [MockIssue] { table.use.issues }

    /// Checks that every request was expected and every route was needed, as ``MockTransport/verify()`` does.
    ///
    /// - Throws: ``MockFailure`` with every issue.
    public func verify() throws(MockFailure) {
        try MockFailure.check(issues)
    }
}
