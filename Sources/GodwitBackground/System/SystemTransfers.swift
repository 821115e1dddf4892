package import GodwitCore
import Synchronization

/// The jobs of one session that the system does: writes them down, hands them to the system, and keeps what became of
/// them until the program has acknowledged it.
package final class SystemTransfers: Sendable {
    struct State {
        var store: SystemStore
        var jobs: [BackgroundJob.ID: SystemJob]
        var progress: [BackgroundJob.ID: TransferProgress] = [:]
        var news = SystemNews()
        /// The jobs whose time is watched.
        var timed: Set<BackgroundJob.ID> = []
        /// How many files are on their way to their places.
        var placing = 0
        /// Who is to be told when everything is delivered and in its place.
        var wakes = SystemWakes()
    }

    let rules: SystemRules
    let tasks: any SystemTasks
    let state: Mutex<State>
    private let beginning = Mutex<Task<Void, Never>?>(nil)

    /// Opens what is written down. Throws `.file` where that cannot be done.
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

    /// Has the system tell what happened, and goes on with what an earlier run of the program has left. Once.
    package func begin() async {
        let task = beginning.withLock { task in
            let begun = task ?? Task { await self.takeUp() }
            task = begun
            return begun
        }
        await task.value
    }

    /// Does what a command says.
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

    /// Calls the completion once, when the events that the system woke the program for are delivered and every file is
    /// in its place.
    package func whenDelivered(_ lane: SystemTaskLane, _ completion: @escaping @Sendable () -> Void) {
        guard let wake = state.withLock({ $0.wakes.wait(lane, completion) }) else { return }
        Task { [rules, weak self] in
            try? await rules.clock.sleep(for: rules.wakeGrace)
            self?.state.withLock { $0.wakes.expire(wake) }
            self?.tellDelivered()
        }
    }

    func tellDelivered() {
        let completions = state.withLock { state in state.placing == 0 ? state.wakes.takeDelivered() : [] }
        for completion in completions { completion() }
    }
}

// MARK: - What the program asks for
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
        state.withLock { $0.news.end() }.forEach { $0.resume() }
    }

    private static let missing = TransferReply(refusal: TransferRefusal(.unknownJob, "there is no such job"))
}

// MARK: - Jobs
extension SystemTransfers {
    /// What a change says; apart from there being nothing to change.
    struct Changed<Value: Sendable>: Sendable {
        let value: Value
    }

    /// Works on the state, and throws what cannot be written down.
    func access<Value: Sendable>(
        _ work: @Sendable (inout State) throws(NetworkError) -> Value
    ) throws(NetworkError) -> Value {
        let result = state.withLock { state in
            Result { () throws(NetworkError) in try work(&state) }
        }
        return try result.get()
    }

    /// Changes a job, and writes it down; nil where there is none.
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

    /// Hands a job to the system, unless it cannot succeed.
    func start(_ id: BackgroundJob.ID) {
        guard let job = state.withLock({ $0.jobs[id] }), job.phase == .pending else { return }
        if let obstacle = job.obstacle {
            try? endOpen(id, .failed(BackgroundFailure(obstacle)))
            return
        }
        tasks.start(job.order)
        expireLater(job)
    }

    /// Ends a job whose content has not arrived meanwhile.
    private func endOpen(_ id: BackgroundJob.ID, _ outcome: BackgroundEvent.Outcome) throws(NetworkError) {
        try end(id, outcome) { $0.takesContent }
    }

    /// Ends a job that has not ended, and tells of it.
    func end(
        _ id: BackgroundJob.ID, _ outcome: BackgroundEvent.Outcome,
        where isMeant: @Sendable (SystemJob) -> Bool = { $0.phase != .ended }
    ) throws(NetworkError) {
        let waiting = try access { state throws(NetworkError) in
            guard var job = state.jobs[id], isMeant(job) else { return SystemNews().waiting }
            job.end(outcome, number: try state.store.number(), after: state.progress[id])
            try state.store.save(job)
            state.jobs[id] = job
            state.progress[id] = nil
            return state.news.takeWaiting()
        }
        waiting.forEach { $0.resume() }
    }

    /// Ends a job when its time is over.
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
    /// Why it is of no use to hand it to the system; nil where it is.
    fileprivate var obstacle: NetworkError? {
        if spec.direction == .download {
            let place = URL(filePath: spec.path)
            if let error = ArrivedDownload.obstacle(of: spec.url, to: place, spec.existingFile) { return error }
        } else if !FileManager.default.isReadableFile(atPath: spec.path) {
            // The system ends a program that hands it a file it cannot read.
            return NetworkError(.file(reason: "cannot read the file to upload: \(spec.path)"), phase: .building)
        }
        guard HTTPSOnly(except: spec.plaintextHosts).allows(spec.url.origin) else {
            return NetworkError(.insecure(.plaintext(host: spec.url.host)), phase: .building)
        }
        return nil
    }

    /// What lists say.
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
