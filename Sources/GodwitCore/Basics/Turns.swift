import Synchronization

/// Turns of which only the latest counts: taking one ends the one before it.
final class Turns: Sendable {
    private struct Turn: Sendable {
        let number: UInt64
        /// Nil before its task has been made.
        var cancel: (@Sendable () -> Void)?
    }

    private struct State {
        var last: UInt64 = 0
        var current: Turn?
    }

    private let state = Mutex(State())

    /// Does something in a turn of its own; nil where a later turn ended it.
    ///
    /// Throws what it throws, and `CancellationError` when the calling task is cancelled.
    func take<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value? {
        let (number, former) = state.withLock { state in
            let former = state.current?.cancel
            state.last += 1
            state.current = Turn(number: state.last)
            return (state.last, former)
        }
        former?()
        let task = Task { try await operation() }
        let isCurrent = state.withLock { state in
            guard state.current?.number == number else { return false }
            state.current?.cancel = { task.cancel() }
            return true
        }
        if !isCurrent { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        guard leave(number) else { return nil }
        return try result.get()
    }

    /// Ends the current turn; its taker gets nil.
    func endCurrent() {
        let cancel = state.withLock { state in
            defer { state.current = nil }
            return state.current?.cancel
        }
        cancel?()
    }

    /// Whether the turn was the current one to its end.
    private func leave(_ number: UInt64) -> Bool {
        state.withLock { state in
            guard state.current?.number == number else { return false }
            state.current = nil
            return true
        }
    }
}
