// What the examples in doc comments speak of without declaring it. They are compiled in a module of their own, so that an
// example may redeclare a name.

public import Godwit
public import GodwitOAuth
public import GodwitSigning
public import GodwitBackground
public import GodwitCommand
public import GodwitFleet
public import GodwitGraphQL
public import GodwitTelemetry
public import GodwitTesting
public import GodwitUI
public import GodwitURLSession
public import GodwitURLSessionTesting

/// Takes the place of code that does not matter: "…" in an example.
@discardableResult
public func placeholder<Value>(as type: Value.Type = Value.self) -> Value { preconditionFailure("never runs") }
public func placeholder() {}

/// Takes lines that stand in the closure of a client: `$0.timeouts.total = .seconds(30)`.
public func configuring(_ change: (inout ClientConfiguration) throws -> Void) rethrows {}

// MARK: - Models

public struct Article: Codable, Sendable, Identifiable {
    public var id = 1
    public var title = ""
    public var pictureURL: HTTPURL { url }
    public init() {}
    enum CodingKeys: CodingKey { case id, title }
}

public struct Draft: Codable, Sendable, Equatable {
    public var title = ""
    public init() {}
}
public struct Statistics: Codable, Sendable { public var articles = 0 }
public struct Login: Codable, Sendable { public init() {} }
public struct Event: Codable, Sendable { public init() {} }
public struct Record: Codable, Sendable { public init() {} }
public struct Delta: Codable, Sendable { public var text = "" }
public struct Price: Codable, Sendable { public init() {} }
public struct Refusal: Error, Codable { public var reason = "" }
public enum LiveMessage: Codable, Sendable { case subscribe(channel: String), article(Article), ping }
public struct Picture: Sendable { public init() {} }
public struct Coordinate: Sendable { public var latitude = 0.0, longitude = 0.0 }
public struct Row: Sendable {
    public static func parse(_ data: Data) throws(NetworkError) -> [Row] { [] }
}
public struct Page: Codable, Sendable, CursorPage {
    public var items: [Article] = []
    public var nextCursor: String?
}
public struct ArticlePatch: Codable, Sendable {
    public var title: Patch<String> = .absent
    public var subtitle: Patch<String> = .absent
}
public struct Bitmap: Sendable {
    public var width = 0, height = 0
    public var byteCount: Int { 4 * width * height }
    public init(_ data: Data, atMost size: PixelSize?) throws {}
}
public struct Database: Sendable {
    public func articles() -> AsyncStream<Article> { AsyncStream { $0.finish() } }
}
public struct Feed: Decodable, Sendable { @LossyArray public var articles: [Article] }
public struct UploadSession: Codable, Sendable { public init() {} }
public struct PageInfo: Codable, Sendable { public init() {} }

// MARK: - Endpoints

extension Endpoint {
    public static func articles() -> Endpoint<[Article]> { .get("articles") }
    public static func articles(page: Int) -> Endpoint<[Article]> { .get("articles") }
    public static func articles(after cursor: String?) -> Endpoint<Page> { .get("articles") }
    public static func articles(offset: Int, limit: Int) -> Endpoint<[Article]> { .get("articles") }
    public static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)") }
    public static func create(_ draft: Draft) -> Endpoint<Article> { .post("articles", body: .json(draft)) }
    public static func rename(id: Int, to title: String) -> Endpoint<Article> { .patch("articles/\(id)") }
    public static func save(_ draft: Draft) -> Endpoint<Article> { .put("articles/1", body: .json(draft)) }
    public static func delete(id: Int) -> Endpoint<Void> { .delete("articles/\(id)") }
    public static func publish(id: Int) -> Endpoint<Void> { .post("articles/\(id)/publish") }
    public static func search(_ text: String) -> Endpoint<[Article]> { .get("search", query: ["q": text]) }
    public static func login(_ login: Login) -> Endpoint<AccessToken> { .post("login", body: .json(login)) }
    public static func refresh(_ old: AccessToken) -> Endpoint<AccessToken> { .post("refresh") }
    public static func attachment(id: Int) -> Endpoint<Data> { .get("attachments/\(id)") }
    public static func film(id: Int) -> Endpoint<Data> { .get("films/\(id)") }
    public static func image(id: Int) -> Endpoint<Data> { .get("images/\(id)") }
    public static func avatar(user: Int) -> Endpoint<Void> { .put("users/\(user)/avatar") }
    public static func report(id: Int) -> Endpoint<Void> { .post("reports/\(id)") }
    public static func startUpload(of name: String) -> Endpoint<UploadSession> { .post("uploads") }
    public static func partURL(_ session: UploadSession, _ number: Int) -> Endpoint<HTTPURL> { placeholder() }
    public static func completeUpload(
        _ session: UploadSession, _ parts: [UploadParts<Article>.Finished]
    ) -> Endpoint<Article> { .post("uploads/1") }
    public static func abortUpload(_ session: UploadSession) -> Endpoint<Void> { .delete("uploads/1") }
    public static func chat(_ prompt: String) -> Endpoint<Void> { .post("chat") }
    public static func query(_ text: String) -> Endpoint<Void> { .post("query") }
    public static func feed() -> Endpoint<[Article]> { .get("feed") }
    public static var statistics: Endpoint<Statistics> { .get("statistics") }
    public static var export: Endpoint<Void> { .get("export") }
    public static var live: Endpoint<Void> { .get("live") }
    public static var log: Endpoint<Void> { .get("log") }
    public static var prices: Endpoint<Void> { .get("prices") }
}

