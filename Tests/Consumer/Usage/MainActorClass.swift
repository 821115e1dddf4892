import Foundation
import Godwit
import GodwitOAuth
import GodwitBackground
import GodwitTesting
import GodwitUI

// What an app's classes do from the main actor: their closures use the object. Types and extensions that say nothing of
// isolation are those that need not.

struct Item: Codable, Identifiable, Nonisolated {
    let id: Int
    @DefaultEmpty var tags: [String]
    @Default<NoTitle> var title: String
    @LossyArray var parts: [Part]
}

nonisolated struct Part: Codable, Sendable {
    var name: String
}

nonisolated struct Photo: Sendable {
    var width: Int

    init(_ data: Data, _ size: PixelSize?) { width = size?.width ?? data.count }
}

enum NoTitle: DefaultSource {
    static var value: String { "" }
}

struct ItemPage: Decodable, Sendable, CursorPage {
    let items: [Item]
    let nextCursor: String?
}

enum Order: String, QueryConvertible {
    case newest, oldest
}

nonisolated enum Message: Codable, Sendable {
    case hello(String)
}

extension HTTPField.Name {
    static let tenant: Self = "X-Tenant"
}

extension Endpoint {
    static func item(id: Int) -> Endpoint<Item> { .get("items/\(id)") }
    static func items(_ order: Order, after cursor: String?) -> Endpoint<ItemPage> {
        .get("items", query: ["order": order, "after": cursor])
    }
    static func create(_ item: Item) -> Endpoint<Item> { .post("items", body: .json(item)) }
    static var live: Endpoint<Void> { .get("live") }
}

extension ClientConfiguration {
    static var app: ClientConfiguration {
        var configuration = ClientConfiguration.default
        configuration.defaultFields[.tenant] = "reader"
        return configuration
    }
}

/// Isolated by its inheritance clause, as a middleware has to be free.
struct Tenant: RequestMiddleware {
    func prepare(_ call: inout Call) { call.request.fields[.tenant] = "reader" }
}

/// Stored and sent by an outbox, so it isn't the main actor's; its effect is.
nonisolated struct Rename: OutboxMutation {
    let id: Int
    let title: String

    var endpoint: Endpoint<Item> { .item(id: id) }
    var scope: String { "item \(id)" }
    var precondition: OutboxPrecondition? { OutboxPrecondition(Endpoint<Item>.item(id: id)) }

    @MainActor func apply(to changes: QueryChanges) {
        changes.update(Item.self, id: id) { $0.title = title }
    }
}

@MainActor
final class Screen {
    let api: APIClient
    var limit = 1 << 20
    var shown: HTTPURL?
    var isDiscretionary = true
    var item: Item?
    var log: [String] = []
    lazy var loader = Loader { [api] in try await api.send(.item(id: 1)) }

    init() {
        api = APIClient(baseURL: "https://api.example.com/v1", preset: .app) {
            $0.middleware.append(Tenant())
        }
    }

    func socket() async throws {
        let socket = try await api.webSocket("live") { $0.messageLimit = self.limit }
        try await socket.send("hello")
        let typed = api.webSocket("live", as: Message.self) { options, _ in
            options.messageLimit = self.limit
        }
        try await typed.send(.hello("there"))
        for try await message in typed.messages {
            if case .hello(let text) = message { log.append(text) }
        }
    }

    func reconnecting() {
        let socket = api.reconnectingWebSocket("live") { _, reconnect in
            reconnect.onConnect = { socket in
                try await socket.send("subscribe")
                await self.note("connected")
            }
        }
        _ = socket
    }

    func background(_ session: BackgroundSession, _ request: HTTPRequest, _ file: URL) async throws {
        try await session.download(request, to: file) { $0.isDiscretionary = self.isDiscretionary }
        try await session.upload(request, fromFile: file) { $0.isDiscretionary = self.isDiscretionary }
        for try await event in session.events { try await session.acknowledge(event) }
    }

    func signIn(_ oauth: OAuth2) async throws {
        let response = try await oauth.signIn { page in self.shown = page }
        try await api.signIn(response.token)
    }

    func retry() async throws {
        item = try await withRetry { try await self.load() }
        item = try await withRetry(attempts: 2) { attempt in
            self.note("\(attempt)")
            return try await self.load()
        }
    }

    func load() async throws -> Item { try await api.send(.item(id: 1)) }

    func note(_ text: String) { log.append(text) }

