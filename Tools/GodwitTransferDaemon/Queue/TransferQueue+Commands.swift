#if os(Linux)
import GodwitBackground
import GodwitStorage

// Commands of programs.
extension TransferQueue {
    /// Performs a command, except ``TransferCommand/follow(_:after:)``, which the connection performs.
    ///
    /// Returns `nil` if the process is ending: the program must ask the next one.
    func answer(_ command: TransferCommand) -> TransferReply? {
        do throws(SQLiteFailure) {
            switch command {
            case .open(let session, let options): return try open(session, options)
            case .add(let session, let spec):
                guard try add(spec, to: session) else { return nil }
            case .list(let session, let number): return try list(session, after: number)
            case .pause(let session, let id):
                return try pause(id, of: session)
            case .resume(let session, let id):
                return try resume(id, of: session)
            case .cancel(let session, let id): return try cancel(id, of: session)
            case .missed(let session, let number): return TransferReply(events: try events(of: session, after: number))
            case .acknowledge(let session, let event):
                try access { state throws(SQLiteFailure) in try state.store.acknowledge(event, of: session) }
            case .finish(let session):
                try access { state throws(SQLiteFailure) in try state.store.setRelaunch(.done, of: session) }
            case .follow: break
            case .handOver(_, let release):
                let isOlder = settings.release < release
                return TransferReply(release: settings.release, isEnding: isOlder && handOver())
            }
            return TransferReply()
        } catch {
            let reason = error.isFull ? Self.fullReason : "the queue can't be used (SQLite \(error.code))"
            return TransferReply(refusal: TransferRefusal(.storage, reason))
        }
    }

    /// The events of a session that are not acknowledged.
    func events(of session: String, after number: Int64) throws(SQLiteFailure) -> [BackgroundEvent] {
        try access { state throws(SQLiteFailure) in
            try state.store.events(of: session, after: number)
        }
    }

    private func open(_ session: String, _ options: TransferSettings) throws(SQLiteFailure) -> TransferReply {
        if let fault = options.fault { return TransferReply(refusal: .invalid(fault)) }
        let (isTaken, damagedQueue) = try access { state throws(SQLiteFailure) in
            let presence = state.presence
            let isTaken = try state.store.put(options, for: session) { presence[$0] != nil }
            return (isTaken, state.store.damagedQueue)
        }
        guard isTaken else { return TransferReply(refusal: .invalid("too many sessions have jobs")) }
        return TransferReply(release: settings.release, damagedQueue: damagedQueue)
    }

    /// What is said of commands and jobs if there is no space for the queue's next change.
    static let fullReason = "the disk is full, or the queue has reached its limit"

    private func add(_ spec: TransferSpec, to session: String) throws(SQLiteFailure) -> Bool {
        // Bounded by a century.
        let limit = min(spec.timeLimit / .seconds(1), 3e9)
        let deadline = Int64((time + limit).rounded(.up))
        let isTaken = try access { state throws(SQLiteFailure) in
            guard !state.isRetired else { return false }
            guard try state.store.add(spec, to: session, deadline: deadline) else { return true }
            try? state.store.put(state.clock)
            let job = StoredJob(id: spec.id, session: session, state: .pending, deadline: deadline, spec)
            state.entries[job.id] = QueueEntry(job)
            state.order.append(job.id)
            return true
        }
        guard isTaken else { return false }
        settings.log.note("\(spec) is queued")
        pump()
        return true
    }

    private func list(_ session: String, after number: Int64) throws(SQLiteFailure) -> TransferReply {
        try access { state throws(SQLiteFailure) in
            let (jobs, next) = try state.store.jobs(of: session, after: number)
            let obstacle = state.store.isFull ? Self.fullReason : nil
            let shown = jobs.map { job -> BackgroundJob in
                guard job.state != .ended, let entry = state.entries[job.id] else { return job }
                let progress = entry.progress ?? job.progress
                return BackgroundJob(
                    id: job.id, direction: job.direction, state: entry.state, url: job.url, path: job.path,
                    completed: progress.completed, total: progress.total, obstacle: obstacle)
            }
            return TransferReply(jobs: shown, next: next)
        }
    }

    /// Changes a job that has not ended.
    private func change(
        _ id: UUID, of session: String, _ work: @Sendable (inout State, QueueEntry) throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) -> TransferReply {
        let isKnown = try access { state throws(SQLiteFailure) in
            if let entry = state.entries[id], entry.job.session == session {
                try work(&state, entry)
                return true
            }
            // The job may have ended meanwhile.
            return try state.store.has(id, in: session)
        }
        pump()
        return isKnown ? TransferReply() : TransferReply(refusal: TransferRefusal(.unknownJob, "unknown job"))
    }

    private func pause(_ id: UUID, of session: String) throws(SQLiteFailure) -> TransferReply {
        try change(id, of: session) { state, entry throws(SQLiteFailure) in
            if case .running(let control) = entry.phase { return control.stop(.pause) }
            try state.store.set(.paused, of: id)
            state.entries[id]?.phase = .paused
        }
    }

    private func resume(_ id: UUID, of session: String) throws(SQLiteFailure) -> TransferReply {
        try change(id, of: session) { state, entry throws(SQLiteFailure) in
            if case .running(let control) = entry.phase { return control.resume() }
            guard entry.isPaused else { return }
            try state.store.set(.pending, of: id)
            state.entries[id]?.phase = .ready
        }
    }

    private func cancel(_ id: UUID, of session: String) throws(SQLiteFailure) -> TransferReply {
        let reply = try change(id, of: session) { state, entry throws(SQLiteFailure) in
            if case .running(let control) = entry.phase { return control.stop(.cancel) }
            let spec = try state.store.spec(of: id)
            try state.store.end(id, of: session, .failed(.cancelled))
            state.remove(id)
            guard let spec, spec.direction == .download else { return }
            Download.discardLeftover(of: spec.url, to: URL(filePath: spec.path))
        }
        tell(session)
        return reply
    }
}
#endif
