extension APIClient {
    /// Returns the body of a response as it arrives.
    ///
    /// ```swift
    /// for try await article in api.stream(.export).jsonLines(of: Article.self) { … }
    /// ```
    ///
    /// Each loop sends its own request when it asks for the first element. The status is checked before the first element.
    /// Leaving the loop ends the transfer, and a slow loop slows the server.
    ///
    /// The client's ``Timeouts/total`` doesn't apply, as a stream may take any time; the endpoint's own does.
    ///
    /// Loops throw ``NetworkError``, also if the endpoint can't make a request, or the status is not accepted.
    ///
    /// - Parameter endpoint: The request to send. Its response type doesn't matter.
    public func stream<Value>(_ endpoint: Endpoint<Value>) -> ResponseStream {
        ResponseStream(coding: configuration.json) { () throws(NetworkError) in
            var request = try self.transferRequest(for: endpoint)
            request.delivery = .streamed
            return try await self.accepted(request)
        }
    }
}
