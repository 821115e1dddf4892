package import GodwitCore
import GodwitSupport
import Synchronization

// Handles what the system reports.
extension SystemTransfers: SystemTaskListener {
    package func progressed(_ label: SystemTaskLabel, to completed: Int64, of total: Int64?) {
        state.withLock { state in
            guard state.jobs[label.job]?.label == label else { return }
            state.progress[label.job] = TransferProgress(completed: completed, total: total)
        }
    }

    package func received(_ file: URL, _ label: SystemTaskLabel, _ head: HTTPResponseHead) {
        guard head.status.isSuccessful, let job = state.withLock({ $0.jobs[label.job] }), job.takesContent,
            job.spec.direction == .download
        else { return }
        do throws(NetworkError) {
            try ArrivedDownload.take(file, of: job.spec.url, to: URL(filePath: job.spec.path))
            guard try change(label.job, { $0.arrive(head) }) != nil else { return }
            place(label.job)
            if label != job.label { Task { await tasks.cancel(job.label) } }
        } catch {
            try? end(label.job, .failed(BackgroundFailure(error)))
        }
    }

    package func answered(_ label: SystemTaskLabel, _ head: HTTPResponseHead, _ answer: Data) {
        settle(label.job) { [rules] in $0.take(head, answer, of: label, rules) }
    }

    package func failed(_ label: SystemTaskLabel, _ kind: NetworkError.Kind, resumeData: Data?) {
        settle(label.job) { [rules] in $0.fail(kind, resumeData: resumeData, of: label, rules) }
    }

    package func delivered(_ lane: SystemTaskLane) {
        state.withLock { $0.wakes.deliver(lane) }
        tellDelivered()
    }

    private func settle(_ id: BackgroundJob.ID, _ work: @Sendable (inout SystemJob) -> SystemJob.Step) {
        guard let step = try? change(id, work) else { return }
        perform(step.value, id)
    }

    private func perform(_ step: SystemJob.Step, _ id: BackgroundJob.ID) {
        switch step {
        case .none: break
        case .start: start(id)
        case .end(let outcome): try? end(id, outcome)
        }
    }

    // MARK: - Start

    /// Compares the saved jobs with the system's tasks.
    func continueJobs() async {
        let labels = await tasks.begin(self)
        let jobs = state.withLock { Array($0.jobs.values) }
        for label in labels {
            let job = jobs.first { $0.spec.id == label.job }
            if job?.takesContent != true { await tasks.cancel(label) }
        }
        for job in jobs.sorted(by: { $0.number < $1.number }) {
            if job.phase == .arrived { place(job.spec.id) }
            guard job.phase == .pending else { continue }
            if labels.contains(job.label) { expireLater(job) } else { loseLater(job) }
        }
    }

    /// Waits first, as the system may still report the end of a task that it doesn't list.
    private func loseLater(_ job: SystemJob) {
        Task { [rules, weak self] in
            try? await rules.clock.sleep(for: rules.grace.bounded)
            guard let self else { return }
            self.settle(job.spec.id) { now in now.label == job.label ? now.lose() : .none }
        }
    }

    // MARK: - Moving files

    /// Moves a received file to its destination.
    private func place(_ id: BackgroundJob.ID) {
        guard let job = state.withLock({ $0.jobs[id] }), let arrival = job.arrival else { return }
        state.withLock { $0.placing += 1 }
        Task {
            let outcome = await outcome(of: arrival, job)
            try? end(id, outcome)
            state.withLock { $0.placing -= 1 }
            tellDelivered()
        }
    }

    private func outcome(of arrival: ArrivedDownload, _ job: SystemJob) async -> BackgroundEvent.Outcome {
        let destination = URL(filePath: job.spec.path)
        if let placement = job.placement, placement.isDone {
            // An earlier run of the program was killed between moving the file and saving that.
            placement.removeTraces(of: job.spec.url, to: destination)
            return .downloaded(URL(filePath: placement.target))
        }
        var options = DownloadOptions()
        options.existingFile = job.spec.existingFile
        options.digest = job.spec.digest
        options.synchronizesToDisk = true
        do throws(NetworkError) {
            let file = try await arrival.finish(job.spec.url, to: destination, options) {
                placement throws(NetworkError) in
                _ = try self.change(job.spec.id) { $0.placement = placement }
            }
            return .downloaded(file)
        } catch {
            return .failed(BackgroundFailure(error))
        }
    }
}
