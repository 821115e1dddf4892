import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V1 refreshing past the HTTP cache", .timeLimit(.minutes(15)))
@MainActor
struct RefreshTests {
    /// Answers with the number of the request, which a cache may keep for ten minutes.
    private let mock = MockTransport { $0.any("*").replies((1...9).map { Self.reply($0) }) }

    private var api: APIClient {
        APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.cache = .memory(limit: 1 << 20)
            $0.retry.maximumAttempts = 1
        }
    }

    nonisolated private static func reply(_ number: Int) -> MockResponse {
        .text("[{\"id\":\(number)}]").field(.cacheControl, "max-age=600").field(.etag, "\"\(number)\"")
    }

    private static let rows = Endpoint<[Row]>.get("rows")

    @Test("V1 C3 a loader's refresh asks the server, by a condition, and its load does not")
    func loader() async {
        let api = api
        let loaders = [Loader(api, Self.rows), Loader { try await api.send(Self.rows) }]
        for loader in loaders { await loader.load() }
        #expect(mock.requestCount == 1)
        for loader in loaders { await loader.refresh() }
        #expect(loaders.map(\.value) == [[Row(id: 2)], [Row(id: 3)]])
        #expect(mock.requests.last?.fields[.ifNoneMatch] == "\"2\"")
        let next = Loader(api, Self.rows)
        await next.load()
        #expect(next.value == [Row(id: 3)])
        #expect(mock.requestCount == 3)
    }

    @Test("V1 C3 a keyed loader's refresh asks the server")
    func keyed() async {
        let loader = KeyedLoader { [api] (_: Int) in try await api.send(Self.rows) }
        await loader.load(1)
        await loader.load(2)
        #expect(mock.requestCount == 1)
        await loader.refresh()
        #expect(loader.value == [Row(id: 2)])
    }

    @Test("V2 C3 a search model's refresh asks the server")
    func search() async {
        let search = SearchModel { [api] _ in try await api.send(Self.rows) }
        search.text = "tides"
        await search.submit()
        await search.submit()
        #expect(mock.requestCount == 1)
        await search.refresh()
        #expect(search.value == [Row(id: 2)])
    }

    @Test("P2 C3 a list's refresh asks the server for the first page and for those behind it")
    func list() async {
        let api = api
        let pages = api.pages(.numbers(until: { _ in false }) { Endpoint<[Row]>.get("rows", query: ["page": $0]) })
        let list = PageLoader(pages)
        for _ in 1...2 { await list.loadMore() }
        let again = PageLoader(pages)
        for _ in 1...2 { await again.loadMore() }
        #expect(mock.requestCount == 2)
        await again.refresh()
        #expect(again.items == [Row(id: 3)])
        await again.loadMore()
        #expect(again.items == [Row(id: 3), Row(id: 4)])
        #expect(mock.requestCount == 4)
    }

    @Test("V1 C3 an endpoint's own policy wins over a refresh")
    func ownPolicy() async {
        let loader = Loader(api, Self.rows.cachePolicy(.cacheElseLoad))
        await loader.load()
        await loader.refresh()
        #expect(mock.requestCount == 1)
    }

    @Test("V1 C3 a refresh that failed is a refresh again when it is tried again")
    func retry() async {
        let mock = MockTransport { $0.any("*").replies([Self.reply(1), .status(.serviceUnavailable), Self.reply(3)]) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.cache = .memory(limit: 1 << 20)
            $0.retry.maximumAttempts = 1
        }
        let loader = Loader(api, Self.rows)
        await loader.load()
        await loader.refresh()
        #expect(loader.error?.kind == .server(status: 503))
        #expect(loader.value == [Row(id: 1)])
        await loader.retry()
        #expect(loader.value == [Row(id: 3)])
    }
}
