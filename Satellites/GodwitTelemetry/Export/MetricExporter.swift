import GodwitCore
import GodwitSupport
import Synchronization

/// Exports all metrics now and then, in a task of its own, one export at a time. A failed export loses nothing, as the
/// next has all sums again.
final class MetricExporter: Sendable {
    private struct State: Sendable {
        var table: MetricTable
        var clients: [(number: Int, gauges: ClientGauges)] = []
        var lastClient = 0
        var refreshes = RefreshTotal()
        var lastFailure: String?
        var lastWarning: String?
        var task: Task<Void, Never>?
        var isClosed = false
        /// Whether a flush waits, and whether it is the last.
        var isFlushing = false
        var isEnding = false
        var waiters = Waiters<Bool>()
    }

    private let collector: Collector
    private let message: MetricMessage
    private let options: TelemetryOptions
    private let timeline: Timeline
    private let statistics: @Sendable () -> TelemetryStatistics
    private let start: Moment
    private let random = RandomSource(QuickRandom())
    private let wake: WakeSignal
    /// Apart from the table, so that a call takes the lock once less.
    private let startedCalls = Atomic<Int64>(0)
    private let state: Mutex<State>

    init(
        _ collector: Collector, _ message: MetricMessage, _ options: TelemetryOptions, _ timeline: Timeline,
        _ statistics: @escaping @Sendable () -> TelemetryStatistics
    ) {
        self.collector = collector
        self.message = message
        self.options = options
        self.timeline = timeline
        self.statistics = statistics
        start = Moment(options.now(), timeline.now)
        wake = WakeSignal(timeline)
        state = Mutex(State(table: MetricTable(limit: options.cardinalityLimit)))
    }

    /// Why the latest export failed, and the latest warning.
    var report: (failure: String?, warning: String?) { state.withLock { ($0.lastFailure, $0.lastWarning) } }

    /// Adds a client whose gauges are read for each export, and begins to export.
    func attach(_ client: ClientGauges) {
        guard options.signals.contains(.metrics) else { return }
        state.withLock { state in
            guard !state.isClosed else { return }
            state.lastClient += 1
            state.clients.append((state.lastClient, client))
            state.refreshes.add(client.refreshes)
            if state.task == nil { state.task = Task.detached(priority: .utility) { await self.run() } }
        }
    }

    func startCall() { startedCalls.add(1, ordering: .relaxed) }

    /// Counts something.
    func change<Value: Sendable>(_ body: (inout MetricTable) -> Value) -> Value {
        state.withLock { body(&$0.table) }
    }

    /// Exports what was counted so far. Returns whether the collector has accepted or refused it; `false` if the task is
    /// canceled first.
    ///
    /// - Parameter isLast: Also before the time for which the collector asked to get nothing.
    func flush(isLast: Bool) async -> Bool {
        let waiter = state.withLock { state -> Waiter<Bool>? in
            guard state.task != nil, !state.isClosed else { return nil }
            state.isFlushing = true
            if isLast { state.isEnding = true }
            return state.waiters.add()
        }
        guard let waiter else { return true }
        wake.signal()
        return await waiter.value {
            state.withLock { _ = $0.waiters.remove(waiter) }
            waiter.resume(returning: false)
        }
    }

    func close() {
        let (task, waiters) = state.withLock { state in
            state.isClosed = true
            return (state.task, state.waiters.takeAll())
        }
        task?.cancel()
        for waiter in waiters { waiter.resume(returning: false) }
        wake.signal()
    }

    private func run() async {
        var failures = 0
        var due = timeline.now + options.metricExportInterval
        var earliest = Duration.zero
        while true {
            let now = timeline.now
            let (isFlushing, isEnding, isClosed) = state.withLock { ($0.isFlushing, $0.isEnding, $0.isClosed) }
            if isClosed { return }
            let next = isEnding ? now : max(isFlushing ? now : due, earliest)
            guard next <= now else {
                await wake.sleep(next - now)
                continue
            }
            let outcome = await export()
            due = timeline.now + options.metricExportInterval
            guard case .unavailable(_, let retryAfter) = outcome else {
                failures = 0
                continue
            }
            failures += 1
            let own = random.draw { options.backoff.delay(afterFailure: failures, using: &$0) }
            // The next export has everything of this one, so that it need not be sent again later than that.
            due = min(due, timeline.now + own)
            let pause = RetryPause(.zero, asked: retryAfter, longest: options.longestRetryAfter)
            earliest = timeline.now + pause.duration
        }
    }

    /// `nil` if there is nothing to export yet.
    private func export() async -> Collector.Outcome? {
        // Those that wait from now on need an export of their own: this one may not have what they counted.
        let waiters = state.withLock { state in
            state.isFlushing = false
            state.isEnding = false
            return state.waiters.takeAll()
        }
        let snapshot = await snapshot()
        let outcome: Collector.Outcome?
        if let snapshot {
            outcome = await collector.send(collector.export(snapshot, by: message))
        } else {
            outcome = nil
        }
        if let outcome {
            state.withLock { state in
                state.lastFailure = outcome.failure
                state.lastWarning = outcome.warning ?? state.lastWarning
            }
        }
        let isDone = if case .unavailable = outcome { false } else { true }
        for waiter in waiters { waiter.resume(returning: isDone) }
        return outcome
    }

    private func snapshot() async -> MetricSnapshot? {
        let clients = state.withLock(\.clients)
        var (counts, places) = await ClientGauges.sum(of: clients.map(\.gauges))
        let ended = Set(places.map { clients[$0].number })
        var table = state.withLock { state in
            state.clients.removeAll { ended.contains($0.number) }
            state.refreshes.update(keeping: state.clients.compactMap(\.gauges.refreshes))
            counts.tokenRefreshes = state.refreshes.value
            return state.table
        }
        // The table has only counted the ends.
        table.activeCalls += startedCalls.load(ordering: .relaxed)
        guard !table.isEmpty else { return nil }
        // By the steady clock: points before the start would be invalid after the wall clock is set back.
        let time = start.nanoseconds + (timeline.now - start.steady).nanoseconds
        return MetricSnapshot(
            table: table, clients: counts, spans: statistics(), start: start.nanoseconds, time: time)
    }
}
