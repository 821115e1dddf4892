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
        (self.interval, self.clock) = (interval, clock)
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
            var read: [ClientGauges.Counts] = []
            var living: [ClientGauges] = []
            for client in clients {
                guard let counts = await client.read() else { continue }
                read.append(counts)
                living.append(client)
            }
            gauges.set(read)
            let isOver = state.withLock { [living] state in
                // Clients that were added during the reading stay.
                state.clients = living + state.clients.dropFirst(clients.count)
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

    /// Sets each to the sum of all clients.
    func set(_ counts: [ClientGauges.Counts]) {
        concurrency.set(counts.reduce(0) { $0 + $1.waitingCalls })
        rateLimit.set(counts.reduce(0) { $0 + $1.throttledCalls })
        refreshes.set(counts.reduce(0) { $0 + $1.tokenRefreshes })
        let connections = counts.compactMap(\.connections)
        guard !connections.isEmpty else { return }
        activeConnections.set(connections.reduce(0) { $0 + $1.open - $1.idle })
        idleConnections.set(connections.reduce(0) { $0 + $1.idle })
        connecting.set(connections.reduce(0) { $0 + $1.waiting })
    }
}
#endif
