// For callers that cannot await, or want a value instead of a throw.
extension APIClient {
    /// Sends an endpoint and returns success or failure as a value.
    ///
    /// ```swift
    /// switch await api.result(of: .article(id: 42)) {
    /// case .success(let article): show(article)
    /// case .failure(let error): show(error.userMessage)
    /// }
    /// ```
    ///
    /// - Parameter endpoint: What to send.
    /// - Returns: The value, or the error that ``send(_:)-(Endpoint<Value>)`` would throw.
    public func result<Value>(of endpoint: Endpoint<Value>) async -> Result<Value, NetworkError> {
        do throws(NetworkError) {
            return .success(try await send(endpoint))
        } catch {
            return .failure(error)
        }
    }

    /// Sends an endpoint from code that cannot await, and calls back once, whatever happens.
    ///
    /// ```swift
    /// let call = api.send(.article(id: 42)) { result in … }
    /// call.cancel()                                            // the completion gets .cancelled
    /// ```
    ///
    /// - Parameter completion: Called exactly once, on no particular thread.
    ///
    /// Dropping the handle does not end the call.
    @discardableResult
    public func send<Value>(
        _ endpoint: Endpoint<Value>, completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> CallHandle {
        CallHandle(Task { completion(await self.result(of: endpoint)) })
    }
}

/// A call started with a completion handler; lets the caller give it up.
///
/// May be kept and used from any thread, or dropped; dropping it does not end the call.
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

    /// Gives the call up: its completion gets `.cancelled`, unless it has been called already.
    public func cancel() {
        task.cancel()
    }
}
