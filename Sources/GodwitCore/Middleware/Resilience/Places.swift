import Synchronization

/// Places that tasks take, wait for in turn, and give back.
///
/// Each waiting task is resumed exactly once: by the one who leaves, or by its own cancellation. Whoever takes the
/// continuation out under the lock resumes it after.
final class Places: Sendable {
    private enum Waiter {
        /// In the queue, not yet asleep.
        case arriving
        case asleep(UnsafeContinuation<Bool, Never>)
        /// Decided before it fell asleep.
        case decided(Bool)
    }

    private struct State {
        var queue: PlaceQueue
        var waiters: [UInt64: Waiter] = [:]
    }

    private let state: Mutex<State>

    init(total: Int?, perHost: Int?) {
        state = Mutex(State(queue: PlaceQueue(total: total, perHost: perHost)))
    }

    /// Whether nobody holds a place or waits for one.
    var isIdle: Bool { state.withLock { $0.queue.isIdle && $0.waiters.isEmpty } }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Takes a place, waiting for it in turn. Throws when the task is cancelled first; then no place is held.
    func take(at origin: Origin) async throws(CancellationError) {
        guard !Task.isCancelled else { throw CancellationError() }
        let ticket = state.withLock { state in
            let ticket = state.queue.takeOrWait(at: origin)
            if let ticket { state.waiters[ticket] = .arriving }
            return ticket
        }
        guard let ticket else { return }
        let isGranted = await withTaskCancellationHandler {
            await withUnsafeContinuation { sleep(ticket, $0) }
        } onCancel: {
            cancel(ticket, at: origin)
        }
        guard isGranted else { throw CancellationError() }
    }

    /// Gives a place back, to the one that has waited longest.
    func free(at origin: Origin) {
        let sleeper = state.withLock { state in
            state.queue.free(at: origin).flatMap { Self.decide(true, for: $0, in: &state) }
        }
        sleeper?.resume(returning: true)
    }

    private func sleep(_ ticket: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
        let decision = state.withLock { state -> Bool? in
            if case .decided(let isGranted) = state.waiters[ticket] {
                state.waiters[ticket] = nil
                return isGranted
            }
            state.waiters[ticket] = .asleep(continuation)
            return nil
        }
        if let decision { continuation.resume(returning: decision) }
    }

    private func cancel(_ ticket: UInt64, at origin: Origin) {
        let sleeper = state.withLock { state in
            // One that has its place already keeps it, and gives it back like any other.
            state.queue.cancel(ticket, at: origin) ? Self.decide(false, for: ticket, in: &state) : nil
        }
        sleeper?.resume(returning: false)
    }

    /// Notes what became of a ticket; the continuation to resume, where its task is asleep already.
    private static func decide(
        _ isGranted: Bool, for ticket: UInt64, in state: inout State
    ) -> UnsafeContinuation<Bool, Never>? {
        guard case .asleep(let continuation) = state.waiters[ticket] else {
            state.waiters[ticket] = .decided(isGranted)
            return nil
        }
        state.waiters[ticket] = nil
        return continuation
    }
}
