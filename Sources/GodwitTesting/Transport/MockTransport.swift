public import GodwitCore

/// A transport without a network: answers are scripted, requests are kept.
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
/// It keeps the contract of `HTTPTransport`: fields are checked, the delivery and the limits of the request are
/// honoured, cancelling throws `.cancelled`. A request that fits no route throws `.invalidRequest` with the list of the
/// routes. It reads the same routes as a ``MockServer``, whatever the host. What only sockets have is different:
/// time-outs never strike (script ``MockResponse/failure(_:phase:)`` instead), `.raw` throws `.unsupported`, heads
/// from 100 to 199 and trailers are left out, an ``MockRoute/early()`` route never reads the content, and the metrics
/// count bytes and not time. The sockets of ``MockRoutes/webSocket(_:subprotocols:compression:handler:)`` are there, over
/// memory: nothing is between the two ends, so that a message is sent once the other end has it.
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

    /// Makes a transport with routes.
    ///
    /// - Parameters:
    ///   - clock: What delays, intervals and paces are measured by.
    ///   - bodyLimit: The most bytes of one request's content that are kept; more is counted and thrown away.
    ///   - routes: Writes the routes; called once, before this returns.
    public convenience init(
        clock: any Clock<Duration> = ContinuousClock(), bodyLimit: Int = 8 << 20, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, routes: (MockRoutes) -> Void
    ) {
        self.init(RouteTable(at: MockSourceLocation(fileID, filePath, line, column), routes), clock, bodyLimit)
    }

    /// Makes a transport that answers every request by a closure.
    ///
    /// A `NetworkError` that the closure throws is thrown as it is, with the request added; any other error as
    /// `.transport(.other)`.
    ///
    /// ```swift
    /// let mock = MockTransport { request in .json(["path": "\(request.path)"]) }
    /// ```
    ///
    /// - Parameters:
    ///   - clock: What delays, intervals and paces are measured by.
    ///   - bodyLimit: The most bytes of one request's content that are kept; 8 MiB by default.
    ///   - handler: Answers a request; called for any number of them at once.
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

    /// Answers a request by the first route that fits, as the contract of `HTTPTransport` says.
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
        // A cancelled one is over, even where its handler does not notice.
        if case .failure = outcome { end(exchange) }
        return try outcome.get()
    }

    /// Lets the exchanges under way finish or cancels them, and returns when none is left. Later sends throw
    /// `.shutdown`.
    ///
    /// A streamed body that is not read counts as under way. A cancelled caller does not wait.
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
        // A cancelled caller waits no longer.
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

// What the transport saw.
extension MockTransport {
    /// The requests sent so far, in order; those under way and those without a route included.
    ///
    /// Requests that were refused for their fields are not there. The last 10,000 are kept.
    public var requests: [MockRequest] { recorder.requests }

    /// How many requests were sent in all.
    ///
    /// Those that are no longer kept included.
    public var requestCount: Int { recorder.count }

    /// How many exchanges are under way, streamed bodies that are not read to their end included.
    public var openExchangeCount: Int { exchanges.value.open.count }

    /// Waits until so many requests are in, contents included, and returns all that are there.
    ///
    /// ```swift
    /// let request = try await mock.waitForRequests()[0]
    /// ```
    ///
    /// An aborted request counts too.
    ///
    /// - Parameters:
    ///   - count: How many requests in all, since the transport was made.
    ///   - limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Returns: All requests that came, in their order.
    /// - Throws: ``WaitFailure`` with the requests that did come, if the limit passes or the task is canceled.
    @discardableResult
    public func waitForRequests(
        count: Int = 1, within limit: Duration = .seconds(30)
    ) async throws(WaitFailure) -> [MockRequest] {
        try await recorder.wait(forFinished: count, within: limit)
    }

    /// Waits until no exchange is under way.
    ///
    /// - Parameter limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Throws: ``WaitFailure`` with the requests under way, if the limit passes or the task is canceled.
    public func waitUntilExchangesEnd(within limit: Duration = .seconds(30)) async throws(WaitFailure) {
        try await exchanges.wait(within: limit, for: "all exchanges to end", else: Self.summary) { $0.open.isEmpty }
    }

    private static func summary(of exchanges: Exchanges) -> String {
        let requests = exchanges.open.values.prefix(20).map { "\($0.request.method) \($0.request.url.path)" }
        return "\(exchanges.open.count) under way: \(requests.sorted().joined(separator: ", "))"
    }
}

extension MockTransport {
    /// The requests that no route took, and the routes that took no request so far.
    public var issues: [MockIssue] { table.use.issues }

    /// Checks that every request was expected and every route was needed.
    ///
    /// ```swift
    /// let mock = MockTransport { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
    /// let api = APIClient(baseURL: "https://api.example.com", transport: mock)
    /// _ = try await api.send(.article(id: 1))
    /// try mock.verify()
    /// ```
    ///
    /// Call it at the end of a test. `@Test(.strictMocks)` of `GodwitTestingTraits` does so for all mocks of a test.
    ///
    /// - Throws: ``MockFailure`` with every issue. A thrown error fails a test of any framework.
    public func verify() throws(MockFailure) {
        try MockFailure.check(issues)
    }
}
