public import GodwitCore

/// A route under construction: the requests that it matches, and its response.
///
/// ```swift
/// route.post("/articles").where { $0.fields[.authorization] != nil }.reply(.status(.created))
/// route.post("/articles").reply(.status(.unauthorized))
/// ```
///
/// A route without a response fails each request that it matches. The last response that is set counts.
public final class MockRoute {
    /// Answers a request. Its error becomes a 500, or is thrown by a ``MockTransport``.
    ///
    /// It may run for several requests at the same time. It is canceled if the client disconnects or the server stops.
    public typealias Handler = @Sendable (MockRequest) async throws -> MockResponse

    private let method: HTTPMethod?
    private let pattern: RoutePattern
    private let query: [String: String]
    private var predicate: (@Sendable (MockRequest) -> Bool)?
    private let location: MockSourceLocation
    private var bodyReading = BodyReading.whole
    private var intake: (@Sendable (MockRequest) -> any BodyIntake)?
    private var reply = Reply.none
    private var isOptional = false

    init(_ method: HTTPMethod?, _ pattern: RoutePattern, query: [String: String], at location: MockSourceLocation) {
        self.location = location
        self.method = method
        self.pattern = pattern
        self.query = query
    }

    /// Matches only requests that meet a condition. Other requests continue with the next route. The last condition counts.
    ///
    /// - Parameter predicate: Runs before the body is read: ``MockRequest/body`` is empty.
    /// - Returns: The route.
    public func `where`(_ predicate: @escaping @Sendable (MockRequest) -> Bool) -> MockRoute {
        self.predicate = predicate
        return self
    }

    /// Allows a strict test to leave the route, or some of its replies, unused (``MockTransport/verify()``).
    ///
    /// ```swift
    /// route.get("/health").optional().reply(.status(.noContent))
    /// ```
    ///
    /// - Returns: The route.
    public func optional() -> MockRoute {
        isOptional = true
        return self
    }

    /// Answers before the body is read. The body is then read and discarded.
    ///
    /// A client that waits for `100 Continue` doesn't receive it: the connection is closed after the response.
    public func early() -> MockRoute {
        bodyReading = .early
        return self
    }

    /// Limits the rate at which the body is read, by the server's clock.
    ///
    /// The system buffers the first megabytes; make the buffer small with ``MockServer/Options/receiveBuffer``.
    ///
    /// - Parameter bytesPerSecond: The rate; at least 1.
    /// - Returns: The route.
    public func readBody(bytesPerSecond: Int) -> MockRoute {
        bodyReading = .paced(bytesPerSecond: max(1, bytesPerSecond))
        return self
    }

    /// Answers each request with the same response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - delay: The time to wait before the first byte.
    ///   - offset: Where in the body to close the connection.
    public func reply(
        _ response: MockResponse, after delay: Duration? = nil, dropAfter offset: MockResponse.BodyOffset? = nil
    ) {
        var response = response
        if let delay { response.delay = delay }
        if let offset { response.fault = .drop(after: offset) }
        replies([response])
    }

    /// Answers each request with a JSON literal.
    ///
    /// - Parameters:
    ///   - value: The body, as a literal.
    ///   - status: The status; 200 by default.
    public func reply(json value: JSONValue, status: HTTPStatus = .ok) {
        replies([.json(value, status: status)])
    }

    /// Answers each request with a value as JSON; see ``MockResponse/json(_:status:coding:)``.
    ///
    /// ```swift
    /// route.get("/articles/1").reply(json: article)             // encoded like the API's own responses
    /// ```
    ///
    /// - Parameters:
    ///   - value: The body.
    ///   - status: The status; 200 by default.
    ///   - coding: The encoding. `nil` (the default) means the API's.
    public func reply(json value: some Encodable & Sendable, status: HTTPStatus = .ok, coding: JSONCoding? = nil) {
        replies([.json(value, status: status, coding: coding)])
    }

    /// Answers the first request with the first response, and so on. The last response is repeated.
    ///
    /// ```swift
    /// route.get("/flaky").replies([.status(503), .status(503), .text("at last")])
    /// ```
    ///
    /// - Parameter responses: The responses in order. An empty array fails each request.
    public func replies(_ responses: [MockResponse]) {
        reply = responses.isEmpty ? .none : .script(ReplyScript(responses))
    }

    /// Fails each request with an error; see ``MockResponse/failure(_:phase:)``.
    ///
    /// ```swift
    /// route.post("/articles").fail(.offline(.noPath))
    /// ```
    ///
    /// - Parameter kind: Thrown by a ``MockTransport``; a ``MockServer`` can only close the connection.
    public func fail(_ kind: NetworkError.Kind) {
        replies([.failure(kind)])
    }

    /// Answers each request with the result of a closure.
    ///
    /// ```swift
    /// route.get("/articles/:id").reply { request in .text(request.parameters["id"] ?? "") }
    /// ```
    ///
    /// - Parameter handler: Makes the response. It may suspend.
    public func reply(_ handler: @escaping Handler) {
        reply = .handler { request in try await handler(request).resolved(by: request.coding) }
    }

    /// Hands each body over while it arrives, and answers with what the intake says.
    func take(_ intake: @escaping @Sendable (MockRequest) -> any BodyIntake) {
        self.intake = intake
        reply = .handler { request in request.intake?.respond() ?? .status(.internalServerError) }
    }

    /// Accepts a WebSocket.
    func accept(_ route: WebSocketRoute) {
        reply = .webSocket(route)
    }

    /// The route, immutable.
    var frozen: Route {
        Route(
            method: method, pattern: pattern, query: query, predicate: predicate, bodyReading: bodyReading,
            intake: intake, reply: reply, isOptional: isOptional, location: location)
    }
}
