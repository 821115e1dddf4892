public import GodwitCore
import GodwitTesting
import Synchronization

/// A page on this machine that shows the traffic of programs, live.
///
/// ```swift
/// let page = try await InspectorPage()
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.inspector = page.inspector }
/// print(page.url)                                        // open it in a browser
/// ```
///
/// The page listens on 127.0.0.1 behind a random token in its URL, and loads nothing from elsewhere. Several programs can
/// send to one page. It keeps the latest 10,000 calls, and at most 128 MiB of their events.
public final class InspectorPage: Sendable {
    /// The URL with the token. Whoever has it can see the traffic.
    public let url: HTTPURL

    /// The URL for programs, with what proves to them that this is the page.
    private let programURL: String
    package let store: CallStore
    private let server: MockServer

    /// Starts a page on a port of 127.0.0.1.
    ///
    /// - Parameter port: The port of 127.0.0.1; 0, the default, chooses a free one.
    /// - Throws: `.transport` if the port is in use.
    public nonisolated(nonsending) convenience init(port: UInt16 = 0) async throws(NetworkError) {
        try await self.init(port: port, store: CallStore())
    }

    package nonisolated(nonsending) init(port: UInt16, store: CallStore) async throws(NetworkError) {
        var options = MockServer.Options()
        options.address = .ipv4(port: port)
        options.recordLimit = 0
        options.bodyLimit = 16 << 20
        let service = PageService(store: store)
        server = try await MockServer(options) { request in await service.response(to: request) }
        do throws(InvalidURL) {
            url = try HTTPURL("http://127.0.0.1:\(server.url.port)/\(service.token)/")
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building)
        }
        programURL = "\(url.absoluteString)\(service.secret)/"
        service.port.store(UInt16(clamping: server.url.port), ordering: .relaxed)
        self.store = store
    }

    /// An inspector for clients in the same process as the page.
    public var inspector: Inspector { .page(at: programURL) }

    /// Lets this user's programs find the page by `Inspector.local`: writes its URL to a file that only the user can read.
    ///
    /// The file is `godwit/inspect` in `$XDG_CACHE_HOME`, by default `~/.cache`.
    ///
    /// - Parameter variables: The environment. The process's by default.
    /// - Returns: The file.
    /// - Throws: `.file` if it can't be written.
    @discardableResult
    public func publish(
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NetworkError) -> URL {
        guard let file = PageAddress.file(variables) else {
            throw NetworkError(.file(reason: "neither XDG_CACHE_HOME nor HOME is set"), phase: .middleware)
        }
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw NetworkError(
                .file(reason: "cannot create the folder of \(file.path)"), phase: .middleware, underlying: error)
        }
        try PrivateFile(file).replace(with: Data(programURL.utf8))
        return file
    }

    /// Removes the file of ``publish(variables:)``, unless another page has replaced it.
    ///
    /// - Parameter file: What `publish` returned.
    public func withdraw(_ file: URL) {
        guard let data = try? PrivateFile(file).read(), data == Data(programURL.utf8) else { return }
        try? FileManager.default.removeItem(at: file)
    }

    /// Stops the page. Programs that send to it continue without it.
    public func stop() async {
        await server.stop()
    }
}
