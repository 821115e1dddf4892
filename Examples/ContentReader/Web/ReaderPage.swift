public import ContentReaderKit
public import Godwit
import GodwitTesting

/// The reader as a web page on this machine: shows the same models as the views on Apple platforms, live.
///
/// ```text
/// let page = try await ReaderPage(baseURL: "http://127.0.0.1:8080/v1")
/// print(page.url)                                        // open it in a browser
/// ```
///
/// The page listens on 127.0.0.1 behind a random token in its URL, and loads nothing from elsewhere. All browsers show
/// the same screens, and one user.
@MainActor
public final class ReaderPage {
    /// The URL with the token. Whoever has it is signed in.
    public let url: HTTPURL

    /// The models.
    public let reader: Reader

    /// The switch of the network.
    public let network: SimulatedNetwork

    private let server: MockServer

    /// Starts the page.
    ///
    /// - Parameters:
    ///   - baseURL: The example API.
    ///   - tokens: Where the token is kept; by default in memory.
    ///   - port: The port of 127.0.0.1; 0, the default, chooses a free one.
    /// - Throws: `.transport` if the port is in use.
    public init(
        baseURL: some HTTPURLConvertible, tokens: some TokenStore = MemoryTokenStore(), port: UInt16 = 0
    ) async throws(NetworkError) {
        let network = SimulatedNetwork()
        let api = APIClient(baseURL: baseURL, preset: .reader(tokens: tokens)) {
            $0.middleware.append(network.middleware)
        }
        let reader = Reader(api, monitor: network.monitor)
        let model = ReaderPageModel(reader, network)
        let service = PageService(model, api)
        var options = MockServer.Options()
        options.address = .ipv4(port: port)
        options.recordLimit = 0
        options.bodyLimit = 8 << 20
        server = try await MockServer(options) { request in await service.response(to: request) }
        do throws(InvalidURL) {
            url = try HTTPURL("http://127.0.0.1:\(server.url.port)/\(service.token)/")
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building)
        }
        (self.reader, self.network) = (reader, network)
        model.appear()
    }

    /// Stops the page.
    public func stop() async {
        await server.stop()
    }
}
