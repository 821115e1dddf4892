import GodwitCore
import Synchronization

/// Exports spans in batches, in a task of its own. Adding a span never waits.
final class SpanExporter: Sendable {
    private struct State: Sendable {
        var queue: SpanQueue
        var task: Task<Void, Never>?
        /// Exports must end now: what they send is dropped.
        var isAbandoned = false
        var waiters: [(number: Int, waiter: Waiter<Bool>)] = []
    }

    private let collector: Collector
    private let message: SpanMessage
    private let options: TelemetryOptions
    private let timeline: Timeline
    private let random = RandomSource(QuickRandom())
    private let work: Alarm
    /// Ends a pause between attempts.
    private let hurry: Alarm
    private let state: Mutex<State>

    init(_ collector: Collector, _ message: SpanMessage, _ options: TelemetryOptions, _ timeline: Timeline) {
        (self.collector, self.message, self.options, self.timeline) = (collector, message, options, timeline)
        work = Alarm(timeline)
        hurry = Alarm(timeline)
        state = Mutex(State(queue: SpanQueue(options)))
    }

    var statistics: TelemetryStatistics { state.withLock { $0.queue.statistics } }

    /// Adds a span, or drops and counts it.
    func add(_ span: SpanRecord) {
        let now = timeline.now
        let wakes = state.withLock { state in
            let wakes = state.queue.append(span, at: now)
            if wakes, state.task == nil { state.task = Task.detached(priority: .utility) { await self.run() } }
            return wakes
        }
        if wakes { work.ring() }
    }

    // MARK: The end

    /// Exports what was added so far. Returns `false` if the task is canceled first.
    @discardableResult
    func flush() async -> Bool {
        let waiter = Waiter<Bool>()
        let isDone = state.withLock { state in
            let number = state.queue.flush()
            if state.queue.hasSettled(number) { return true }
            state.waiters.append((number, waiter))
            return false
        }
        if isDone { return true }
        work.ring()
        hurry.ring()
        return await waiter.value { waiter.resume(returning: false) }
    }

    /// Accepts no more spans. What waits is sent, in one attempt for each batch.
    func close() {
        state.withLock { $0.queue.close() }
        work.ring()
        hurry.ring()
    }

    /// Drops what is still there.
    func abandon() {
        let waiters = state.withLock { state in
            state.isAbandoned = true
            state.task?.cancel()
            state.queue.close()
            state.queue.dropAll()
            return Self.takeSettled(&state)
        }
        for waiter in waiters { waiter.resume(returning: true) }
        work.ring()
        hurry.ring()
    }

    // MARK: Export

    private func run() async {
        while true {
            let now = timeline.now
            switch state.withLock({ $0.queue.next(at: now) }) {
            case .wait(let time): await work.sleep(time)
            case .send(let batch): await export(batch)
            case .finish: return
            }
        }
    }

    private func export(_ batch: [SpanRecord]) async {
        let body: Data
        switch options.encoding {
        case .protobuf: body = message.write(batch, as: ProtobufWriter.self)
        case .json: body = message.write(batch, as: JSONWriter.self)
        }
        var failures = 0
        while true {
            let outcome = await collector.send(body, .traces)
            guard case .unavailable(let reason, let retryAfter) = outcome else {
                return settle(batch.count, outcome)
            }
            report(reason)
            failures += 1
            guard state.withLock({ !$0.queue.isClosed }) else { return settle(batch.count, outcome) }
            await pause(failures, retryAfter)
            guard state.withLock({ !$0.isAbandoned }) else { return settle(batch.count, outcome) }
        }
    }

    private func pause(_ failures: Int, _ retryAfter: Duration?) async {
        let own = random.draw { options.backoff.delay(afterFailure: failures, using: &$0) }
        guard let retryAfter else { return await hurry.sleep(own) }
        let end = timeline.now + max(own, retryAfter)
        // The collector asked for it, so that only the end of this telemetry cuts it short.
        while timeline.now < end, state.withLock({ !$0.queue.isClosed }) { await hurry.sleep(end - timeline.now) }
    }

    private func settle(_ count: Int, _ outcome: Collector.Outcome) {
        var (exported, rejected) = (0, 0)
        switch outcome {
        case .accepted(let refused, let message):
            rejected = min(refused, count)
            exported = count - rejected
            if rejected > 0 { report(message.isEmpty ? "spans were rejected" : message) } else { report(nil) }
        case .refused(let reason):
            rejected = count
            report(reason)
        case .unavailable: break
        }
        let waiters = state.withLock { state in
            state.queue.settle(count, exported: exported, rejected: rejected)
            return Self.takeSettled(&state)
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    private static func takeSettled(_ state: inout State) -> [Waiter<Bool>] {
        let settled = state.waiters.filter { state.queue.hasSettled($0.number) }
        state.waiters.removeAll { state.queue.hasSettled($0.number) }
        return settled.map(\.waiter)
    }

    private func report(_ failure: String?) {
        state.withLock { $0.queue.note(failure: failure) }
        if let failure { collector.report(failure) }
    }
}
