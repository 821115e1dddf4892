import Godwit
import GodwitTesting
import GodwitUI
import Testing

@MainActor
@Suite("Recipes: screens")
struct ScreenRecipes {
    private let transport = MockTransport { route in
        route.get("/articles/:id").reply(json: ["id": 1, "title": "Tides"])
        route.get("/search").reply(json: [["id": 1, "title": "Tides"]])
        route.post("/articles/:id/publish").reply(.status(.noContent))
        route.post("/articles").reply(json: ["id": 2, "title": "Winds"], status: .created)
        route.get("/sea.png").reply(.bytes(Data(count: 100), contentType: "image/png"))
    }

    private var api: APIClient { APIClient(baseURL: "https://api.example.com", transport: transport) }

    @Test("A store of queries")
    func queries() async throws {
        let api = self.api
        // snippet: recipe-V5
        let queries = QueryStore(api)
        let list = PageLoader(queries, .cursor { .articles(after: $0) })
        let article = Loader(queries, .article(id: 1))
        await article.load()  // one request for all screens; later, the value is there at once
        try await queries.mutate(.publish(id: 1)) { changes in
            changes.update(Article.self, id: 1) { $0.title = "Tides, at once" }  // in all lists and values
        }
        // end
        #expect(article.value != nil && list.items.isEmpty)
    }

    @Test("One value on a screen")
    func loader() async {
        let api = self.api
        // snippet: recipe-V1
        let article = Loader(api, .article(id: 1))
        await article.load()  // .task { await article.load() }
        switch article.state {
        case .idle, .loading(last: nil): print("…")
        case .loading(let old?): print(old.title, "refreshing")
        case .loaded(let value): print(value.title)
        case .failed(let error, let last): print(error.userMessage ?? "", last?.title ?? "")
        }
        // end
        #expect(article.value?.title == "Tides" && article.state.isLoaded)
    }

    @Test("A button, and a search field")
    func actions() async {
        let api = self.api
        let draft = Draft(title: "Winds")
        // snippet: recipe-V2
        let publish = ActionModel { (draft: Draft) in try await api.send(.create(draft)) }
        let article = await publish.run(draft)  // publish.start(draft) in a button; ignored while publish.isRunning

        let search = SearchModel { text in try await api.send(.search(text)) }
        search.text = "tides"  // bind it to the search field; search.value has the results
        // end
        await search.submit()
        #expect(article?.id == 2 && publish.error == nil)
        #expect(search.value?.count == 1)
    }

    @Test("Images, each loaded once")
    func images() async throws {
        let api = self.api
        let url = "https://api.example.com/sea.png"
        // snippet: recipe-V4
        let images = ImageLoader(api) { data, size in  // on Apple platforms: ImageLoader<Image>(api)
            let bitmap = try Bitmap(data, fitting: size)  // your decoder
            return DecodedImage(bitmap, byteCount: 4 * bitmap.width * bitmap.height)
        }
        let bitmap = try await images.image(at: url, fitting: PixelSize(width: 200, height: 200))
        // end
        _ = try await images.image(at: url, fitting: PixelSize(width: 200, height: 200))
        #expect(bitmap.width == 200 && transport.requestCount == 1)
    }
}

/// Stands for an app's own image type.
nonisolated private struct Bitmap: Sendable {
    let width: Int
    let height: Int

    init(_ data: Data, fitting size: PixelSize?) throws {
        guard !data.isEmpty else { throw RecipeFailure("the image has no data") }
        (width, height) = (size?.width ?? 0, size?.height ?? 0)
    }
}

extension Endpoint {
    fileprivate static func publish(id: Int) -> Endpoint<Void> { .post("articles/\(id)/publish") }

    fileprivate static func articles(after cursor: String?) -> Endpoint<ArticlePage> {
        .get("articles", query: ["after": cursor])
    }
}
