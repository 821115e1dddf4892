#if os(Linux)

import GodwitBackground
import GodwitStorage
import GodwitSupport
import Synchronization

// Decides which jobs run, and handles their results.
extension TransferQueue {
    /// Starts jobs up to the limit, oldest first.
    func pump() {
        let isFavorable = isFavorable
        let now = Int64(time)
        let (starting, late) = state.withLock { state -> ([(StoredJob, RunControl)], [StoredJob]) in
            guard !state.isStopped else { return ([], []) }
            return state.choose(limit: settings.parallelJobs, now: now, isFavorable: isFavorable)
        }
        for job in late { end(job, .failed(.outOfTime)) }
        for (job, control) in starting {
            Task { await TransferRun(queue: self, job: job, control: control)() }
        }
        lookAgainLater()
        noteActivity()
    }

    /// The specification of a job, and the file that a killed process may have moved.
    func spec(of job: StoredJob) -> (TransferSpec, DownloadPlacement?)? {
        state.withLock { state in
            guard let spec = try? state.store.spec(of: job.id) else { return nil }
            return (spec, (try? state.store.placement(of: job.id)) ?? nil)
        }
    }

    /// Whether the latest change found no space.
    var isFull: Bool { state.withLock { $0.store.isFull } }

    /// Saves that an upload starts that must not be sent twice. Returns `false` if that fails.
    func noteSending(_ job: StoredJob) -> Bool {
        state.withLock { (try? $0.store.set(.sending, of: job.id)) != nil }
    }

    /// Saves the destination of a file before it is moved.
    func note(_ placement: DownloadPlacement, of job: StoredJob) throws(NetworkError) {
        let isNoted = state.withLock { (try? $0.store.set(placement, of: job.id)) != nil }
        guard isNoted else {
            throw NetworkError(.file(reason: "the queue can't be written"), phase: .receiving)
        }
    }

    func note(_ progress: TransferProgress, of job: StoredJob) {
        state.withLock { $0.entries[job.id]?.progress = progress }
    }

    /// A run has ended: its job ends, or runs again later.
    func settle(_ job: StoredJob, _ control: RunControl, _ ending: TransferRun.Ending) async {
        switch ending {
        case .ended(let outcome): await endSurely(job, outcome)
        case .stopped:
            switch control.reason {
            case .cancel: await endSurely(job, .failed(.cancelled))
            case .deadline: await endSurely(job, .failed(.outOfTime))
            case .pause: putBack(job, .paused)
            case .yield, .shutdown, nil: putBack(job, .ready)
            }
        case .failed(let error): await settle(job, error)
        case .blocked: putBack(job, .resting(0), for: settings.spaceDelay)
        }
        state.withLock { $0.runningCount -= 1 }
        considerHandOver()
        pump()
    }

    private func settle(_ job: StoredJob, _ error: NetworkError) async {
        guard error.isRetryable else { return await endSurely(job, .failed(BackgroundFailure(error))) }
        let isRefusal = error.response != nil
        let rest = state.withLock { state -> Duration? in
            guard var entry = state.entries[job.id] else { return nil }
            let completed = entry.progress?.completed ?? 0
            let failures = entry.failures.count(progress: completed).count
            if isRefusal { entry.refusals += 1 }
            state.entries[job.id] = entry
            guard entry.refusals < settings.refusalLimit else { return nil }
            var generator = SystemRandomNumberGenerator()
            let delay = settings.backoff.delay(afterFailure: failures, using: &generator)
            return RetryPause(delay, asked: error.suggestedRetryDelay, longest: settings.longestRetryAfter).duration
        }
        guard let rest else { return await endSurely(job, .failed(BackgroundFailure(error))) }
        settings.log.note("job \(job.id) waits after \(error.shortDescription)")
        putBack(job, .resting(0), for: rest)
    }

    /// Ends a job, retrying until that is saved.
    private func endSurely(_ job: StoredJob, _ outcome: BackgroundEvent.Outcome) async {
        while !end(job, outcome) {
            if state.withLock({ $0.isStopped }) { return }
            try? await settings.clock.sleep(for: min(settings.spaceDelay, .seconds(1)))
        }
    }

