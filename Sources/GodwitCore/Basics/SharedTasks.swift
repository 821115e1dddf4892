import GodwitSupport
import Synchronization

/// Runs one task per key and shares its result among all callers that wait for that key.
///
/// Results aren't kept: a call after the shared task has finished starts a new one.
package final class SharedTasks<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    package typealias Work = @Sendable () async throws(Failure) -> Value

    private typealias Outcome = Result<Value, Failure>

    /// A task that callers can join.
    private struct Flight {
        let id: UInt64
        var waiters = Waiters<Outcome>()
        /// `nil` until the task has started.
        var task: Task<Void, Never>?
    }

    private struct Flights {
        var byKey: [Key: Flight] = [:]
        private var lastID: UInt64 = 0

        /// Joins the task of a key, or registers one.
        mutating func join(_ key: Key) -> (id: UInt64, Waiter<Outcome>, isNew: Bool) {
            if let index = byKey.index(forKey: key) {
                return (byKey.values[index].id, byKey.values[index].waiters.add(), false)
            }
            lastID += 1
            var flight = Flight(id: lastID)
            let waiter = flight.waiters.add()
            byKey[key] = flight
            return (lastID, waiter, true)
        }

        /// Where a task is; `nil` once it has finished or was abandoned. A newer one may have its key.
        func index(of id: UInt64, _ key: Key) -> Dictionary<Key, Flight>.Index? {
            byKey.index(forKey: key).flatMap { byKey.values[$0].id == id ? $0 : nil }
        }
    }

    private let flights = Mutex(Flights())

    package init() {}

    /// The number of waiting callers.
    package var waitingCount: Int { flights.withLock { $0.byKey.values.reduce(0) { $0 + $1.waiters.count } } }

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
        let (id, waiter, isNew) = flights.withLock { $0.join(key) }
        if isNew { start(id, key, work) }
        let outcome = await waiter.value {
            leave(id, key, waiter)
            waiter.resume(returning: .failure(cancelled()))
        }
        return try outcome.get()
    }

    /// Starts the work in a task that can outlive its first caller.
    private func start(_ id: UInt64, _ key: Key, _ work: @escaping Work) {
        let task = Self.task {
            let outcome: Outcome
            do throws(Failure) {
                outcome = .success(try await work())
            } catch {
                outcome = .failure(error)
            }
            self.finish(id, key, outcome)
        }
        let isOver = flights.withLock { flights in
            guard let index = flights.index(of: id, key) else { return true }
            flights.byKey.values[index].task = task
            return false
        }
        // Perhaps all callers have left meanwhile.
        if isOver { task.cancel() }
    }

    /// A task that runs on the caller's thread until it waits for the first time, which saves a switch of threads.
    private static func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return .immediate(operation: work) }
        return Task(operation: work)
    }

    private func finish(_ id: UInt64, _ key: Key, _ outcome: Outcome) {
        let finished = flights.withLock { flights in
            flights.index(of: id, key).map { flights.byKey.remove(at: $0).value }
        }
        guard var finished else { return }
        for waiter in finished.waiters.takeAll() { waiter.resume(returning: outcome) }
    }

    private func leave(_ id: UInt64, _ key: Key, _ waiter: Waiter<Outcome>) {
        let abandoned = flights.withLock { flights in
            guard let index = flights.index(of: id, key), flights.byKey.values[index].waiters.remove(waiter),
                flights.byKey.values[index].waiters.isEmpty
            else { return nil as Flight? }
            return flights.byKey.remove(at: index).value
        }
        abandoned?.task?.cancel()
    }
}
