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
