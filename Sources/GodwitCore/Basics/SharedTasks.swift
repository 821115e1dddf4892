import GodwitSupport
import Synchronization

/// Runs one task per key and shares its result among all callers that wait for that key.
///
/// Results aren't kept: a call after the shared task has finished starts a new one.
package final class SharedTasks<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    package typealias Work = @Sendable () async throws(Failure) -> Value

    private typealias Outcome = Result<Value, Failure>

    private struct State {
        var waiters = Waiters<Outcome>()
        /// `nil` until the task has started.
        var task: Task<Void, Never>?
    }

    private final class SharedTask: Sendable {
        let state = Mutex(State())
    }

    /// The tasks that callers can join. Lock order: this lock before a task's own.
    private let inFlight = Mutex<[Key: SharedTask]>([:])

    package init() {}

    /// The number of waiting callers.
    package var waitingCount: Int {
        inFlight.withLock { $0.values.reduce(0) { $0 + $1.state.withLock(\.waiters.count) } }
    }

    /// Joins the task of this key, or starts it, and returns its value.
    ///
    /// A canceled caller stops waiting immediately, without effect on the others. When the last one is canceled, so is
    /// the task.
    ///
    /// - Parameter cancelled: The error to throw if the calling task is canceled.
    package func value(
        for key: Key, orThrow cancelled: @autoclosure @escaping @Sendable () -> Failure, _ work: @escaping Work
    ) async throws(Failure) -> Value {
        guard !Task.isCancelled else { throw cancelled() }
        let (shared, waiter, isNew) = join(key)
        if isNew { start(shared, key, work) }
        let outcome = await waiter.value {
            leave(shared, key, waiter)
            waiter.resume(returning: .failure(cancelled()))
        }
        return try outcome.get()
    }

    private func join(_ key: Key) -> (SharedTask, Waiter<Outcome>, isNew: Bool) {
        inFlight.withLock { inFlight in
            let existing = inFlight[key]
            let shared = existing ?? SharedTask()
            if existing == nil { inFlight[key] = shared }
            return (shared, shared.state.withLock { $0.waiters.add() }, existing == nil)
        }
    }

    /// Starts the work in a task that can outlive its first caller.
    private func start(_ shared: SharedTask, _ key: Key, _ work: @escaping Work) {
        let task = Self.task {
            let outcome: Outcome
            do throws(Failure) {
                outcome = .success(try await work())
            } catch {
                outcome = .failure(error)
            }
            self.finish(shared, key, outcome)
        }
        let isAbandoned = shared.state.withLock { state in
            state.task = task
            return state.waiters.isEmpty
        }
        if isAbandoned { task.cancel() }
    }

    /// A task that runs on the caller's thread until it waits for the first time, which saves a switch of threads.
    private static func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return .immediate(operation: work) }
        return Task(operation: work)
    }

    private func finish(_ shared: SharedTask, _ key: Key, _ outcome: Outcome) {
        inFlight.withLock { Self.remove(shared, key, from: &$0) }
        for waiter in shared.state.withLock({ $0.waiters.takeAll() }) { waiter.resume(returning: outcome) }
    }

    private func leave(_ shared: SharedTask, _ key: Key, _ waiter: Waiter<Outcome>) {
        let abandoned = inFlight.withLock { inFlight in
            let (isAbandoned, task) = shared.state.withLock { state in
                let isAbandoned = state.waiters.remove(waiter) && state.waiters.isEmpty
                return (isAbandoned, isAbandoned ? state.task : nil)
            }
            if isAbandoned { Self.remove(shared, key, from: &inFlight) }
            return task
        }
        abandoned?.cancel()
    }

    /// Removes a task, unless a newer one has its key.
    private static func remove(_ shared: SharedTask, _ key: Key, from inFlight: inout [Key: SharedTask]) {
        guard let index = inFlight.index(forKey: key), inFlight.values[index] === shared else { return }
        inFlight.remove(at: index)
    }
}
