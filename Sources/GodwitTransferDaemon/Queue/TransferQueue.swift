#if os(Linux)
import GodwitBackground
import GodwitStorage
import Synchronization

/// The jobs, in memory as on disk: decides which run, writes down what became of them, and tells who follows.
final class TransferQueue: Sendable {
    struct State {
        let store: TransferStore
        var clock: QueueClock
        var entries: [UUID: QueueEntry] = [:]
        /// The jobs that have not ended, in the order in which they came.
        var order: [UUID] = []
        var runningCount = 0
        var rests = 0
        /// Who waits for the events of a session.
        var followers: [ObjectIdentifier: (session: String, wake: @Sendable () -> Void)] = [:]
        /// How many programs are there for a session.
        var presence: [String: Int] = [:]
        var connections = 0
        var relaunching: Set<String> = []
        var isLooking = false
        /// Counts what keeps the process from being idle.
        var activity = 0
        /// A newer process waits until content is sent that must not be sent twice.
        var isHandingOver = false
        /// The process is about to end: who comes now has to come again, and then finds the next one.
        var isRetired = false
        var isStopped = false
    }

    let settings: TransferServiceSettings
    let state: Mutex<State>
    /// Where a damaged queue went; nil if there was none.
    let damagedQueue: String?
    /// Ends the process.
    let retire: @Sendable () -> Void

    /// Takes the queue up where the last process has left it.
    init(
        _ settings: TransferServiceSettings, retire: @escaping @Sendable () -> Void
    ) throws(SQLiteFailure) {
        self.settings = settings
        self.retire = retire
        let store = try TransferStore.open(settings.queuePath)
        var clock = try store.clock() ?? QueueClock(settings.reading())
        clock.advance(to: settings.reading())
        try store.put(clock)
        damagedQueue = store.damagedQueue
        var state = State(store: store, clock: clock)
        for job in try state.store.unfinished() {
            guard job.state != .sending else {
                // The process died while this was under way.
                try state.store.end(job.id, of: job.session, .failed(.interrupted))
                continue
            }
            state.entries[job.id] = QueueEntry(job)
            state.order.append(job.id)
        }
        self.state = Mutex(state)
    }

    /// The time by which jobs run out, in seconds.
    var time: Double {
        let reading = settings.reading()
        return state.withLock { state in
            state.clock.advance(to: reading)
            return state.clock.time
        }
    }

    /// Works on the state, and throws what the queue's file does not do.
    func access<Value: Sendable>(
        _ work: @Sendable (inout State) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        let result = state.withLock { state in
            Result { () throws(SQLiteFailure) in try work(&state) }
        }
        return try result.get()
    }

    /// Begins with the work that is there.
    func start() {
        let sessions = state.withLock { (try? $0.store.awaitingRelaunch()) ?? [] }
        for session in sessions { considerRelaunch(session) }
        pump()
    }

    /// Stops what runs, so that another process can go on with it. Returns once nothing is written any more.
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
    /// Whether the process ends now, so that a newer one can take over; else it does as soon as it has sent what must not
    /// be sent twice.
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

    /// A job has stopped: it may have been the last that a newer process waited for.
    func considerHandOver() {
        if state.withLock({ $0.isHandingOver && !$0.isRetired && $0.isFreeToEnd }) { _ = handOver() }
    }
}

extension TransferQueue.State {
    /// Whether nothing is lost or sent twice when all jobs that run are stopped.
    var isFreeToEnd: Bool {
        entries.values.allSatisfy { entry in
            if case .running = entry.phase { entry.job.isRepeatable } else { true }
        }
    }

    /// Those of the jobs that run.
    var controls: [RunControl] {
        entries.values.compactMap { entry in
            if case .running(let control) = entry.phase { control } else { nil }
        }
    }

    /// Whether a job of a session is still to be done without anybody's doing.
    func hasWork(_ session: String) -> Bool {
        entries.values.contains { $0.job.session == session && !$0.isPaused }
    }

    mutating func remove(_ id: UUID) {
        entries[id] = nil
        order.removeAll { $0 == id }
        // Credentials of the jobs that have ended go with the last of them.
        if entries.isEmpty { store.tidy() }
    }
}
#endif
