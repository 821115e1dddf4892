#if os(Linux)
import Synchronization

/// Why a job that runs is to stop.
enum StopReason: Sendable {
    /// It was paused.
    case pause
    /// It was given up.
    case cancel
    /// The conditions that it waits for no longer hold.
    case yield
    /// Its time is over.
    case deadline
    /// The process ends.
    case shutdown
}

/// Stops a job that runs, or is about to.
final class RunControl: Sendable {
    private struct State {
        var reason: StopReason?
        var stop: (@Sendable (StopReason) -> Void)?
    }

    private let state = Mutex(State())

    /// Why it was to stop; nil where it was not.
    var reason: StopReason? { state.withLock(\.reason) }

    /// Says how the run is stopped; it is at once, where that was asked for already.
    func begin(_ stop: @escaping @Sendable (StopReason) -> Void) {
        let reason = state.withLock { state in
            state.stop = stop
            return state.reason
        }
        if let reason { stop(reason) }
    }

    /// Stops the run. A later reason takes the place of an earlier one, but for a cancellation's.
    func stop(_ reason: StopReason) {
        let stop = state.withLock { state in
            if state.reason != .cancel { state.reason = reason }
            return state.stop
        }
        stop?(reason)
    }

    /// Takes a pause back: the run stops all the same, and the job goes on at once.
    func resume() {
        state.withLock { state in
            if state.reason == .pause { state.reason = .yield }
        }
    }
}
#endif
