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
