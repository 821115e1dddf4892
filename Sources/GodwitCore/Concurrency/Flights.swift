import Synchronization

/// Work under way by its key, and the callers that wait for it: those of one key share it.
///
/// Nothing is kept: who comes when the shared work is over begins it anew. Each caller is resumed exactly once: with the
/// outcome, or by its own cancellation. Whoever takes the continuation out under the lock resumes it after.
package final class Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Outcome = Result<Value, NetworkError>

    private enum Waiter {
        /// On board, not yet asleep.
        case arriving
        case asleep(UnsafeContinuation<Outcome, Never>)
        /// Decided before it fell asleep.
        case decided(Outcome)
    }

    private struct Flight {
        let id: UInt64
        let task: Task<Void, Never>
        /// Those that were not cancelled.
        var callers: Set<UInt64>
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var waiters: [UInt64: Waiter] = [:]
        var lastID: UInt64 = 0

        mutating func makeID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// How many callers wait.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Waits for the work under way, or begins it. A caller that is cancelled gets the error at once and the others do
    /// not notice; when the last one goes, the work is cancelled.
    ///
    /// - Parameter cancelled: What is thrown when the task is cancelled first.
    package func join(
        _ key: Key, orThrow cancelled: NetworkError,
        _ work: @escaping @Sendable () async throws(NetworkError) -> Value
    ) async throws(NetworkError) -> Value {
        guard !Task.isCancelled else { throw cancelled }
        let caller = board(key, work)
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { sleep(caller, $0) }
        } onCancel: {
            leave(caller, key, cancelled)
        }
        return try outcome.get()
    }

    private func board(
        _ key: Key, _ work: @escaping @Sendable () async throws(NetworkError) -> Value
    ) -> UInt64 {
        state.withLock { state in
            let caller = state.makeID()
            state.waiters[caller] = .arriving
            if state.flights[key]?.callers.insert(caller) != nil { return caller }
            let id = state.makeID()
            // Not the caller's own task: the work outlives the caller that began it.
            let task = Task {
                let outcome: Outcome
                do throws(NetworkError) {
                    outcome = .success(try await work())
                } catch {
                    outcome = .failure(error)
                }
                land(id, key, outcome)
            }
            state.flights[key] = Flight(id: id, task: task, callers: [caller])
            return caller
        }
    }

    /// The work is over: tells all who still wait for it.
    private func land(_ id: UInt64, _ key: Key, _ outcome: Outcome) {
        let sleepers = state.withLock { state -> [UnsafeContinuation<Outcome, Never>] in
            // One that all have left may have been followed by another under the same key.
            guard let flight = state.flights[key], flight.id == id else { return [] }
            state.flights[key] = nil
            return flight.callers.compactMap { Self.decide(outcome, for: $0, in: &state) }
        }
        for sleeper in sleepers { sleeper.resume(returning: outcome) }
    }

    /// A caller is cancelled: the last one takes the work with it.
    private func leave(_ caller: UInt64, _ key: Key, _ cancelled: NetworkError) {
        let (sleeper, task) = state.withLock { state -> (UnsafeContinuation<Outcome, Never>?, Task<Void, Never>?) in
            guard state.flights[key]?.callers.remove(caller) != nil else { return (nil, nil) }
            let sleeper = Self.decide(.failure(cancelled), for: caller, in: &state)
            guard state.flights[key]?.callers.isEmpty == true else { return (sleeper, nil) }
            return (sleeper, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        sleeper?.resume(returning: .failure(cancelled))
    }

    private func sleep(_ caller: UInt64, _ continuation: UnsafeContinuation<Outcome, Never>) {
        let decision = state.withLock { state -> Outcome? in
            if case .decided(let outcome) = state.waiters[caller] {
                state.waiters[caller] = nil
                return outcome
            }
            state.waiters[caller] = .asleep(continuation)
            return nil
        }
        if let decision { continuation.resume(returning: decision) }
    }

    /// Notes what became of a caller; the continuation to resume, where its task is asleep already.
    private static func decide(
        _ outcome: Outcome, for caller: UInt64, in state: inout State
    ) -> UnsafeContinuation<Outcome, Never>? {
        guard case .asleep(let continuation) = state.waiters[caller] else {
            state.waiters[caller] = .decided(outcome)
            return nil
        }
        state.waiters[caller] = nil
        return continuation
    }
}
