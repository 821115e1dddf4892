#if canImport(Darwin)
import GodwitURLSession

/// What the platform brings to a client: URLSession. It has no list of public suffixes for others.
enum Platform {
    static func makeTransport(_ configuration: ClientConfiguration) throws(NetworkError) -> any HTTPTransport {
        try URLSessionTransport {
            $0.tls = configuration.tls
            $0.connections = configuration.connections
        }
    }

    static func completed(_ configuration: ClientConfiguration) -> ClientConfiguration { configuration }
}
#endif