    /// Ends a job and reports its event. Returns `false` if that can't be saved.
    @discardableResult
    private func end(_ job: StoredJob, _ outcome: BackgroundEvent.Outcome) -> Bool {
        let isWritten = state.withLock { state in
            let progress = state.entries[job.id]?.progress
            guard (try? state.store.end(job.id, of: job.session, outcome, after: progress)) != nil else { return false }
            try? state.store.put(state.clock)
            state.remove(job.id)
            return true
        }
        guard isWritten else { return false }
        settings.log.note("job \(job.id) has ended: \(outcome.label)")
        tell(job.session)
        return true
    }

    private func putBack(_ job: StoredJob, _ phase: QueueEntry.Phase, for rest: Duration = .zero) {
        let number = state.withLock { state -> Int? in
            guard let entry = state.entries[job.id] else { return nil }
            // If this can't be saved, the next process finds the job pending, which does no harm.
            try? state.store.set(entry.progress ?? TransferProgress(), of: job.id)
            let isPaused = if case .paused = phase { true } else { false }
            try? state.store.set(isPaused ? .paused : .pending, of: job.id)
            try? state.store.put(state.clock)
            guard case .resting = phase else {
                state.entries[job.id]?.phase = phase
                return nil
            }
            state.rests += 1
            state.entries[job.id]?.phase = .resting(state.rests)
            return state.rests
        }
        guard let number else { return }
        let left = Duration.bounded(seconds: Double(job.deadline) - time)
        Task {
            try? await settings.clock.sleep(for: min(rest, left).bounded)
            endRest(number, of: job)
        }
    }

    private func endRest(_ number: Int, of job: StoredJob) {
        state.withLock { state in
            if case .resting(number) = state.entries[job.id]?.phase { state.entries[job.id]?.phase = .ready }
        }
        pump()
    }
}

extension TransferQueue.State {
    /// Takes the jobs to start now, and those past their deadline.
    fileprivate mutating func choose(
        limit: Int, now: Int64, isFavorable: Bool
    ) -> (starting: [(StoredJob, RunControl)], late: [StoredJob]) {
        var (starting, late) = ([(StoredJob, RunControl)](), [StoredJob]())
        for id in order {
            guard let entry = entries[id] else { continue }
            switch entry.phase {
            case .running, .paused, .resting: continue
            case .ready, .waiting: break
            }
            if entry.job.deadline <= now {
                late.append(entry.job)
            } else if entry.job.isDiscretionary, !isFavorable {
                entries[id]?.phase = .waiting
            } else if isHandingOver, !entry.job.isRepeatable {
                // Left for the next process.
                entries[id]?.phase = .ready
            } else if runningCount < limit {
                let control = RunControl()
                entries[id]?.phase = .running(control)
                runningCount += 1
                starting.append((entry.job, control))
            } else {
                entries[id]?.phase = .ready
            }
        }
        return (starting, late)
    }
}

extension BackgroundEvent.Outcome {
    /// The text for the log.
    fileprivate var label: String {
        switch self {
        case .downloaded: "downloaded"
        case .uploaded(let status, _): "uploaded with \(status)"
        case .failed(let failure): "failed with \(failure.label)"
        }
    }
}

/// Relaunches the program of a session.
enum ProgramStart {
    /// Starts the program without a shell, in a new session. A separate thread waits for its end.
    ///
    /// - Parameter settings: The program, and variables in addition to this process's environment.
    static func perform(_ settings: TransferSettings, for session: String, log: TransferLog) {
        var variables = ProcessInfo.processInfo.environment.merging(settings.variables ?? [:]) { _, program in program }
        variables["GODWIT_BACKGROUND_SESSION"] = session
        ChildProcess.keepDescriptors(from: 3)
        var child = ChildProcess(settings.relaunch, variables: variables)
        child.leadsSession = true
        guard let process = child.start() else { return log.note("a session's program can't be started") }
        log.note("a session's program was started")
        guard let thread = SystemThread({ ChildProcess.wait(for: process) }) else { return }
        thread.detach()
    }
}
#endif
