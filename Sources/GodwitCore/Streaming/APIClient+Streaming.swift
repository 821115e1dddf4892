extension APIClient {
    /// The content of a response as it arrives.
    ///
    /// ```swift
    /// for try await article in api.stream(.export).jsonLines(of: Article.self) { … }
    /// ```
    ///
    /// Nothing is sent until a loop asks for the first element; each loop is a sending of its own. The status is
    /// checked before the first element, leaving the loop ends the transfer, and a slow loop slows the server.
    ///
    /// The client's ``Timeouts/total`` does not count here, as a stream may take any time; the endpoint's own does.
    ///
    /// Loops throw ``NetworkError``: also where the endpoint makes no request, or the status is not accepted.
    ///
    /// - Parameter endpoint: What to send; the type of its response does not matter here.
    public func stream<Value>(_ endpoint: Endpoint<Value>) -> ResponseStream {
        ResponseStream(coding: configuration.json) { () throws(NetworkError) in
            var request = try self.transferRequest(for: endpoint)
            request.delivery = .streamed
            return try await self.accepted(request)
        }
    }
}
