import ContentAPIServer
import ContentReaderKit
import ContentReaderWeb
import Godwit
import GodwitUI
import Observation
import TestSupport

/// A signed-in reader against the running API, with a folder of its own and a network to switch off.
@MainActor
struct TestReader {
    let server: ContentAPIServer
    let reader: Reader
    let network: SimulatedNetwork
    let folder: TemporaryFolder

    static func with(
        _ middleware: [any Middleware] = [], _ test: (TestReader) async throws -> Void
    ) async throws {
        let server = try await ContentAPIServer(.signedIn)
        let reader = try TestReader(server, TemporaryFolder(), middleware)
        await reader.reader.account.signingIn.run(Login(name: "ada", password: "tides"))
        await until { reader.reader.outbox != nil }
        try await test(reader)
        await reader.stop()
        await server.stop()
    }

    init(
        _ server: ContentAPIServer, _ folder: TemporaryFolder, _ middleware: [any Middleware] = [],
        _ condition: SimulatedNetwork.Condition = .online, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        (self.server, self.folder) = (server, folder)
        let network = SimulatedNetwork(condition)
        let tokens = FileTokenStore(at: folder.url.appending(path: "token.json"))
        let folders = Reader.Folders(caches: folder.url, changes: folder.url.appending(path: "outbox"))
        reader = try Reader(baseURL: server.url, tokens: tokens, in: folders, monitor: network.monitor, clock: clock) {
            $0.attemptMiddleware += middleware + [network.middleware]
            $0.retry.maximumAttempts = 1
        }
        self.network = network
    }

    /// The app ends, and starts again with what it has kept.
    func relaunched(_ condition: SimulatedNetwork.Condition) async throws -> TestReader {
        await stop()
        return try TestReader(server, folder, [], condition)
    }

    func stop() async {
        await reader.stop()
    }

    /// An article, loaded.
    func opened(_ id: Article.ID) async -> ArticleScreen {
        reader.open(id)
        await reader.path.last?.load()
        return reader.path[reader.path.count - 1]
    }

    /// Changes the title of an article in its form.
    func rename(_ screen: ArticleScreen, to title: String) async {
        guard let editor = screen.editor() else { return }
        editor.form.title = title
        await editor.saving.run(editor.form)
    }

    /// Returns when the server has all changes, or refused them.
    func settled() async {
        await until { reader.changes.allSatisfy(\.needsDecision) }
    }

    func article(_ id: Article.ID) async throws(NetworkError) -> Response<Article> {
        try await reader.queries.api.response(for: .article(id: id))
    }

    /// What reading an article throws, if anything.
    func failure(reading id: Article.ID) async -> NetworkError? {
        await TestSupport.failure { () throws(NetworkError) in try await article(id) }
    }
}

extension ContentAPIServer.Options {
    /// All requests need a token.
    static var signedIn: Self {
        var options = Self()
        options.access = .signedIn
        return options
    }
}

/// Waits until the condition holds, as its observation tells.
@MainActor
func until(_ condition: @MainActor () -> Bool) async {
    while true {
        let (changes, tell) = AsyncStream.makeStream(of: Void.self)
        if withObservationTracking(condition, onChange: { tell.yield() }) { return }
        for await _ in changes { break }
    }
}
