public import GodwitCore

/// One route while it is written: which requests it takes, and what it answers.
///
/// ```swift
/// route.post("/articles").where { $0.fields[.authorization] != nil }.reply(.status(.created))
/// route.post("/articles").reply(.status(.unauthorized))
/// ```
///
/// A route that is given no answer fails each request that it takes. Of several answers the last one given counts.
public final class MockRoute {
    /// Answers a request; what it throws becomes a 500, or the error of a ``MockTransport``.
    ///
    /// Called for any number of requests at once. It is cancelled where the client leaves or the server stops.
    public typealias Handler = @Sendable (MockRequest) async throws -> MockResponse

    private let method: HTTPMethod?
    private let pattern: RoutePattern
    private let query: [String: String]
    private var predicate: (@Sendable (MockRequest) -> Bool)?
    private let location: MockSourceLocation
    private var bodyReading = BodyReading.whole
    private var reply = Reply.none
    private var isOptional = false

    init(_ method: HTTPMethod?, _ pattern: RoutePattern, query: [String: String], at location: MockSourceLocation) {
        self.location = location
        self.method = method
        self.pattern = pattern
        self.query = query
    }

    /// Takes only requests for which this holds. It is asked before the content is read.
    ///
    /// A request for which it does not hold goes on to the next route. Of several conditions the last one counts.
    ///
    /// - Parameter predicate: Sees method, target and fields; ``MockRequest/body`` is still empty.
    /// - Returns: The route, to be given its answer.
    public func `where`(_ predicate: @escaping @Sendable (MockRequest) -> Bool) -> MockRoute {
        self.predicate = predicate
        return self
    }

    /// Allows a strict test to leave the route, or some of its replies, unused.
    ///
    /// ```swift
    /// route.get("/health").optional().reply(.status(.noContent))
    /// ```
    ///
    /// Without effect elsewhere; see ``MockTransport/verify()``.
    ///
    /// - Returns: The route, to be given its answer.
    public func optional() -> MockRoute {
        isOptional = true
        return self
    }

    /// Answers before the content is read; it is read and thrown away afterwards.
    ///
    /// A client that waits for `100 Continue` does not get it: the connection is closed after the answer.
    public func early() -> MockRoute {
        bodyReading = .early
        return self
    }

    /// Reads the content at this pace, by the server's clock, so that a fast client is held back.
    ///
    /// The system's buffers take the first megabytes; ``MockServer/Options/receiveBuffer`` makes them small.
    ///
    /// Less than 1 counts as 1.
    ///
    /// - Parameter bytesPerSecond: The pace, in bytes a second.
    /// - Returns: The route, to be given its answer.
    public func readBody(bytesPerSecond: Int) -> MockRoute {
        bodyReading = .paced(bytesPerSecond: max(1, bytesPerSecond))
        return self
    }

    /// Answers every request alike.
    ///
    /// - Parameters:
    ///   - response: What is answered, each time anew.
    ///   - delay: How long to wait before the first byte.
    ///   - offset: Where in the content to close the connection.
    public func reply(
        _ response: MockResponse, after delay: Duration? = nil, dropAfter offset: MockResponse.BodyOffset? = nil
    ) {
        var response = response
        if let delay { response.delay = delay }
        if let offset { response.fault = .drop(after: offset) }
        replies([response])
    }

    /// Answers every request with a JSON literal.
    ///
    /// 200 by default.
    ///
    /// - Parameters:
    ///   - value: The content, as a literal.
    ///   - status: The status.
    public func reply(json value: JSONValue, status: HTTPStatus = .ok) {
        replies([.json(value, status: status)])
    }

    /// Answers every request with a value as JSON, with the API's keys and dates.
    ///
    /// ```swift
    /// route.get("/articles/1").reply(json: article)             // a client reads what it would read from its server
    /// ```
    ///
    /// The coding is the first of: `coding`, ``MockRoutes/json``, that of the client which sent the request (a
    /// ``MockTransport`` knows it), `JSONCoding()`. Keys are sorted. A value that cannot be encoded makes a 500 that says why.
    ///
    /// - Parameters:
    ///   - value: The content.
    ///   - status: The status; 200 by default.
    ///   - coding: How it is encoded. `nil` (the default) means as the API does.
    public func reply(json value: some Encodable & Sendable, status: HTTPStatus = .ok, coding: JSONCoding? = nil) {
        replies([.json(value, status: status, coding: coding)])
    }

    /// Answers the first request with the first of these, and so on; the last one is repeated.
    ///
    /// ```swift
    /// route.get("/flaky").replies([.status(503), .status(503), .text("at last")])
    /// ```
    ///
    /// - Parameter responses: The answers in their order; none at all fails every request.
    public func replies(_ responses: [MockResponse]) {
        reply = responses.isEmpty ? .none : .script(ReplyScript(responses))
    }

    /// Fails every request with this error; see ``MockResponse/failure(_:phase:)``.
    ///
    /// ```swift
    /// route.post("/articles").fail(.offline(.noPath))
    /// ```
    ///
    /// - Parameter kind: What a ``MockTransport`` throws; a ``MockServer`` can only close the connection.
    public func fail(_ kind: NetworkError.Kind) {
        replies([.failure(kind)])
    }

    /// Answers with what the closure makes of the request.
    ///
    /// ```swift
    /// route.get("/articles/:id").reply { request in .text(request.parameters["id"] ?? "") }
    /// ```
    ///
    /// - Parameter handler: Makes the answer; awaits what it likes.
    public func reply(_ handler: @escaping Handler) {
        reply = .handler { request in try await handler(request).resolved(by: request.coding) }
    }

    /// Answers the handshake of a WebSocket, and talks.
    func talk(_ route: WebSocketRoute) {
        reply = .webSocket(route)
    }

    /// The route as it was written.
    var frozen: Route {
        Route(
            method: method, pattern: pattern, query: query, predicate: predicate, bodyReading: bodyReading,
            reply: reply, isOptional: isOptional, location: location)
    }
}
