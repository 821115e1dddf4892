public import GodwitCore

extension Sequence<MockRequest> {
    /// The requests of a method to a path, written as routes write it.
    ///
    /// ```swift
    /// #expect(mock.requests.matching(.delete, "/v1/articles/:id").count == 1)
    /// #expect(server.requests.matching(.get, "/v1/*").isEmpty)
    /// ```
    ///
    /// Each has the ``MockRequest/parameters`` of this path.
    ///
    /// - Parameters:
    ///   - method: The method, compared with case.
    ///   - path: A path as routes write it: exact, with `:name` for any one segment, or with `*` at its end; without a
    ///     query.
    /// - Returns: The requests in the order they came; empty where none fits.
    public func matching(_ method: HTTPMethod, _ path: String) -> [MockRequest] {
        let pattern = RoutePattern(path)
        return compactMap { request in
            guard request.method == method, let parameters = pattern.match(request.path) else { return nil }
            var request = request
            request.parameters = parameters
            return request
        }
    }
}