// MARK: - GraphQL

public struct ViewerData: Decodable, Sendable {
    public struct Viewer: Decodable, Sendable { public var name: String? }
    public var viewer: Viewer?
}

public struct CommentData: Decodable, Sendable {
    public struct Comment: Decodable, Sendable { public var text = "" }
    public var comment: Comment?
}

extension GraphQLOperation {
    public static func viewer(first: Int) -> GraphQLOperation<ViewerData> { .query("{ viewer { name } }") }
    public static func rename(id: Int, to title: String) -> GraphQLOperation<ViewerData> { .mutation("mutation { a }") }
}

extension GraphQLSubscription {
    public static func onComment(article: Int) -> GraphQLSubscription<CommentData> {
        .subscription("subscription { a }")
    }
}

public let graphQL: GraphQLClient = placeholder()
public let operation: GraphQLOperation<ViewerData> = placeholder()
public let cursor: String? = nil, subtitle: String? = nil
public let title = ""

// MARK: - Values of screens

public struct RenameArticle: OutboxMutation {
    public init(id: Int, title: String) {}
    public var endpoint: Endpoint<Article> { placeholder() }
    public var scope: String { "" }
    @MainActor public func apply(to changes: QueryChanges) {}
}

@MainActor public var queries: QueryStore { placeholder() }
@MainActor public var changes: QueryChanges { placeholder() }
@MainActor public var list: PageLoader<Article> { placeholder() }
@MainActor public var outbox: Outbox { placeholder() }
@MainActor public var item: OutboxItem { placeholder() }
@MainActor public func show(_ item: OutboxItem) {}

// MARK: - Values

public let api: APIClient = placeholder()
public let auth: APIClient = placeholder()
public let transport: any HTTPTransport = placeholder()
public let mock: MockTransport = placeholder()
public let stub: URLSessionStub = placeholder()
public let input: any InputSource = placeholder()
public let output: any OutputSink = placeholder(), errors: any OutputSink = placeholder()
public let server: MockServer = placeholder()
public var route: MockRoutes { placeholder() }
public let clock: TestClock = placeholder()
public let catalogue: EnvironmentCatalogue = placeholder()
public let release: Date = placeholder()

public var request: HTTPRequest {
    get { placeholder() }
    set {}
}
public var response: HTTPResponse { placeholder() }
public var call: Call { placeholder() }
public var next: Next { placeholder() }
public var fields: HTTPFields {
    get { placeholder() }
    set {}
}
public var query: QueryItems {
    get { placeholder() }
    set {}
}
public let endpoint: Endpoint<Article> = placeholder()
public let address: URL = placeholder()
public let url: HTTPURL = placeholder()
public let urls: [HTTPURL] = []
public let error: NetworkError = placeholder()

public let images: ImageLoader<Data> = placeholder()
public let article = Article()
public let draft = Draft()
public let form = Login()
public let feed: Feed = placeholder()
public var patch: ArticlePatch {
    get { ArticlePatch() }
    set {}
}

