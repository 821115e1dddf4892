import GodwitCore
import Synchronization

/// Exports all metrics now and then, in a task of its own. A failed export loses nothing, as the next has all sums
/// again.
final class MetricExporter: Sendable {
    private struct State: Sendable {
        var table: MetricTable
        var clients: [ClientGauges] = []
        var task: Task<Void, Never>?
        var isClosed = false
    }

    private let collector: Collector
    private let message: MetricMessage
    private let options: TelemetryOptions
    private let timeline: Timeline
    private let statistics: @Sendable () -> TelemetryStatistics
    private let start: UInt64
    private let random = RandomSource(QuickRandom())
    private let alarm: Alarm
    private let state: Mutex<State>

    init(
        _ collector: Collector, _ message: MetricMessage, _ options: TelemetryOptions, _ timeline: Timeline,
        _ statistics: @escaping @Sendable () -> TelemetryStatistics
    ) {
        (self.collector, self.message, self.options, self.timeline) = (collector, message, options, timeline)
        self.statistics = statistics
        start = Moment(options.now(), .zero).nanoseconds
        alarm = Alarm(timeline)
        state = Mutex(State(table: MetricTable(limit: options.seriesLimit)))
    }

    /// Adds a client whose gauges are read for each export, and begins to export.
    func attach(_ client: ClientGauges) {
        state.withLock { state in
            state.clients.append(client)
            guard state.task == nil, !state.isClosed else { return }
            state.task = Task.detached(priority: .utility) { await self.run() }
        }
    }

    /// Counts something.
    func change<Value: Sendable>(_ body: (inout MetricTable) -> Value) -> Value {
        state.withLock { body(&$0.table) }
    }

    /// Exports once, now. Returns whether the collector has accepted it.
    @discardableResult
    func export() async -> Bool {
        guard let snapshot = await snapshot() else { return true }
        if case .accepted = await send(snapshot) { return true }
        return false
    }

    func close() {
        let task = state.withLock { state in
            state.isClosed = true
            return state.task
        }
        task?.cancel()
        alarm.ring()
    }

    private func run() async {
        var failures = 0
        var pause = options.metricInterval
        while true {
            await alarm.sleep(pause)
            guard state.withLock({ !$0.isClosed }) else { return }
            pause = options.metricInterval
            guard let snapshot = await snapshot() else { continue }
            switch await send(snapshot) {
            case .accepted, .refused: failures = 0
            case .unavailable(_, let retryAfter):
                failures += 1
                let own = random.draw { options.backoff.delay(afterFailure: failures, using: &$0) }
                // The next export has everything of this one, so that it need not be sent again later than that.
                pause = max(min(own, options.metricInterval), retryAfter ?? .zero)
            }
        }
    }

    private func send(_ snapshot: MetricSnapshot) async -> Collector.Outcome {
        let outcome =
            switch options.encoding {
            case .protobuf: await collector.send(message.write(snapshot, as: ProtobufWriter.self), .metrics)
            case .json: await collector.send(message.write(snapshot, as: JSONWriter.self), .metrics)
            }
        switch outcome {
        case .accepted(0, _): break
        case .accepted(_, let reason), .refused(let reason), .unavailable(let reason, _): collector.report(reason)
        }
        return outcome
    }

    /// `nil` if there is nothing to export yet.
    private func snapshot() async -> MetricSnapshot? {
        var counts = ClientGauges.Counts()
        var living: [ClientGauges] = []
        let clients = state.withLock(\.clients)
        var known: Set<ObjectIdentifier> = []
        for client in clients {
            guard let own = await client.read() else { continue }
            living.append(client)
            counts.waitingCalls += own.waitingCalls
            counts.throttledCalls += own.throttledCalls
            if client.token.map({ known.insert($0).inserted }) ?? true { counts.tokenRefreshes += own.tokenRefreshes }
            if client.transport.map({ known.insert($0).inserted }) ?? true { counts.add(own.connections) }
        }
        let table = state.withLock { state in
            // Clients may have been added in the meantime.
            state.clients = living + state.clients.dropFirst(clients.count)
            return state.table
        }
        guard !table.isEmpty else { return nil }
        return MetricSnapshot(
            table: table, clients: counts, spans: statistics(), start: start,
            time: Moment(options.now(), .zero).nanoseconds)
    }
}

extension ClientGauges.Counts {
    fileprivate mutating func add(_ other: ConnectionCounts?) {
        guard let other else { return }
        let own = connections ?? ConnectionCounts(open: 0, idle: 0, waiting: 0)
        connections = ConnectionCounts(
            open: own.open + other.open, idle: own.idle + other.idle, waiting: own.waiting + other.waiting)
    }
}
