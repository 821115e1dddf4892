#if os(Linux)
import GodwitBackground
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

/// A job that has not ended, and what it does.
struct QueueEntry {
    enum Phase {
        /// Waits for its turn.
        case ready
        /// Is discretionary, and waits until it may run.
        case waiting
        /// Is tried again when the rest of this number is over.
        case resting(Int)
        case running(RunControl)
        case paused
    }

    let job: StoredJob
    var phase: Phase
    /// How often in a row it failed without getting further.
    var failures = 0
    /// How often the server refused it for now.
    var refusals = 0
    var furthest: Int64 = 0
    /// The latest that is known in this run of the process.
    var progress: TransferProgress?

    init(_ job: StoredJob) {
        self.job = job
        phase = job.state == .paused ? .paused : .ready
    }

    var isPaused: Bool {
        if case .paused = phase { true } else { false }
    }

    /// What lists say.
    var state: BackgroundJob.State {
        switch phase {
        case .ready: .queued
        case .waiting: .waiting
        case .resting: .retrying
        case .running: .running
        case .paused: .paused
        }
    }
}
#endif
