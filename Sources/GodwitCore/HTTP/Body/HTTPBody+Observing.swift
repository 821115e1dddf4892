extension HTTPBody {
    /// What the reader of a body has got. The last step is an end or the release, and comes once.
    public enum ReadingStep: Sendable {
        case chunk(Data)
        /// The body has ended, or reading failed.
        case end(NetworkError?)
        /// The reader lost interest before the end.
        case released
    }

    /// The same body, which an observer sees as it is read, such as a log that counts its bytes.
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
