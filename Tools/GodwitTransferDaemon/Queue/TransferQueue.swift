#if os(Linux)
import GodwitBackground
import GodwitStorage
import Synchronization

/// The jobs in memory and on disk: decides which run, saves their results, and notifies connections.
final class TransferQueue: Sendable {
    struct State {
        let store: TransferStore
        var clock: QueueClock
        var entries: [UUID: QueueEntry] = [:]
        /// The jobs that have not ended, oldest first.
        var order: [UUID] = []
        var runningCount = 0
        var rests = 0
        /// The connections that wait for events of a session.
        var followers: [ObjectIdentifier: (session: String, wake: @Sendable () -> Void)] = [:]
        /// The number of connections per session.
        var presence: [String: Int] = [:]
        var connections = 0
        var relaunching: Set<String> = []
        var isLooking = false
        /// Counts changes, to detect idle time.
        var activity = 0
        /// A newer process waits for uploads that must not be sent twice.
        var isHandingOver = false
        /// The process is ending: programs that connect now must retry with the next one.
        var isRetired = false
        var isStopped = false
    }

    let settings: TransferServiceSettings
    let state: Mutex<State>
    /// The new path of a damaged queue; `nil` if the queue was not damaged.
    let damagedQueue: String?
    /// Ends the process.
    let retire: @Sendable () -> Void

    /// Continues the queue of the previous process.
    init(
        _ settings: TransferServiceSettings, retire: @escaping @Sendable () -> Void
    ) throws(SQLiteFailure) {
        self.settings = settings
        self.retire = retire
        let store = try TransferStore.open(settings.queuePath, limit: settings.queueLimit)
        var clock = try store.clock() ?? QueueClock(settings.reading())
        clock.advance(to: settings.reading())
        try store.put(clock)
        damagedQueue = store.damagedQueue
        var state = State(store: store, clock: clock)
        for job in try state.store.unfinished() {
            guard job.state != .sending else {
                // The process was killed during this upload.
                try state.store.end(job.id, of: job.session, .failed(.interrupted))
                continue
            }
            state.entries[job.id] = QueueEntry(job)
            state.order.append(job.id)
        }
        self.state = Mutex(state)
    }

    /// The time for deadlines, in seconds.
    var time: Double {
        let reading = settings.reading()
        return state.withLock { state in
            state.clock.advance(to: reading)
            return state.clock.time
        }
    }

    /// Changes the state; throws if it can't be saved.
    func access<Value: Sendable>(
        _ work: @Sendable (inout State) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        let result = state.withLock { state in
            Result { () throws(SQLiteFailure) in try work(&state) }
        }
        return try result.get()
    }

    /// Starts the jobs and relaunches.
    func start() {
        let sessions = state.withLock { (try? $0.store.awaitingRelaunch()) ?? [] }
        for session in sessions { considerRelaunch(session) }
        pump()
    }

    /// Stops all jobs, so that another process can continue them. Returns when nothing is written any more.
    func stop() async {
        let controls = state.withLock { state in
            state.isStopped = true
            state.isRetired = true
            return state.controls
        }
        for control in controls { control.stop(.shutdown) }
        while state.withLock({ $0.runningCount > 0 }) { try? await ContinuousClock().sleep(for: .milliseconds(10)) }
    }
}

// MARK: - Handing over
extension TransferQueue {
    /// Ends the process so that a newer one can take over, after uploads that must not be sent twice. Returns whether it ends
    /// now.
    func handOver() -> Bool {
        let isFree = state.withLock { state in
            state.isHandingOver = true
            guard state.isFreeToEnd else { return false }
            state.isRetired = true
            return true
        }
        if isFree { retire() }
        return isFree
    }

    /// A job has stopped, and a newer process may have waited for it.
    func considerHandOver() {
        if state.withLock({ $0.isHandingOver && !$0.isRetired && $0.isFreeToEnd }) { _ = handOver() }
    }
}

extension TransferQueue.State {
    /// Whether all running jobs can be stopped and repeated.
    var isFreeToEnd: Bool {
        entries.values.allSatisfy { entry in
            if case .running = entry.phase { entry.job.isRepeatable } else { true }
        }
    }

    /// The controls of the running jobs.
    var controls: [RunControl] {
        entries.values.compactMap { entry in
            if case .running(let control) = entry.phase { control } else { nil }
        }
    }

    /// Whether a session has jobs that are not paused.
    func hasWork(_ session: String) -> Bool {
        entries.values.contains { $0.job.session == session && !$0.isPaused }
    }

    mutating func remove(_ id: UUID) {
        entries[id] = nil
        order.removeAll { $0 == id }
        // Removes the credentials of ended jobs from the database's log.
        if entries.isEmpty { store.tidy() }
    }
}
#endif
