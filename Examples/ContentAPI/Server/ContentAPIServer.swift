public import Godwit
import GodwitTesting

/// The API of the example: articles, users, comments and pictures, in memory, on a ``MockServer``.
///
/// ```swift
/// let server = try await ContentAPIServer()
/// let api = APIClient(baseURL: server.url) { $0.json = JSONCoding(keys: .snakeCase) }
/// ```
///
/// JSON is in snake_case with ISO 8601 dates, and every error is problem details (RFC 9457). The users are `ada`, `ben`,
/// `chi` and `dag`; the password of each is `tides`.
public final class ContentAPIServer: Sendable {
    /// The base URL for clients.
    public let url: HTTPURL

    private let server: MockServer
    private let accounts: Accounts
    private let store: ContentStore

    /// Starts a server on loopback.
    public init(_ options: Options = Options()) async throws(NetworkError) {
        var server = MockServer.Options()
        server.address = .ipv4(port: options.port)
        // The server may run for days, and its requests are not inspected.
        server.recordLimit = 0
        let (accounts, store) = (Accounts(options), ContentStore.samples(options.articleCount))
        let kept = KeptResponses()
        self.server = try await MockServer(server) { route in
            AccountRoutes(accounts: accounts, store: store).add(to: route)
            ArticleRoutes(store: store, kept: kept).add(to: route)
            CommentRoutes(store: store, kept: kept).add(to: route)
            UserRoutes(store: store, kept: kept).add(to: route)
            TransferRoutes(store: store, kept: kept, options: options).add(to: route)
            LiveRoutes(channel: store.live, store: store, heartbeat: options.heartbeat).add(to: route)
            PictureRoutes(store: store).add(to: route)
            OddRoutes().add(to: route)
            route.any("*").answer { request throws(Problem) in throw Problem.unknownPath(request) }
        }
        (self.accounts, self.store) = (accounts, store)
        url = try Self.base(of: self.server)
    }

    /// Makes all access tokens expire now. Refresh tokens stay valid.
    public func expireAccessTokens() {
        accounts.expireAll()
    }

    /// Ends all sessions: neither access tokens nor refresh tokens are valid any more.
    public func revokeTokens() {
        accounts.revokeAll()
    }

    /// Changes the title of an article, as another user would.
    ///
    /// - Returns: Whether the article exists and the title is valid.
    @discardableResult
    public func rename(_ id: Int, to title: String) async -> Bool {
        do throws(Problem) {
            _ = try await store.change(id, match: nil) { $0.title = title }
            return true
        } catch {
            return false
        }
    }

    /// The title of an article, and how often it was stored; `nil` if it doesn't exist.
    public func title(of id: Int) async -> (text: String, version: Int)? {
        (try? await store.article(id)).map { ($0.title, $0.version) }
    }

    /// Stops the server and closes its connections.
    public func stop() async {
        store.live.finish()
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

extension ContentAPIServer {
    /// The content and the behavior of the server.
    public struct Options: Sendable {
        /// The port; 0, the default, chooses a free one.
        public var port: UInt16 = 0

        /// The number of articles, up to 100,000. 57 by default.
        public var articleCount = 57

        /// The pause between two articles of the export. 10 ms by default.
        public var exportInterval = Duration.milliseconds(10)

        /// The requests that need an access token.
        public var access = Access.open

        /// How long an access token is valid. 5 minutes by default.
        public var accessTokenLifetime = Duration.seconds(300)

        /// The pause between two comments in the events, which show that the connection works. 15 s by default.
        public var heartbeat = Duration.seconds(15)

        /// Makes the defaults.
        public init() {}
    }

    /// The requests that need an access token.
    public enum Access: Sendable {
        /// Only `/me`. A token that is sent must be valid.
        case open
        /// All but those that sign in.
        case signedIn
    }
}
