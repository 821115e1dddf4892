public import Synchronization

/// The state machine between one suspended task and the value it waits for, whichever comes first.
///
/// Protect it with the lock of the surrounding state. Resume returned continuations after the lock is released.
@frozen
public enum WaiterPhase<Value: Sendable>: Sendable {
    case pending
    case suspended(UnsafeContinuation<Value, Never>)
    case resolved(Value)
    case finished

    /// Stores the task's continuation. If the value is already known, returns it instead, and the task continues with
    /// it.
    @inlinable
    public mutating func suspend(_ continuation: UnsafeContinuation<Value, Never>) -> Value? {
        if case .resolved(let value) = self {
            self = .finished
            return value
        }
        self = .suspended(continuation)
        return nil
    }

    /// Sets the value. Later calls do nothing.
    ///
    /// - Returns: The continuation to resume with the value, if the task is suspended.
    @inlinable
    public mutating func resolve(_ value: Value) -> UnsafeContinuation<Value, Never>? {
        switch self {
        case .pending:
            self = .resolved(value)
            return nil
        case .suspended(let continuation):
            self = .finished
            return continuation
        case .resolved, .finished:
            return nil
        }
    }
}

/// A task that waits for one value. The first `resume(returning:)` counts, even if it comes before the task suspends.
public final class Waiter<Value: Sendable>: Sendable {
    @usableFromInline let phase: Mutex<WaiterPhase<Value>>

    // The property has no initial value of its own, as unspecialized code would make it.
    @inlinable
    public init() {
        phase = Mutex(.pending)
    }

    /// Sets the value and resumes the task. Later calls do nothing. Don't call it while holding a lock.
    @inlinable
    public func resume(returning value: Value) {
        let continuation = phase.withLock { $0.resolve(value) }
        continuation?.resume(returning: value)
    }

    /// Waits for the value, even if the task is canceled.
    @inlinable
    public func value() async -> Value {
        await withUnsafeContinuation { continuation in
            let value = phase.withLock { $0.suspend(continuation) }
            if let value { continuation.resume(returning: value) }
        }
    }

    /// Waits for the value.
    ///
    /// - Parameter onCancel: Runs when the task is canceled. It must cause a `resume(returning:)`, now or later.
    @inlinable
    public func value(onCancel: @Sendable () -> Void) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            onCancel()
        }
    }
}

extension Waiter<Void> {
    @inlinable
    public func resume() { resume(returning: ()) }
}

/// The tasks that wait for the same change, in order of arrival. Protect it with the lock of the state that changes.
public struct Waiters<Value: Sendable>: Sendable {
    @usableFromInline var waiting: [Waiter<Value>] = []

    @inlinable
    public init() {}

    @inlinable public var count: Int { waiting.count }

    @inlinable public var isEmpty: Bool { waiting.isEmpty }

    /// Registers a waiter.
    @inlinable
    public mutating func add() -> Waiter<Value> {
        let waiter = Waiter<Value>()
        waiting.append(waiter)
        return waiter
    }

    /// Unregisters a waiter. Returns `false` if it was unregistered before.
    @discardableResult
    @inlinable
    public mutating func remove(_ waiter: Waiter<Value>) -> Bool {
        guard let index = waiting.firstIndex(where: { $0 === waiter }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Unregisters all waiters and returns them. Resume them after the lock is released.
    @inlinable
    public mutating func takeAll() -> [Waiter<Value>] {
        defer { waiting = [] }
        return waiting
    }
}
