import Synchronization

/// Runs one operation at a time; a new one cancels the one before it.
public final class LatestTask: Sendable {
    private struct Run: Sendable {
        let number: UInt64
        /// `nil` until its task has been created.
        var cancel: (@Sendable () -> Void)?
    }

    private struct State {
        var last: UInt64 = 0
        var current: Run?
    }

    private let state = Mutex(State())

    public init() {}

    /// Runs an operation; returns `nil` if a later one replaced it.
    ///
    /// Rethrows the operation's errors, and throws `CancellationError` if the calling task is canceled.
    public func run<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value? {
        let (number, former) = state.withLock { state in
            let former = state.current?.cancel
            state.last += 1
            state.current = Run(number: state.last)
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
        guard finish(number) else { return nil }
        return try result.get()
    }

    /// Cancels the current operation; its caller gets `nil`.
    public func cancel() {
        let cancel = state.withLock { state in
            defer { state.current = nil }
            return state.current?.cancel
        }
        cancel?()
    }

    /// Whether the operation was still the current one when it ended.
    private func finish(_ number: UInt64) -> Bool {
        state.withLock { state in
            guard state.current?.number == number else { return false }
            state.current = nil
            return true
        }
    }
}
