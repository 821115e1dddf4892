#if canImport(Darwin)
import GodwitURLSession

/// The platform's parts of a client: URLSession. Apple platforms have no public list of public suffixes.
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
