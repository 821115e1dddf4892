package import GodwitCore
import GodwitSupport
import Synchronization

/// The jobs of a session that the system transfers: saves them, hands them to the system, and keeps their events until the
/// program acknowledges them.
package final class SystemTransfers: Sendable {
    struct State {
        var store: SystemStore
        var jobs: [BackgroundJob.ID: SystemJob]
        var progress: [BackgroundJob.ID: TransferProgress] = [:]
        var readers = EventReaders()
        /// The jobs with a running timer for their time limit.
        var timed: Set<BackgroundJob.ID> = []
        /// How many files are being moved.
        var placing = 0
        /// The handlers to call when all events are delivered and all files moved.
        var wakes = SystemWakes()
    }

    let rules: SystemRules
    let tasks: any SystemTasks
    let state: Mutex<State>
    private let start = Mutex<Task<Void, Never>?>(nil)

    /// Opens the saved jobs. Throws `.file` if that fails.
    package init(
        folder: URL, tasks: any SystemTasks, rules: SystemRules = SystemRules()
    ) throws(NetworkError) {
        let store = try SystemStore(folder, home: rules.home)
        let jobs = try store.jobs()
        self.tasks = tasks
        self.rules = rules
        state = Mutex(
            State(store: store, jobs: Dictionary(jobs.map { ($0.spec.id, $0) }, uniquingKeysWith: { $1 })))
    }

    /// Receives what happened from the system, and continues the saved jobs. Runs once.
    package func begin() async {
        let task = start.withLock { task in
            let started = task ?? Task { await self.continueJobs() }
            task = started
            return started
        }
        await task.value
    }

    /// Performs a command.
    package func answer(_ command: TransferCommand) async -> TransferReply {
        await begin()
        do throws(NetworkError) {
            switch command {
            case .open, .follow, .handOver: break
            case .add(_, let spec): try add(spec)
            case .list: return TransferReply(jobs: list)
            case .pause(_, let id): return try await pause(id)
            case .resume(_, let id): return try resume(id)
            case .cancel(_, let id): return try await cancel(id)
            case .missed(_, let number): return TransferReply(events: events(after: number))
            case .acknowledge(_, let number): acknowledge(number)
            case .finish: end()
            }
            return TransferReply()
        } catch {
            return TransferReply(refusal: TransferRefusal(.storage, error.description))
        }
    }

    /// Calls the completion once, when all events of the wake are delivered and all files moved.
    package func whenDelivered(_ lane: SystemTaskLane, _ completion: @escaping @Sendable () -> Void) {
        guard let wake = state.withLock({ $0.wakes.wait(lane, completion) }) else { return }
        Task { [rules, weak self] in
            try? await rules.clock.sleep(for: rules.wakeGrace.bounded)
            self?.state.withLock { $0.wakes.expire(wake) }
            self?.tellDelivered()
        }
    }

    func tellDelivered() {
        let completions = state.withLock { state in state.placing == 0 ? state.wakes.takeDelivered() : [] }
        for completion in completions { completion() }
    }
}

// MARK: - Commands
extension SystemTransfers {
    private func add(_ spec: TransferSpec) throws(NetworkError) {
        let now = rules.now()
        let isNew = try access { state throws(NetworkError) in
            guard state.jobs[spec.id] == nil else { return false }
            let job = SystemJob(spec, number: try state.store.number(), now: now)
            try state.store.save(job)
            state.jobs[spec.id] = job
            return true
        }
        if isNew { start(spec.id) }
    }

    private var list: [BackgroundJob] {
        let now = rules.now()
        return state.withLock { state in
            state.jobs.values.sorted { $0.number < $1.number }.map { $0.shown(state.progress[$0.spec.id], at: now) }
        }
    }

    private func pause(_ id: BackgroundJob.ID) async throws(NetworkError) -> TransferReply {
        let label = try change(id) { job in job.pause() ? job.label : nil }
        guard let label else { return Self.missing }
        guard let label = label.value else { return TransferReply() }
        let data = await tasks.stop(label)
        _ = try change(id) { $0.keep(data, of: label) }
        return TransferReply()
    }

    private func resume(_ id: BackgroundJob.ID) throws(NetworkError) -> TransferReply {
        guard let isResumed = try change(id, { $0.resume() }) else { return Self.missing }
        if isResumed.value { start(id) }
        return TransferReply()
    }

    private func cancel(_ id: BackgroundJob.ID) async throws(NetworkError) -> TransferReply {
        guard let label = try change(id, { $0.takesContent ? $0.label : nil }) else { return Self.missing }
        guard let label = label.value else { return TransferReply() }
        try endOpen(id, .failed(.cancelled))
        await tasks.cancel(label)
        return TransferReply()
    }

