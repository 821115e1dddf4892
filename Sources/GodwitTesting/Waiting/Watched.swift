import GodwitCore
import GodwitSupport
import Synchronization

/// How a wait ended.
enum WaitEnd: Sendable {
    case met, timedOut, cancelled
}

/// A locked value that tasks can wait on. Each change resumes the tasks whose condition is met.
///
/// Conditions run under the lock and must be quick. Tasks are resumed after the lock is released.
package final class Watched<Value: Sendable>: Sendable {
    private struct Condition: Sendable {
        let isMet: @Sendable (Value) -> Bool
        let waiter: Waiter<WaitEnd>
    }

    private struct State: Sendable {
        var value: Value
        var conditions: [Condition] = []
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value {
        state.withLock { $0.value }
    }

    /// Changes the value and resumes the tasks whose condition is now met.
    package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, met) = state.withLock { state -> (Result, [Condition]) in
            let result = change(&state.value)
            guard !state.conditions.isEmpty else { return (result, []) }
            let met = state.conditions.filter { $0.isMet(state.value) }
            state.conditions.removeAll { condition in met.contains { $0.waiter === condition.waiter } }
            return (result, met)
        }
        for condition in met { condition.waiter.resume(returning: .met) }
        return result
    }

    /// Waits until the condition is met. Throws if the task is canceled first.
    package func wait(until isMet: @escaping @Sendable (Value) -> Bool) async throws(CancellationError) {
        guard await wait(within: nil, until: isMet) == .met else { throw CancellationError() }
    }

    /// Waits until the condition is met, at most for a time on the system's clock. `nil` means no limit.
    func wait(within limit: Duration?, until isMet: @escaping @Sendable (Value) -> Bool) async -> WaitEnd {
        let waiter = Waiter<WaitEnd>()
        let isWaiting = state.withLock { state in
            if isMet(state.value) { return false }
            state.conditions.append(Condition(isMet: isMet, waiter: waiter))
            return true
        }
        guard isWaiting else { return .met }
        let timer = limit.map { limit in
            Task {
                try await Task.sleep(for: limit.bounded)
                waiter.resume(returning: .timedOut)
            }
        }
        defer {
            timer?.cancel()
            state.withLock { $0.conditions.removeAll { $0.waiter === waiter } }
        }
        return await waiter.value { waiter.resume(returning: .cancelled) }
    }

    /// Waits until the condition is met, or throws what was expected and what is there instead.
    func wait(
        within limit: Duration, for expected: @autoclosure () -> String, else actual: (Value) -> String,
        until isMet: @escaping @Sendable (Value) -> Bool
    ) async throws(WaitFailure) {
        switch await wait(within: limit, until: isMet) {
        case .met: return
        case .timedOut: throw .timedOut(reason: "waited \(limit) for \(expected()); \(actual(value))")
        case .cancelled: throw .cancelled(reason: "canceled while waiting for \(expected()); \(actual(value))")
        }
    }
}

/// Thrown when a mock or a clock waits in vain.
///
/// Its text says what was expected and what came: `waited 30.0 seconds for 2 requests; 1 came: GET /articles (complete)`.
public enum WaitFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The limit passed first. Limits use the system's clock, because a ``TestClock`` does not advance during a wait.
    case timedOut(reason: String)
    /// The task was canceled.
    case cancelled(reason: String)

    /// What was expected, and what came.
    public var description: String {
        switch self {
        case .timedOut(let reason), .cancelled(let reason): reason
        }
    }
}
