import GodwitCore
import GodwitSupport
import Synchronization

/// Exports spans in batches, in a task of its own. Adding a span never waits.
final class SpanExporter: Sendable {
    private struct State: Sendable {
        var queue: SpanQueue
        var task: Task<Void, Never>?
        /// Exports must end now: what they send is dropped.
        var isAbandoned = false
        var waiters: [(mark: SpanQueue.Mark, waiter: Waiter<Bool>)] = []
    }

    private let collector: Collector
    private let message: SpanMessage
    private let options: TelemetryOptions
    private let timeline: Timeline
    private let random = RandomSource(QuickRandom())
    private let work: WakeSignal
    /// Ends a pause between attempts.
    private let hurry: WakeSignal
    private let state: Mutex<State>

    init(_ collector: Collector, _ message: SpanMessage, _ options: TelemetryOptions, _ timeline: Timeline) {
        self.collector = collector
        self.message = message
        self.options = options
        self.timeline = timeline
        work = WakeSignal(timeline)
        hurry = WakeSignal(timeline)
        state = Mutex(State(queue: SpanQueue(options)))
    }

    var statistics: TelemetryStatistics { state.withLock { $0.queue.statistics } }

    /// The number of flushes that wait.
    var waiterCount: Int { state.withLock(\.waiters.count) }

    /// Adds a span, or drops and counts it.
    func add(_ span: SpanRecord) {
        let now = timeline.now
        let wakes = state.withLock { state in
            let wakes = state.queue.append(span, at: now)
            if wakes, state.task == nil { state.task = Task.detached(priority: .utility) { await self.run() } }
            return wakes
        }
        if wakes { work.signal() }
    }

    // MARK: The end

    /// Starts to export what was added so far.
    func startFlush() -> SpanQueue.Mark {
        let mark = state.withLock { $0.queue.flush() }
        work.signal()
        hurry.signal()
        return mark
    }

    /// Waits for the export of the spans before a mark. Returns whether the collector has accepted or refused all of them;
    /// `false` if a part was dropped, or if the task is canceled first.
    func isExported(_ mark: SpanQueue.Mark) async -> Bool {
        let waiter = Waiter<Bool>()
        let result = state.withLock { state -> Bool? in
            if let result = state.queue.result(of: mark) { return result }
            state.waiters.append((mark, waiter))
            return nil
        }
        if let result { return result }
        return await waiter.value {
            state.withLock { $0.waiters.removeAll { $0.waiter === waiter } }
            waiter.resume(returning: false)
        }
    }

    /// Accepts no more spans. What waits is sent, in one attempt for each batch.
    func close() {
        state.withLock { $0.queue.close() }
        work.signal()
        hurry.signal()
    }

    /// Drops what is still there.
    func abandon() {
        resumeSettled { state in
            state.isAbandoned = true
            state.task?.cancel()
            state.queue.close()
            state.queue.dropAll()
        }
        work.signal()
        hurry.signal()
    }

    /// Changes the queue, and resumes those whose spans are then settled.
    private func resumeSettled(_ change: (inout State) -> Void) {
        let settled = state.withLock { state in
            change(&state)
            let settled = state.waiters.compactMap { mark, waiter in
                state.queue.result(of: mark).map { (waiter: waiter, result: $0) }
            }
            state.waiters.removeAll { state.queue.result(of: $0.mark) != nil }
            return settled
        }
        for (waiter, result) in settled { waiter.resume(returning: result) }
    }

    // MARK: Export

    private func run() async {
        var failures = 0
        while true {
            let now = timeline.now
            switch state.withLock({ $0.queue.next(at: now) }) {
            case .wait(let time): await work.sleep(time)
            case .send(let batch): settle(batch.count, await export(batch, &failures))
            case .finish: return
            }
        }
    }

    /// Sends a batch until the collector has answered it for good, or it was tried for long enough: a batch that always
    /// fails must not keep later ones from being exported.
    ///
    /// - Parameter failures: The failures in a row, those of earlier batches included.
    private func export(_ batch: [SpanRecord], _ failures: inout Int) async -> Collector.Outcome {
        let export = collector.export(batch, by: message)
        let end = timeline.now + options.maxRetryTime
        while true {
            let outcome = await collector.send(export)
            guard case .unavailable(_, let retryAfter) = outcome else {
                failures = 0
                return outcome
            }
            note(outcome)
            failures += 1
            let isLast = timeline.now >= end
            guard state.withLock({ !$0.queue.isClosed }) else { return outcome }
            // The next batch must not come earlier either.
            await pause(failures, retryAfter)
            if isLast || state.withLock(\.isAbandoned) { return outcome }
        }
    }

    private func pause(_ failures: Int, _ retryAfter: Duration?) async {
        let own = random.draw { options.backoff.delay(afterFailure: failures, using: &$0) }
        guard let retryAfter else { return await hurry.sleep(own) }
        let pause = RetryPause(own, asked: retryAfter, longest: options.longestRetryAfter)
        let end = timeline.now + pause.duration
        // The collector asked for it, so that only the end of this telemetry cuts it short.
        while timeline.now < end, state.withLock({ !$0.queue.isClosed }) { await hurry.sleep(end - timeline.now) }
    }

    private func settle(_ count: Int, _ outcome: Collector.Outcome) {
        var (exported, rejected) = (0, 0)
        switch outcome {
        case .accepted(let refused, _):
            rejected = min(refused, count)
            exported = count - rejected
        case .refused: rejected = count
        case .unavailable: break
        }
        note(outcome)
        resumeSettled { $0.queue.settle(count, exported: exported, rejected: rejected) }
    }

    private func note(_ outcome: Collector.Outcome) {
        state.withLock { $0.queue.note(outcome.failure, warning: outcome.warning) }
    }
}
