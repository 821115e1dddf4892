#if canImport(GodwitCurl)
import GodwitCurl

/// What the platform brings to a client: libcurl, and the system's list of public suffixes.
enum Platform {
    static func makeTransport(_ configuration: ClientConfiguration) throws(NetworkError) -> any HTTPTransport {
        try CurlTransport {
            $0.tls = configuration.tls
            $0.connections = configuration.connections
            $0.pathMonitor = configuration.pathMonitor
        }
    }

    /// Cookies for a whole domain need the list of public suffixes that the system has.
    static func completed(_ configuration: ClientConfiguration) -> ClientConfiguration {
        guard configuration.publicSuffixes is ExactHosts else { return configuration }
        var configuration = configuration
        configuration.publicSuffixes = PublicSuffixList()
        return configuration
    }
}
#endif
