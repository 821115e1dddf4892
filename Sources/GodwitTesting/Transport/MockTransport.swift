public import GodwitCore

/// A transport without a network, with scripted responses. It records the requests.
///
/// ```swift
/// let mock = MockTransport {
///     $0.when(.get, "/v1/articles/1").reply(json: ["id": 1, "title": "Tides"])
///     $0.get("/v1/flaky").replies([.status(503), .failure(.timedOut(.inactivity)), .text("at last")])
///     $0.get("/v1/slow").reply(.text("late"), after: .seconds(30))
/// }
/// let client = APIClient(baseURL: "https://api.example.com/v1", transport: mock)
/// …
/// #expect(mock.requests.map(\.path) == ["/v1/articles/1"])
/// ```
///
/// It follows the contract of `HTTPTransport`: header fields are checked, delivery and limits are respected, cancellation
/// throws `.cancelled`. A request without a route throws `.invalidRequest` with the list of routes. Routes are the same as for a
/// ``MockServer``, for any host. Without sockets, some things differ:
///
/// - Timeouts never occur; use ``MockResponse/failure(_:phase:)``.
/// - `.raw` throws `.unsupported`; interim responses and trailers are omitted.
/// - An ``MockRoute/early()`` route never reads the body.
/// - Metrics count bytes, not time.
/// - A WebSocket message is sent once the other end has received it.
public final class MockTransport: HTTPTransport {
    private struct Exchanges: Sendable {
        var open: [ObjectIdentifier: MockExchange] = [:]
        var isShutDown = false
    }

    let table: RouteTable
    private let clock: any Clock<Duration>
    private let bodyLimit: Int
    private let recorder = RequestRecorder(limit: 10_000)
    private let exchanges = Watched(Exchanges())

    /// Creates a transport that answers requests by routes.
    ///
    /// `clock` measures delays, intervals and rates. `bodyLimit` is the maximum number of bytes of a request body to keep;
    /// further bytes are only counted. 8 MiB by default.
    public convenience init(
        clock: any Clock<Duration> = ContinuousClock(), bodyLimit: Int = 8 << 20, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, routes: (MockRoutes) -> Void
    ) {
        self.init(RouteTable(at: MockSourceLocation(fileID, filePath, line, column), routes), clock, bodyLimit)
    }

    /// Creates a transport that answers each request with a closure.
    ///
    /// A `NetworkError` of the closure is thrown with the request added, any other error as `.transport(.other)`.
    ///
    /// ```swift
    /// let mock = MockTransport { request in .json(["path": "\(request.path)"]) }
    /// ```
    ///
    /// The closure may run for several requests at the same time. `clock` and `bodyLimit` are those of the other initializer.
    public convenience init(
        clock: any Clock<Duration> = ContinuousClock(), bodyLimit: Int = 8 << 20, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        handler: @escaping MockRoute.Handler
    ) {
        self.init(RouteTable(at: MockSourceLocation(fileID, filePath, line, column), handler), clock, bodyLimit)
    }

    private init(_ table: RouteTable, _ clock: any Clock<Duration>, _ bodyLimit: Int) {
        self.table = table
        self.clock = clock
        self.bodyLimit = bodyLimit
    }

    /// Answers a request with the first route that matches.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let exchange = MockExchange(request)
        guard begin(exchange) else { throw NetworkError(.shutdown, phase: .building, request: request) }
        let answering = MockAnswering(
            exchange: exchange, table: table, clock: clock, bodyLimit: bodyLimit, recorder: recorder)
        exchange.start {
            await answering.run()
            self.end(exchange)
        }
        let outcome = await exchange.outcome()
        // A canceled exchange has ended, even if its handler ignores cancellation.
        if case .failure = outcome { end(exchange) }
        return try outcome.get()
    }

    /// Finishes or cancels the open exchanges, and returns when all have ended. Later requests throw `.shutdown`.
    ///
    /// An unread streamed body counts as an open exchange. A canceled caller does not wait.
    public func shutdown(_ mode: ShutdownMode) async {
        let open = exchanges.update { exchanges in
            exchanges.isShutDown = true
            return Array(exchanges.open.values)
        }
        if mode == .cancelling {
            for exchange in open {
                exchange.cancel()
                end(exchange)
            }
        }
        try? await exchanges.wait { $0.open.isEmpty }
    }

    private func begin(_ exchange: MockExchange) -> Bool {
        exchanges.update { exchanges in
            guard !exchanges.isShutDown else { return false }
            exchanges.open[ObjectIdentifier(exchange)] = exchange
            return true
        }
    }

    private func end(_ exchange: MockExchange) {
        exchanges.update { $0.open[ObjectIdentifier(exchange)] = nil }
    }
}

extension MockTransport {
    /// The requests so far in order, including open ones and those without a route; the last 10,000.
    ///
    /// Requests with invalid header fields are not included.
    public var requests: [MockRequest] { recorder.requests }

    /// The number of all requests, including dropped ones.
    public var requestCount: Int { recorder.count }

    /// The number of open exchanges, including those with an unread streamed body.
    public var openExchangeCount: Int { exchanges.value.open.count }

    /// Waits until a number of requests with their bodies were received, and returns all requests.
    ///
    /// ```swift
    /// let request = try await mock.waitForRequests()[0]
    /// ```
    ///
    /// An aborted request counts too.
    ///
    /// - Parameters:
    ///   - count: The number of requests since the transport was made.
    ///   - limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Returns: All requests in order.
    /// - Throws: ``WaitFailure`` with the received requests, if the limit passes or the task is canceled.
    @discardableResult
    public func waitForRequests(
        count: Int = 1, within limit: Duration = .seconds(30)
    ) async throws(WaitFailure) -> [MockRequest] {
        try await recorder.wait(forFinished: count, within: limit)
    }

    /// Waits until no exchange is open.
    ///
    /// - Parameter limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Throws: ``WaitFailure`` with the open requests, if the limit passes or the task is canceled.
    public func waitUntilExchangesEnd(within limit: Duration = .seconds(30)) async throws(WaitFailure) {
        try await exchanges.wait(within: limit, for: "all exchanges to end", else: Self.summary) { $0.open.isEmpty }
    }

    private static func summary(of exchanges: Exchanges) -> String {
        let requests = exchanges.open.values.prefix(20).map { "\($0.request.method) \($0.request.url.path)" }
        return "\(exchanges.open.count) open: \(requests.sorted().joined(separator: ", "))"
    }

    /// The requests without a route, and the routes and replies that are unused so far.
    public var issues: [MockIssue] { table.use.issues }

    /// Checks that each request had a route and each route was used.
    ///
    /// ```swift
    /// let mock = MockTransport { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
    /// let api = APIClient(baseURL: "https://api.example.com", transport: mock)
    /// _ = try await api.send(.article(id: 1))
    /// try mock.verify()
    /// ```
    ///
    /// Call it at the end of a test, or use `@Test(.strictMocks)` of `GodwitTestingTraits` for all mocks of a test.
    ///
    /// - Throws: ``MockFailure`` with every issue.
    public func verify() throws(MockFailure) {
        try MockFailure.check(issues)
    }
}
