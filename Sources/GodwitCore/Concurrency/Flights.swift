import Synchronization

/// Work under way by its key, and the callers that wait for it: those of one key share it.
///
/// Nothing is kept: who comes when the shared work is over begins it anew. Each caller is resumed exactly once: with the
/// outcome, or by its own cancellation. Whoever takes the continuation out under the lock resumes it after.
package final class Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// What is shared.
    package typealias Work = @Sendable () async throws(NetworkError) -> Value

    private typealias Outcome = Result<Value, NetworkError>
    private typealias Continuation = UnsafeContinuation<Outcome, Never>

    private enum Waiter {
        /// On board, not yet asleep.
        case arriving
        case asleep(Continuation)
    }

    private struct Flight {
        let id: UInt64
        /// Nil until the work has begun.
        var task: Task<Void, Never>?
        /// Those that were not cancelled.
        var callers: [UInt64: Waiter]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        /// What became of callers before they fell asleep.
        var decisions: [UInt64: Outcome] = [:]
        var lastID: UInt64 = 0

        mutating func makeID() -> UInt64 {
            lastID += 1
            return lastID
        }

        /// Notes what became of a caller; the continuation to resume, where its task is asleep already.
        mutating func decide(_ outcome: Outcome, for caller: UInt64, _ waiter: Waiter) -> Continuation? {
            if case .asleep(let continuation) = waiter { return continuation }
            decisions[caller] = outcome
            return nil
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// How many callers wait.
    package var waitingCount: Int {
        state.withLock { state in state.flights.values.reduce(state.decisions.count) { $0 + $1.callers.count } }
    }

    /// Waits for the work under way, or begins it. A caller that is cancelled gets the error at once and the others do
    /// not notice; when the last one goes, the work is cancelled.
    ///
    /// - Parameter cancelled: What is thrown when the task is cancelled first.
    package func join(
        _ key: Key, orThrow cancelled: NetworkError, _ work: @escaping Work
    ) async throws(NetworkError) -> Value {
        guard !Task.isCancelled else { throw cancelled }
        let (caller, new) = board(key)
        if let new { depart(new, key, work) }
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { sleep(caller, key, $0) }
        } onCancel: {
            leave(caller, key, cancelled)
        }
        return try outcome.get()
    }

    /// Takes a seat in the flight under way, or in a new one that has to be begun.
    private func board(_ key: Key) -> (caller: UInt64, new: UInt64?) {
        state.withLock { state in
            let caller = state.makeID()
            if state.flights[key] != nil {
                state.flights[key]?.callers[caller] = .arriving
                return (caller, nil)
            }
            let id = state.makeID()
            state.flights[key] = Flight(id: id, callers: [caller: .arriving])
            return (caller, id)
        }
    }

    /// Begins the work: not in the caller's own task, as it outlives the caller that began it.
    private func depart(_ id: UInt64, _ key: Key, _ work: @escaping Work) {
        let task = Task.beginning {
            let outcome: Outcome
            do throws(NetworkError) {
                outcome = .success(try await work())
            } catch {
                outcome = .failure(error)
            }
            self.land(id, key, outcome)
        }
        let isUnderWay = state.withLock { state in
            guard state.flights[key]?.id == id else { return false }
            state.flights[key]?.task = task
            return true
        }
        // Landed already, or all have left meanwhile.
        if !isUnderWay { task.cancel() }
    }

    /// The work is over: tells all who still wait for it.
    private func land(_ id: UInt64, _ key: Key, _ outcome: Outcome) {
        let sleepers = state.withLock { state -> [Continuation] in
            // One that all have left may have been followed by another under the same key.
            guard let flight = state.flights[key], flight.id == id else { return [] }
            state.flights[key] = nil
            return flight.callers.compactMap { state.decide(outcome, for: $0, $1) }
        }
        for sleeper in sleepers { sleeper.resume(returning: outcome) }
    }

    /// A caller is cancelled: the last one takes the work with it.
    private func leave(_ caller: UInt64, _ key: Key, _ cancelled: NetworkError) {
        let (sleeper, task) = state.withLock { state -> (Continuation?, Task<Void, Never>?) in
            guard let waiter = state.flights[key]?.callers.removeValue(forKey: caller) else { return (nil, nil) }
            let sleeper = state.decide(.failure(cancelled), for: caller, waiter)
            guard state.flights[key]?.callers.isEmpty == true else { return (sleeper, nil) }
            return (sleeper, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        sleeper?.resume(returning: .failure(cancelled))
    }

    private func sleep(_ caller: UInt64, _ key: Key, _ continuation: Continuation) {
        let decision = state.withLock { state -> Outcome? in
            if let outcome = state.decisions.removeValue(forKey: caller) { return outcome }
            state.flights[key]?.callers[caller] = .asleep(continuation)
            return nil
        }
        if let decision { continuation.resume(returning: decision) }
    }
}

extension Task where Success == Void, Failure == Never {
    /// A task that begins on this thread, up to its first suspension, where the system can do that: what is waiting for
    /// the network soon needs no other thread to get there.
    fileprivate static func beginning(_ body: sending @escaping @isolated(any) () async -> Void) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate(operation: body)
        } else {
            Task(operation: body)
        }
    }
}
