public import Godwit
import GodwitTesting

/// The API of the tour: articles, users and comments, in memory, on a ``MockServer``.
///
/// ```swift
/// let server = try await ContentAPIServer()
/// let api = APIClient(baseURL: server.url) { $0.json = JSONCoding(keys: .snakeCase) }
/// ```
///
/// JSON is in snake_case with ISO 8601 dates, and every error is problem details (RFC 9457).
public final class ContentAPIServer: Sendable {
    /// The base URL for clients.
    public let url: HTTPURL

    private let server: MockServer

    /// Starts a server on loopback.
    ///
    /// - Parameters:
    ///   - port: The port; 0 (the default) chooses a free one.
    ///   - exportInterval: The pause between two articles of the export.
    public init(port: UInt16 = 0, exportInterval: Duration = .milliseconds(10)) async throws(NetworkError) {
        var options = MockServer.Options()
        options.address = .ipv4(port: port)
        // The server may run for days, and its requests are not inspected.
        options.recordLimit = 0
        let store = ContentStore.samples
        server = try await MockServer(options) { route in
            ArticleRoutes(store: store).add(to: route)
            CommentRoutes(store: store).add(to: route)
            UserRoutes(store: store).add(to: route)
            TransferRoutes(store: store, exportInterval: exportInterval).add(to: route)
            route.any("*").answer { request throws(Problem) in throw Problem.unknownPath(request) }
        }
        url = try Self.base(of: server)
    }

    /// Stops the server and closes its connections.
    public func stop() async {
        await server.stop()
    }

    private static func base(of server: MockServer) throws(NetworkError) -> HTTPURL {
        do {
            return try HTTPURL("\(server.url)v1")
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building, underlying: error)
        }
    }
}
