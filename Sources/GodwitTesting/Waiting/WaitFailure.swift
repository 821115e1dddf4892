/// Thrown by a wait of a mock or a clock if what it waits for does not come.
///
/// Its text says what was waited for and what came: `waited 30.0 seconds for 2 requests; 1 came: GET /articles (complete)`.
public enum WaitFailure: Error, Sendable, Hashable {
    /// The limit passed first. Limits go by the system's clock, as a ``TestClock`` stands still during a wait.
    case timedOut(reason: String)
    /// The task was canceled.
    case cancelled(reason: String)
}

extension WaitFailure: CustomStringConvertible {
    /// What was waited for, and what came.
    public var description: String {
        switch self {
        case .timedOut(let reason), .cancelled(let reason): reason
        }
    }
}

extension Watched {
    /// Waits until a condition holds, or throws what was waited for and what is there instead.
    func wait(
        within limit: Duration, for expected: @autoclosure () -> String, else actual: (Value) -> String,
        until condition: @escaping @Sendable (Value) -> Bool
    ) async throws(WaitFailure) {
        switch await wait(within: limit, until: condition) {
        case .met: return
        case .timedOut: throw .timedOut(reason: "waited \(limit) for \(expected()); \(actual(value))")
        case .cancelled: throw .cancelled(reason: "canceled while waiting for \(expected()); \(actual(value))")
        }
    }
}
