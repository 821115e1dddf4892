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
/// rest. Of the routes that fit a request, the first one written answers; a `HEAD` that no route names is answered as
/// `GET` would be, without the content.
public final class MockRoutes {
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
    public func when(_ method: HTTPMethod, _ path: String, query: [String: String] = [:]) -> MockRoute {
        add(method, path, query: query)
    }

    /// A route for any method.
    ///
    /// ```swift
    /// route.any("*").reply(.status(.serviceUnavailable))      // what nothing before it took
    /// ```
    ///
    /// - Parameter path: The path that fits, without a query.
    public func any(_ path: String) -> MockRoute { add(nil, path) }

    /// A route for `GET`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func get(_ path: String) -> MockRoute { add(.get, path) }

    /// A route for `HEAD`.
    ///
    /// - Parameter path: The path that fits, without a query. Without such a route a `HEAD` is answered as `GET`.
    public func head(_ path: String) -> MockRoute { add(.head, path) }

    /// A route for `POST`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func post(_ path: String) -> MockRoute { add(.post, path) }

    /// A route for `PUT`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func put(_ path: String) -> MockRoute { add(.put, path) }

    /// A route for `PATCH`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func patch(_ path: String) -> MockRoute { add(.patch, path) }

    /// A route for `DELETE`.
    ///
    /// - Parameter path: The path that fits, without a query.
    public func delete(_ path: String) -> MockRoute { add(.delete, path) }

    private func add(_ method: HTTPMethod?, _ path: String, query: [String: String] = [:]) -> MockRoute {
        let route = MockRoute(method, RoutePattern(path), query: query)
        routes.append(route)
        return route
    }
}
