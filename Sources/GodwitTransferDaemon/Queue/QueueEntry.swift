#if os(Linux)
import GodwitBackground

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
