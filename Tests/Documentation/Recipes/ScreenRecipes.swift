import Godwit
import GodwitTesting
import GodwitUI
import Testing

@MainActor
@Suite("Recipes: screens")
struct ScreenRecipes {
    private let transport = MockTransport { route in
        route.get("/articles/:id").reply(json: ["id": 1, "title": "Tides"])
        route.get("/articles").reply(json: [["id": 1, "title": "Tides"]])
        route.post("/articles").reply(json: ["id": 2, "title": "Winds"], status: .created)
        route.get("/sea.png").reply(.bytes(Data(count: 100), contentType: "image/png"))
    }

    private var api: APIClient { APIClient(baseURL: "https://api.example.com", transport: transport) }

    @Test("One value on a screen")
    func loader() async {
        let api = self.api
        // snippet: recipe-V1
        let article = Loader(api, .article(id: 1))
        await article.load()  // .task { await article.load() }
        switch article.state {
        case .idle, .loading(last: nil): print("…")
        case .loading(let old?): print(old.title, "and something newer is on its way")
        case .loaded(let value): print(value.title)
        case .failed(let error, let last): print(error.userMessage ?? "", last?.title ?? "")
        }
        // end
        #expect(article.value?.title == "Tides" && article.state.isLoaded)
    }

    @Test("A button, and a search field")
    func actions() async {
        let api = self.api
        // snippet: recipe-V2
        let publish = ActionModel { (draft: Draft) in try await api.send(.create(draft)) }
        let article = await publish.run(Draft(title: "Winds"))  // publish.start(…) from a button; isRunning, error

        let search = SearchModel { text in try await api.send(Endpoint<[Article]>.get("articles", query: ["q": text])) }
        search.text = "tides"  // bound to the field; searched for when it stands still
        await search.submit()  // or at once
        print(search.value ?? [])
        // end
        #expect(article?.id == 2 && publish.error == nil)
        #expect(search.value?.count == 1)
    }

    @Test("Pictures, each loaded once")
    func images() async throws {
        let api = self.api
        // snippet: recipe-V4
        let images = ImageLoader(api, memoryLimit: 32 << 20) { data, size in
            DecodedImage(data.count, byteCount: data.count)  // decode here, as small as size says
        }
        let picture = try await images.image(
            at: "https://api.example.com/sea.png", fitting: PixelSize(width: 200, height: 200))
        // on Apple's systems: ImageLoader<Image>(api), which decodes by itself
        // end
        _ = try await images.image(at: "https://api.example.com/sea.png", fitting: PixelSize(width: 200, height: 200))
        #expect(picture == 100 && transport.requestCount == 1)
    }
}