    func many() async throws {
        let items = try await [1, 2].concurrentMap(limit: 2) { try await self.api.send(.item(id: $0)) }
        let results = await [1, 2].lazy.concurrentResults(limit: 2) { id throws(NetworkError) in
            try await self.api.send(.item(id: id))
        }
        item = items.first
        _ = results
    }

    func streams() async throws {
        for try await item in api.stream(.live).jsonLines(of: Item.self) { self.item = item }
        for try await event in api.events(.live, configure: { $0.idleTimeout = .seconds(5) }) { note(event.data) }
        for try await item in api.pages(.cursor { .items(.newest, after: $0) }).elements { self.item = item }
        var lines = api.stream(.live).lines.makeAsyncIterator()
        while let line = try await lines.next() { note(line) }
    }

    func transfers(_ folder: URL) async throws {
        let download = api.download(.live, to: folder) { $0.existingFile = self.isDiscretionary ? .replace : .keepBoth }
        for await progress in download.progress { note("\(progress.fraction ?? 0)") }
        _ = try await download.file
        try await api.upload(.live, body: .file(at: folder)) { progress in print(progress.fraction ?? 0) }
    }

    func completion() {
        api.send(.item(id: 1)) { result in
            Task { @MainActor in self.item = try? result.get() }
        }
    }

    func editing() -> Endpoint<Item> {
        let limit = Int64(limit)
        return .item(id: 1).options { $0.responseLimit.decoded = limit }
    }

    func models() -> (PageLoader<Item>, SearchModel<[Item]>, ActionModel<Item, Item>) {
        (
            PageLoader(api.pages(.cursor { .items(.oldest, after: $0) })),
            SearchModel { [api] text in try await api.send(.items(.newest, after: text)).items },
            ActionModel { [api] item in try await api.send(.create(item)) }
        )
    }

    func shared(_ folder: URL) async throws {
        let queries = QueryStore(api, retryingWith: SystemPathMonitor.shared)
        queries.hasFocus = isDiscretionary
        let (one, all) = (Loader(queries, .item(id: 1)), PageLoader(queries, .cursor { .items(.oldest, after: $0) }))
        let search = SearchModel(queries) { text in .items(.newest, after: text) }
        note("\(one.state) \(all.items.count) \(search.text)")
        let saved = try await queries.mutate(.create(load())) { changes in
            changes[.item(id: 1)]?.title = self.log.last ?? ""
        } confirming: { changes, item in
            changes[all].insert(item, at: 0)
        }
        note(saved.title)
        let outbox = try Outbox(queries, in: folder, for: "ann", sending: [Rename.self])
        try await outbox.add(Rename(id: 1, title: "Tides"))
        for item in outbox.items where item.state == .conflict { try await outbox.discard(item.id) }
    }

    func images(_ url: HTTPURL) async throws {
        let images = ImageLoader(api, options: ImageOptions { $0.memoryLimit = self.limit }) { data, size in
            DecodedImage(Photo(data, size), byteCount: data.count)
        } preview: { data, size in
            ImageHeader(data)?.isProgressive == true ? DecodedImage(Photo(data, size), byteCount: data.count) : nil
        }
        let prefetch = images.prefetch([url], fitting: PixelSize(points: 80, 80, scale: 2))
        let model = ImageModel(images, previous: .kept, retryingWith: SystemPathMonitor.shared)
        await model.load(url)
        if case .failure(let error) = model.phase {
            note(error.userMessage ?? "")
            await model.retry()
        }
        for try await stage in images.stages(of: url) {
            if case .image(let image) = stage { note("\(image.byteCount)") }
        }
        prefetch.stop()
        images.trimMemory(to: limit)
    }

    func testing() async throws {
        let mock = MockTransport { $0.get("/items/:id").reply(json: ["id": .integer(Int64(self.limit))]) }
        let server = try await MockServer { route in
            route.get("/items").reply(.status(self.item == nil ? .notFound : .ok))
        }
        note("\(mock.requests.count) \(server.requests.count)")
        await server.stop()
    }
}

actor Repository {
    let api: APIClient
    var known: [Int: Item] = [:]
    var limit = 5

    init(_ api: APIClient) { self.api = api }

    func item(id: Int) async throws(NetworkError) -> Item {
        if let item = known[id] { return item }
        let item = try await api.send(.item(id: id).header(.tenant, "reader"))
        known[id] = item
        return item
    }

    func socket() async throws {
        _ = try await api.webSocket("live") { $0.messageLimit = self.limit }
        let items = try await withRetry { try await self.item(id: 1) }
        _ = items
    }
}