public let accessToken: AccessToken = placeholder()
public let tokens: TokenRefresher = placeholder()
public let oauth: OAuth2 = placeholder()
public let jar = CookieJar()
public let cache = MemoryCacheStore()
public let store = MemoryCacheStore()
public let tokenStore = MemoryTokenStore()
public let signer: AWSSigner = placeholder()
public let verificationKey: VerificationKey = placeholder()
public let device: Origin = placeholder()
public let fleet: Fleet = placeholder()
public let telemetry: Telemetry = placeholder()
public let gauges: ClientGauges = placeholder()
public let limiter: any RateLimiter = placeholder()
public let sharing: any CircuitSharing = placeholder()
public let passwords: [Origin: PasswordCredential] = [:]
public let models: MemoryModelStore = placeholder()
public let suffixes: any PublicSuffixes = placeholder()
public let session: BackgroundSession = placeholder()
public let download: Download = placeholder()
public let ticket: DownloadTicket = placeholder()
public let socket: WebSocket = placeholder()

public let folder: URL = placeholder()
public let file: URL = placeholder()
public let photo: URL = placeholder()
public let video: URL = placeholder()
public let film: URL = placeholder()
public let certificate: URL = placeholder()
public let privateKey: URL = placeholder()
public let keyFile: URL = placeholder()
public let destination: URL = placeholder()
public let data = Data()
public let chunk = Data()
public let signature = Data(), message = Data()
public let chunks: [Data] = []
public let articles: [Article] = []
public let database = Database()

public let text = "", name = "", password = "", key = "", token = "", secret = "", current = "", backup = "", slug = ""
public let pem = "", tenant = "", etag = "", prompt = "", search = "", saved = "", redirectedURL = ""
public let id = 1, page = 1, size: Int64 = 1
public let ids = [1, 2, 3]
public let scale = 2.0
@MainActor public var loader: KeyedLoader<Int, Article> { placeholder() }
public var table: HostTable<Article> {
    get { HostTable() }
    set {}
}
public let a = Article(), b = Article()
public let options = RetryOptions()

// MARK: - A program

public func show(
    _ value: Any?, of total: Any? = nil, isStale: Bool = false, isDimmed: Bool = false, isRefreshing: Bool = false
) {}
public func save(_ values: Any?...) {}
public func report(_ values: Any?...) {}
public func note(_ text: Any?) {}
public func load(_ url: HTTPURL) async throws(NetworkError) -> Article { article }
public func submit(_ draft: Draft) async throws -> String { "" }
public func signIn() {}
public func showLogin(_ reason: AccountSession.End) {}

public struct Vault: Sendable {
    public func token() async throws -> AccessToken { AccessToken(access: "") }
    public func key() async throws -> String { "" }
    public func awsCredentials() async throws -> AWSCredentials { placeholder() }
    public func sign(_ message: Data) async throws -> Data { message }
}
public let vault = Vault()

public func retry() {}
public func showBanner() {}
public func showSpinner() {}
public func makeChunks() -> AsyncStream<Data> { AsyncStream { nil } }
public func refreshEvery(_ interval: Duration, clock: some Clock<Duration>) async throws {}

public struct Repository: Sendable {
    public func article(_ id: Int) async throws -> Article { Article() }
    public func articles(after cursor: String?) async throws -> Page { Page() }
    public func articles(page: Int) async throws -> [Article] { [] }
    public func articles(from offset: Int, count: Int) async throws -> [Article] { [] }
}
public let repository = Repository()

public struct Banner: Sendable {
    public var isHidden: Bool {
        get { false }
        nonmutating set {}
    }
    public var value: Double? {
        get { nil }
        nonmutating set {}
    }
}
public let banner = Banner(), bar = Banner()

public struct Settings: Sendable { public var savesData = false }
public let settings = Settings()

public struct Checksum: Sendable { public func update(_ byte: UInt8) {} }
public let checksum = Checksum()

public struct Logger: Sendable {
    public func debug(_ text: String) {}
    public func warning(_ text: String) {}
}
public let logger = Logger()

public struct News: Sendable { public func after(_ id: String?) -> [ServerSentEvent] { [] } }
public let news = News()

public enum Untitled: DefaultSource { public static var value: String { "Untitled" } }
