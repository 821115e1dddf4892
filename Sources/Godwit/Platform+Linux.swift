#if os(Linux)
import GodwitSockets

/// The platform's parts of a client: the engine, and the system's public-suffix list.
enum Platform {
    static func makeTransport(_ configuration: ClientConfiguration) throws(NetworkError) -> any HTTPTransport {
        try SocketTransport {
            $0.tls = configuration.tls
            $0.connections = configuration.connections
            $0.pathMonitor = configuration.pathMonitor
        }
    }

    /// Adds the system's public-suffix list, which cookies for whole domains need.
    static func completed(_ configuration: ClientConfiguration) -> ClientConfiguration {
        guard configuration.publicSuffixes is ExactHosts else { return configuration }
        var configuration = configuration
        configuration.publicSuffixes = PublicSuffixList()
        return configuration
    }
}
#endif
