import GodwitSupport

// For callers that can't await, or that prefer a `Result` to a thrown error.
extension APIClient {
    /// Sends an endpoint and returns a `Result` instead of throwing.
    ///
    /// ```swift
    /// switch await api.result(of: .article(id: 42)) {
    /// case .success(let article): show(article)
    /// case .failure(let error): show(error.userMessage)
    /// }
    /// ```
    ///
    /// - Parameter endpoint: The endpoint to send.
    /// - Returns: The value, or the error that ``send(_:)-(Endpoint<Value>)`` would throw.
    public func result<Value>(of endpoint: Endpoint<Value>) async -> Result<Value, NetworkError> {
        await Result.catching { () async throws(NetworkError) in try await send(endpoint) }
    }

    /// Sends an endpoint from code that can't await, and calls a completion handler exactly once.
    ///
    /// ```swift
    /// let call = api.send(.article(id: 42)) { result in … }
    /// call.cancel()                                            // the completion gets .cancelled
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to send.
    ///   - completion: Called exactly once, on an unspecified thread.
    /// - Returns: A handle that cancels the call. Dropping it doesn't.
    @discardableResult
    public func send<Value>(
        _ endpoint: Endpoint<Value>, completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> CallHandle {
        CallHandle(Task { completion(await self.result(of: endpoint)) })
    }
}

/// Cancels a call that was started with a completion handler.
///
/// Can be used from any thread. Dropping it doesn't cancel the call.
///
/// ```swift
/// let call = api.send(.article(id: 42)) { result in show(result) }
/// call.cancel()
/// ```
public struct CallHandle: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    /// Cancels the call. Its completion handler gets `.cancelled`, unless it was already called.
    public func cancel() {
        task.cancel()
    }
}
