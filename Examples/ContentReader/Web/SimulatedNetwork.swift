public import Godwit
public import Observation

/// A network with a switch, to see what the screens do without it.
@Observable @MainActor
public final class SimulatedNetwork {
    /// What happens to requests.
    public enum Condition: String, Codable, Sendable {
        /// They are sent.
        case online
        /// They fail, and the path monitor reports that the network is gone.
        case offline
        /// They are answered with 503.
        case failing
    }

    public var condition: Condition {
        didSet { outage.change(to: condition) }
    }

    private nonisolated let outage = SimulatedOutage()

    public init(_ condition: Condition = .online) {
        self.condition = condition
        outage.change(to: condition)
    }

    /// The monitor for the models.
    public nonisolated var monitor: any PathMonitor { outage.path }

    /// The middleware for the client.
    public nonisolated var middleware: any Middleware { outage }
}
