public import ContentReaderKit
public import Godwit
import GodwitTesting
import GodwitUI

/// The reader as a web page on this machine: shows the same models as the views on Apple platforms, live.
///
/// ```text
/// let page = try await ReaderPage(baseURL: "http://127.0.0.1:8080/v1", in: folder)
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

    /// Maximum bytes of a picture that the page uploads.
    static let uploadLimit = 8 << 20

    private let server: MockServer
    private let model: ReaderPageModel

    /// Starts the page.
    ///
    /// - Parameters:
    ///   - baseURL: The example API.
    ///   - folder: Where the user's token, values and changes are kept. It is made if necessary.
    ///   - condition: The network at the start.
    ///   - port: The port of 127.0.0.1; 0, the default, chooses a free one.
    /// - Throws: `.file` if the folder can't be used; `.transport` if the port is in use.
    public init(
        baseURL: some HTTPURLConvertible, in folder: URL, _ condition: SimulatedNetwork.Condition = .online,
        port: UInt16 = 0
    ) async throws(NetworkError) {
        try Self.make(folder)
        let network = SimulatedNetwork(condition)
        let tokens = FileTokenStore(at: folder.appending(path: "token.json"))
        let folders = Reader.Folders(caches: folder, changes: folder.appending(path: "outbox"))
        let reader = try Reader(baseURL: baseURL, tokens: tokens, in: folders, monitor: network.monitor) {
            $0.attemptMiddleware.append(network.middleware)
        }
        let model = ReaderPageModel(reader, network)
        let service = PageService(model, reader.queries.api)
        var options = MockServer.Options()
        options.address = .ipv4(port: port)
        options.recordLimit = 0
        options.bodyLimit = Self.uploadLimit
        server = try await MockServer(options) { request in await service.response(to: request) }
        do throws(InvalidURL) {
            url = try HTTPURL("http://127.0.0.1:\(server.url.port)/\(service.token)/")
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building)
        }
        (self.reader, self.network, self.model) = (reader, network, model)
    }

    private static func make(_ folder: URL) throws(NetworkError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw NetworkError(.file(reason: "can't make the reader's folder"), phase: .building, underlying: error)
        }
    }

    /// Stops the page, its reader, and their connections. The user's data stays in the folder.
    public func stop() async {
        await server.stop()
        await model.stop()
    }
}
