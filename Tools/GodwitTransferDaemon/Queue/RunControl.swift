#if os(Linux)
import GodwitBackground
import Synchronization

/// Why a running job should stop.
enum StopReason: Sendable {
    /// The job was paused.
    case pause
    /// The job was canceled.
    case cancel
    /// The job is discretionary, and the network or the load changed.
    case yield
    /// The job's deadline has passed.
    case deadline
    /// The process ends.
    case shutdown
}

/// Stops a job that runs or starts.
final class RunControl: Sendable {
    private struct State {
        var reason: StopReason?
        var stop: (@Sendable (StopReason) -> Void)?
    }

    private let state = Mutex(State())

    /// Why the run should stop; `nil` if it should not.
    var reason: StopReason? { state.withLock(\.reason) }

    /// Sets how to stop the run. If it should stop already, the closure is called immediately.
    func begin(_ stop: @escaping @Sendable (StopReason) -> Void) {
        let reason = state.withLock { state in
            state.stop = stop
            return state.reason
        }
        if let reason { stop(reason) }
    }

    /// Stops the run. A later reason replaces an earlier one, except `.cancel`.
    func stop(_ reason: StopReason) {
        let stop = state.withLock { state in
            if state.reason != .cancel { state.reason = reason }
            return state.stop
        }
        stop?(reason)
    }

    /// Revokes a pause: the run still stops, and the job runs again immediately.
    func resume() {
        state.withLock { state in
            if state.reason == .pause { state.reason = .yield }
        }
    }
}

/// A job that has not ended.
struct QueueEntry {
    enum Phase {
        /// Waits until fewer jobs run.
        case ready
        /// Is discretionary, and waits for an inexpensive network or an idle machine.
        case waiting
        /// Waits for the timer with this number before another attempt.
        case resting(Int)
        case running(RunControl)
        case paused
    }

    let job: StoredJob
    var phase: Phase
    var failures = FailureStreak()
    /// How often the server rejected it with a status that may be retried.
    var refusals = 0
    /// The latest progress in this process.
    var progress: TransferProgress?

    init(_ job: StoredJob) {
        self.job = job
        phase = job.state == .paused ? .paused : .ready
    }

    var isPaused: Bool {
        if case .paused = phase { true } else { false }
    }

    /// The state as shown in lists.
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
