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
/// A path is exact, and may hold `:name`, which stands for any one segment, and end with `*`, which stands for any
/// rest. Of the routes that fit a request, the first one written answers. A `HEAD` goes to the first ``head(_:fileID:filePath:line:column:)``
/// route that fits; without one it is answered as `GET` would be, without the content. Each route notes where it is written, for
/// the issues of ``MockTransport/verify()``.
public final class MockRoutes {
    /// How values in answers are encoded and requests are decoded: that of the client under test.
    ///
    /// ```swift
    /// let server = try await MockServer { route in
    ///     route.json = JSONCoding(keys: .snakeCase)
    ///     route.get("/articles/1").reply(json: article)
    /// }
    /// ```
    ///
    /// `nil` (the default) means that of the client which sent the request; a ``MockServer``, which cannot know it, takes
    /// `JSONCoding()`. JSON literals are sent as they are written.
    public var json: JSONCoding?

    private(set) var routes: [MockRoute] = []

    init() {}

    /// A route for a method and path. The answer is given with ``MockRoute/reply(_:after:dropAfter:)`` or its siblings.
    ///
    /// - Parameters:
    ///   - method: The method that fits, compared with case.
    ///   - path: The path that fits, without a query.
    ///   - query: Items that the query must hold, decoded; others may be there too.
    ///
    /// ```swift
    /// route.when(.get, "/search", query: ["q": "tides"]).reply(json: [])
    /// ```
    public func when(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:],
        fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(method, path, query: query, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// A route for any method.
    ///
    /// ```swift
    /// route.any("*").reply(.status(.serviceUnavailable))      // what nothing before it took
    /// ```
    ///
    /// - Parameter path: The path that fits, without a query.
    public func any(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(nil, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// A route for `GET`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func get(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.get, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// A route for `HEAD`.
    ///
    /// - Parameter path: The path that fits, without a query. Without such a route a `HEAD` is answered as `GET`.
    public func head(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.head, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// A route for `POST`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func post(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.post, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// A route for `PUT`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func put(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.put, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// A route for `PATCH`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func patch(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.patch, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    /// A route for `DELETE`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func delete(
        _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> MockRoute {
        add(.delete, path, at: MockSourceLocation(fileID, filePath, line, column))
    }

    private func add(
        _ method: HTTPMethod?, _ path: String, query: [String: String] = [:], at location: MockSourceLocation
    ) -> MockRoute {
        let route = MockRoute(method, RoutePattern(path), query: query, at: location)
        routes.append(route)
        return route
    }
}
