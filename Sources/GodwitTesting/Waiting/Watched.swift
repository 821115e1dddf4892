import Synchronization

/// How a wait ended.
enum WaitEnd: Sendable {
    case met, timedOut, cancelled
}

/// A value behind a lock that tasks can wait on: every change lets those go whose condition now holds.
///
/// Conditions are evaluated under the lock, and must be quick; continuations are resumed after it is released.
package final class Watched<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let id: UInt64
        let condition: @Sendable (Value) -> Bool
        let continuation: UnsafeContinuation<WaitEnd, Never>
    }

    private struct State: Sendable {
        var value: Value
        var waiters: [Waiter] = []
        var lastID: UInt64 = 0
    }

    private let state: Mutex<State>

    /// Keeps a value that can be waited for.
    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The value as it is now.
    package var value: Value {
        state.withLock { $0.value }
    }

    /// Changes the value, and wakes the tasks that waited for what it has become.
    package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, ready) = state.withLock { state -> (Result, [Waiter]) in
            let result = change(&state.value)
            guard !state.waiters.isEmpty else { return (result, []) }
            let ready = state.waiters.filter { $0.condition(state.value) }
            state.waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
            return (result, ready)
        }
        for waiter in ready { waiter.continuation.resume(returning: .met) }
        return result
    }

    /// Returns once the condition holds; at once if it does already. Throws when the task is cancelled first.
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async throws(CancellationError) {
        guard await wait(nextID(), until: condition) == .met else { throw CancellationError() }
    }

    /// Waits until the condition holds, for a time at most, by the system's clock.
    func wait(within limit: Duration, until condition: @escaping @Sendable (Value) -> Bool) async -> WaitEnd {
        let id = nextID()
        let timer = Task { [weak self] in
            try await Task.sleep(for: limit)
            // The waiter may not be in line yet.
            while self?.end(id, .timedOut) == false { try await Task.sleep(for: .milliseconds(1)) }
        }
        defer { timer.cancel() }
        return await wait(id, until: condition)
    }

    private func wait(_ id: UInt64, until condition: @escaping @Sendable (Value) -> Bool) async -> WaitEnd {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { add(Waiter(id: id, condition: condition, continuation: $0)) }
        } onCancel: {
            end(id, .cancelled)
        }
    }

    private func nextID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func add(_ waiter: Waiter) {
        let outcome = state.withLock { state -> WaitEnd? in
            if waiter.condition(state.value) { return .met }
            if Task.isCancelled { return .cancelled }
            state.waiters.append(waiter)
            return nil
        }
        if let outcome { waiter.continuation.resume(returning: outcome) }
    }

    /// Ends a wait, and says whether it was in line.
    @discardableResult
    private func end(_ id: UInt64, _ end: WaitEnd) -> Bool {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: end)
        return waiter != nil
    }
}

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
