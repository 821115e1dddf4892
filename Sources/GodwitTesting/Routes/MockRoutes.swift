public import GodwitCore

/// The routes of a ``MockServer`` or ``MockTransport``, written in the closure that makes it.
///
/// ```swift
/// let server = try await MockServer { route in
///     route.get("/articles/:id").reply { request in .json(["id": "\(request.parameters["id"] ?? "")"]) }
///     route.post("/articles").reply(.status(.created))
///     route.get("/flaky").replies([.status(503), .reset, .text("at last")])
/// }
/// ```
///
/// Paths have no query. A path may contain `:name` for any one segment and end with `*` for any rest. The first route that
/// matches a request answers it. A `HEAD` goes to the first ``head(_:fileID:filePath:line:column:)`` route that matches;
/// without one it gets the response to `GET` without the body. Each route stores its source location for the issues of
/// ``MockTransport/verify()``.
public final class MockRoutes {
    /// How values in responses are encoded and requests are decoded: the coding of the client under test.
    ///
    /// ```swift
    /// let server = try await MockServer { route in
    ///     route.json = JSONCoding(keys: .snakeCase)
    ///     route.get("/articles/1").reply(json: article)
    /// }
    /// ```
    ///
    /// `nil` (the default) means the coding of the client that sent the request. A ``MockServer`` can't know it and uses
    /// `JSONCoding()`. JSON literals are sent unchanged.
    public var json: JSONCoding?

    private(set) var routes: [MockRoute] = []

    init() {}

    /// Adds a route for a method and path. Give it a response with ``MockRoute/reply(_:after:dropAfter:)`` or a similar
    /// method.
    ///
    /// ```swift
    /// route.when(.get, "/search", query: ["q": "tides"]).reply(json: [])
    /// ```
    ///
    /// The method is case-sensitive. The query items are decoded and required; the request may have more.
    public func when(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:],
        fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(method, path, query: query, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// Adds a route for any method.
    ///
    /// ```swift
    /// route.any("*").reply(.status(.serviceUnavailable))      // what no earlier route matches
    /// ```
    public func any(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(nil, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// Adds a route for `GET`.
    public func get(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.get, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// Adds a route for `HEAD`. Without such a route, a `HEAD` is answered like a `GET`.
    public func head(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.head, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// Adds a route for `POST`.
    public func post(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.post, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// Adds a route for `PUT`.
    public func put(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.put, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// Adds a route for `PATCH`.
    public func patch(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.patch, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// Adds a route for `DELETE`.
    public func delete(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.delete, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    private func add(
        _ method: HTTPMethod?, _ path: String, query: [String: String] = [:], at location: MockSourceLocation
    ) -> MockRoute {
        add(method, RoutePattern(path), query: query, at: location)
    }

    func add(
        _ method: HTTPMethod?, _ pattern: RoutePattern, query: [String: String], at location: MockSourceLocation
    ) -> MockRoute {
        let route = MockRoute(method, pattern, query: query, at: location)
        routes.append(route)
        return route
    }
}
