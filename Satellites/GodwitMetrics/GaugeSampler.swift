#if Metrics
import GodwitCore
import Metrics
import Synchronization

/// Reads the gauges of clients at an interval, as long as there are clients.
final class GaugeSampler: Sendable {
    private struct State {
        var clients: [ClientGauges] = []
        var task: Task<Void, Never>?
        var isStopped = false
    }

    private let gauges: Gauges
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(_ factory: any MetricsFactory, _ interval: Duration, _ clock: any Clock<Duration>) {
        gauges = Gauges(factory)
        self.interval = interval
        self.clock = clock
    }

    func add(_ client: ClientGauges) {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.clients.append(client)
            if state.task == nil { state.task = Task.detached(priority: .utility) { await self.run() } }
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.task?.cancel()
            state.clients = []
        }
    }

    private func run() async {
        while (try? await clock.sleep(for: interval)) != nil {
            let clients = state.withLock(\.clients)
            let (counts, ended) = await ClientGauges.sum(of: clients)
            gauges.set(counts)
            let isOver = state.withLock { state in
                // Clients that were added during the reading stay.
                state.clients =
                    clients.indices.filter { !ended.contains($0) }.map { clients[$0] }
                    + state.clients.dropFirst(clients.count)
                guard state.clients.isEmpty else { return false }
                state.task = nil
                return true
            }
            if isOver { return }
        }
    }
}

/// The metrics that are set to what clients report.
private struct Gauges: Sendable {
    private let concurrency: Meter
    private let rateLimit: Meter
    private let refreshes: Meter
    private let activeConnections: Meter
    private let idleConnections: Meter
    private let connecting: Meter

    init(_ factory: any MetricsFactory) {
        func meter(_ label: String, _ name: String, _ value: String) -> Meter {
            Meter(label: label, dimensions: [(name, value)], factory: factory)
        }
        concurrency = meter("godwit.client.waiting_calls", "godwit.queue", "concurrency")
        rateLimit = meter("godwit.client.waiting_calls", "godwit.queue", "rate_limit")
        refreshes = Meter(label: "godwit.client.token_refreshes", factory: factory)
        activeConnections = meter("http.client.open_connections", "http.connection.state", "active")
        idleConnections = meter("http.client.open_connections", "http.connection.state", "idle")
        connecting = Meter(label: "godwit.client.connecting_requests", factory: factory)
    }

    /// Sets each to the values of all clients together.
    func set(_ counts: ClientGauges.Counts) {
        concurrency.set(counts.waitingCalls)
        rateLimit.set(counts.throttledCalls)
        refreshes.set(counts.tokenRefreshes)
        guard let connections = counts.connections else { return }
        activeConnections.set(connections.open - connections.idle)
        idleConnections.set(connections.idle)
        connecting.set(connections.waiting)
    }
}
#endif
