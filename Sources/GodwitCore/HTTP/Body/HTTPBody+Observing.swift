extension HTTPBody {
    /// A step in the reading of a body. The last step is an end or the release, and comes once.
    public enum ReadingStep: Sendable {
        /// The reader got these bytes of the body.
        case chunk(Data)
        /// The body has ended, or reading failed.
        case end(NetworkError?)
        /// The reader lost interest before the end.
        case released
    }

    /// Returns this body with an observer that sees it as it is read, such as a log that counts its bytes.
    ///
    /// Nothing is read or kept for it. Only a body from the network is observed: one in memory is already there.
    ///
    /// ```swift
    /// var response = try await api.send(HTTPRequest(url: url, delivery: .streamed))
    /// response.body = response.body.observed { step in
    ///     if case .chunk(let data) = step { print(data.count) }
    /// }
    /// ```
    ///
    /// - Parameter observer: Called on the task that reads, which waits for it.
    public func observed(by observer: @escaping @Sendable (ReadingStep) -> Void) -> HTTPBody {
        guard case .incoming(let body) = storage else { return self }
        return HTTPBody(.incoming(body.observed(by: observer)))
    }
}