    private func acknowledge(_ number: Int64) {
        state.withLock { state in
            guard let job = state.jobs.values.first(where: { $0.event?.id == number }) else { return }
            state.jobs[job.spec.id] = nil
            state.store.remove(job.spec.id)
        }
    }

    private func end() {
        state.withLock { $0.readers.end() }.forEach { $0.resume() }
    }

    private static let missing = TransferReply(refusal: TransferRefusal(.unknownJob, "unknown job"))
}

// MARK: - Jobs
extension SystemTransfers {
    /// The result of a change, which may itself be optional.
    struct Changed<Value: Sendable>: Sendable {
        let value: Value
    }

    /// Changes the state; throws if it can't be saved.
    func access<Value: Sendable>(
        _ work: @Sendable (inout State) throws(NetworkError) -> Value
    ) throws(NetworkError) -> Value {
        let result = state.withLock { state in
            Result { () throws(NetworkError) in try work(&state) }
        }
        return try result.get()
    }

    /// Changes and saves a job; returns `nil` if it doesn't exist.
    func change<Value: Sendable>(
        _ id: BackgroundJob.ID, _ work: @Sendable (inout SystemJob) -> Value
    ) throws(NetworkError) -> Changed<Value>? {
        try access { state throws(NetworkError) in
            guard var job = state.jobs[id] else { return nil }
            let value = work(&job)
            try state.store.save(job)
            state.jobs[id] = job
            return Changed(value: value)
        }
    }

    /// Hands a job to the system, unless it can't succeed.
    func start(_ id: BackgroundJob.ID) {
        guard let job = state.withLock({ $0.jobs[id] }), job.phase == .pending else { return }
        do throws(NetworkError) {
            if let obstacle = job.obstacle { throw obstacle }
            tasks.start(try job.order)
        } catch {
            try? endOpen(id, .failed(BackgroundFailure(error)))
            return
        }
        expireLater(job)
    }

    /// Ends a job, unless its content has arrived meanwhile.
    private func endOpen(_ id: BackgroundJob.ID, _ outcome: BackgroundEvent.Outcome) throws(NetworkError) {
        try end(id, outcome) { $0.takesContent }
    }

    /// Ends a job that has not ended, and reports its event.
    func end(
        _ id: BackgroundJob.ID, _ outcome: BackgroundEvent.Outcome,
        where isMeant: @Sendable (SystemJob) -> Bool = { $0.phase != .ended }
    ) throws(NetworkError) {
        let readers = try access { state throws(NetworkError) in
            guard var job = state.jobs[id], isMeant(job) else { return [Waiter<Void>]() }
            job.end(outcome, number: try state.store.number(), after: state.progress[id])
            try state.store.save(job)
            state.jobs[id] = job
            state.progress[id] = nil
            return state.readers.takeAll()
        }
        readers.forEach { $0.resume() }
    }

    /// Ends a job at its deadline.
    func expireLater(_ job: SystemJob) {
        guard state.withLock({ $0.timed.insert(job.spec.id).inserted }) else { return }
        let left = job.deadline.timeIntervalSince(rules.now())
        Task { [rules, weak self] in
            try? await rules.clock.sleep(for: .bounded(seconds: left))
            guard let self, let now = self.state.withLock({ $0.jobs[job.spec.id] }), now.phase == .pending else {
                return
            }
            try? self.endOpen(job.spec.id, .failed(.outOfTime))
            await self.tasks.cancel(now.label)
        }
    }
}

extension SystemJob {
    /// Why the job can't succeed; `nil` if it can.
    fileprivate var obstacle: NetworkError? {
        if spec.direction == .download {
            let place = URL(filePath: spec.path)
            if let error = ArrivedDownload.obstacle(of: spec.url, to: place, spec.existingFile) { return error }
        } else if !FileManager.default.isReadableFile(atPath: spec.path) {
            // The system terminates a program that hands it an unreadable file.
            return NetworkError(.file(reason: "cannot read the file to upload: \(spec.path)"), phase: .building)
        }
        guard HTTPSOnly(except: spec.plaintextHosts).allows(spec.url.origin) else {
            return NetworkError(.insecure(.plaintext(host: spec.url.host)), phase: .building)
        }
        return nil
    }

    /// The job as shown in lists.
    fileprivate func shown(_ current: TransferProgress?, at now: Date) -> BackgroundJob {
        let progress = current ?? progress
        let state: BackgroundJob.State =
            switch phase {
            case .ended: .ended
            case .paused: .paused
            case .arrived: .running
            case .pending where rests(at: now): .retrying
            case .pending where current != nil: .running
            case .pending: spec.isDiscretionary ? .waiting : .queued
            }
        return BackgroundJob(
            id: spec.id, direction: spec.direction, state: state, url: "\(RedactedURL(spec.url))", path: spec.path,
            completed: progress.completed, total: progress.total)
    }
}
