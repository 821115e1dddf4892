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

    private enum Seat {
        /// On board, not yet asleep.
        case arriving
        case asleep(Continuation)
        /// Cancelled.
        case left
    }

    private struct Cabin {
        /// Of the caller that began it; most fly alone.
        private var first = Seat.arriving
        private var others: [Seat] = []
        /// How many seats were not left.
        var count = 1
        /// Nil until the work has begun.
        var task: Task<Void, Never>?
        /// Nil until it is over.
        var outcome: Outcome?

        subscript(seat: Int) -> Seat {
            get { seat == 0 ? first : others[seat - 1] }
            set { if seat == 0 { first = newValue } else { others[seat - 1] = newValue } }
        }

        mutating func addSeat() -> Int {
            others.append(.arriving)
            count += 1
            return others.count
        }

        /// Ends the flight; who is asleep is for the caller to wake.
        mutating func land(with outcome: Outcome) -> (first: Seat, others: [Seat]) {
            self.outcome = outcome
            task = nil
            defer { (first, others) = (.left, []) }
            return (first, others)
        }
    }

    private final class Flight: Sendable {
        let cabin = Mutex(Cabin())
    }

    /// The flights that may be boarded. Where both locks are held, this one was taken first.
    private let board = Mutex<[Key: Flight]>([:])

    package init() {}

    /// How many callers wait.
    package var waitingCount: Int {
        board.withLock { board in board.values.reduce(0) { $0 + $1.cabin.withLock(\.count) } }
    }

    /// Waits for the work under way, or begins it. A caller that is cancelled gets the error at once and the others do
    /// not notice; when the last one goes, the work is cancelled.
    ///
    /// - Parameter cancelled: What is thrown when the task is cancelled first.
    package func join(
        _ key: Key, orThrow cancelled: @autoclosure @escaping @Sendable () -> NetworkError, _ work: @escaping Work
    ) async throws(NetworkError) -> Value {
        guard !Task.isCancelled else { throw cancelled() }
        let (flight, seat) = board(key)
        if seat == 0 { depart(flight, key, work) }
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { sleep(seat, on: flight, $0, orReturn: cancelled) }
        } onCancel: {
            leave(seat, of: flight, key, cancelled)
        }
        return try outcome.get()
    }

    /// Takes a seat in the flight under way; the first one of a new flight, which has to be begun.
    private func board(_ key: Key) -> (Flight, seat: Int) {
        board.withLock { board in
            guard let flight = board[key] else {
                let flight = Flight()
                board[key] = flight
                return (flight, 0)
            }
            return (flight, flight.cabin.withLock { $0.addSeat() })
        }
    }

    /// Begins the work: not in the caller's own task, as it outlives the caller that began it. An immediate task would
    /// be there sooner, but pays for a lock at each `await` that changes executors (runtime of Swift 6.3).
    private func depart(_ flight: Flight, _ key: Key, _ work: @escaping Work) {
        let task = Task {
            let outcome: Outcome
            do throws(NetworkError) {
                outcome = .success(try await work())
            } catch {
                outcome = .failure(error)
            }
            self.land(flight, key, outcome)
        }
        let isUnderWay = flight.cabin.withLock { cabin in
            guard cabin.outcome == nil, cabin.count > 0 else { return false }
            cabin.task = task
            return true
        }
        // Landed already, or all have left meanwhile.
        if !isUnderWay { task.cancel() }
    }

    /// The work is over: tells all who still wait for it.
    private func land(_ flight: Flight, _ key: Key, _ outcome: Outcome) {
        board.withLock { board in
            // One that all have left may have been followed by another under the same key.
            guard let place = board.index(forKey: key), board.values[place] === flight else { return }
            board.remove(at: place)
        }
        let (first, others) = flight.cabin.withLock { $0.land(with: outcome) }
        if case .asleep(let sleeper) = first { sleeper.resume(returning: outcome) }
        for case .asleep(let sleeper) in others { sleeper.resume(returning: outcome) }
    }

    /// A caller is cancelled: the last one takes the work with it.
    private func leave(_ seat: Int, of flight: Flight, _ key: Key, _ cancelled: () -> NetworkError) {
        let (left, task) = board.withLock { board -> (Seat, Task<Void, Never>?) in
            let (left, task, isEmpty) = flight.cabin.withLock { cabin -> (Seat, Task<Void, Never>?, Bool) in
                guard cabin.outcome == nil else { return (.left, nil, false) }
                let left = cabin[seat]
                cabin[seat] = .left
                cabin.count -= 1
                return (left, cabin.count == 0 ? cabin.task : nil, cabin.count == 0)
            }
            // One that is landing may have been followed by another.
            if isEmpty, board[key] === flight { board[key] = nil }
            return (left, task)
        }
        task?.cancel()
        if case .asleep(let sleeper) = left { sleeper.resume(returning: .failure(cancelled())) }
    }

    private func sleep(
        _ seat: Int, on flight: Flight, _ continuation: Continuation, orReturn cancelled: () -> NetworkError
    ) {
        let outcome = flight.cabin.withLock { cabin -> Outcome? in
            if let outcome = cabin.outcome { return outcome }
            if case .left = cabin[seat] { return .failure(cancelled()) }
            cabin[seat] = .asleep(continuation)
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }
}
