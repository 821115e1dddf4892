import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V4 images that are refreshed", .timeLimit(.minutes(15)))
@MainActor
struct ImageRefreshTests {
    private let text = Watched("old")
    private let mock: MockTransport
    private let images: ImageLoader<String>
    private let a = "https://api.example.com/a", b = "https://api.example.com/b"

    /// Images that may be cached for an hour.
    init() {
        let mock = MockTransport { [text] request in
            guard text.value != "fail" else { return .status(503) }
            let tag = "\"\(text.value)\""
            var response =
                request.fields[.ifNoneMatch] == tag
                ? MockResponse.status(.notModified) : .bytes(Data("\(request.path) \(text.value)".utf8))
            response.fields[.etag] = tag
            response.fields[.cacheControl] = "max-age=3600"
            return response
        }
        self.mock = mock
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = 1
            $0.cache = .memory(limit: 1 << 20)
        }
        images = ImageLoader(api) { data, size in
            DecodedImage(String(decoding: data, as: UTF8.self) + (size.map { " \($0.width)" } ?? ""), byteCount: 10)
        }
    }

    private func shown(_ url: String, _ size: PixelSize? = nil) async -> ImageModel<String> {
        let model = ImageModel(images)
        await model.load(url, fitting: size)
        return model
    }

    @Test(
        "V4 a refresh goes past the memory and the HTTP cache; the image stays meanwhile, and an unchanged one costs a 304"
    )
    func refresh() async {
        let model = await shown(a)
        text.update { $0 = "new" }
        await model.load(a)
        #expect(model.phase.picture == "/a old" && mock.requestCount == 1)
        let history = History { model.phase.picture }
        await model.refresh()
        history.catchUp()
        #expect(history.values == ["/a old", "/a new"] && mock.requestCount == 2)
        #expect(images.imageInMemory(at: a) == "/a new")
        await model.refresh()
        #expect(model.phase.isSuccess && mock.requests.last?.fields[.ifNoneMatch] == "\"new\"")
    }

    @Test("V4 a failed refresh keeps the image")
    func failure() async {
        let model = await shown(a)
        text.update { $0 = "fail" }
        await model.refresh()
        #expect(model.phase.isSuccess && model.phase.picture == "/a old" && mock.requestCount == 2)
        await ImageModel(images).refresh()
        #expect(mock.requestCount == 2)
    }

    @Test("V4 what views show is refreshed in all sizes; what no view shows isn't")
    func visible() async throws {
        let size = PixelSize(width: 9, height: 9)
        let (whole, small, gone) = (await shown(a), await shown(a, size), await shown(b))
        gone.cancel()
        text.update { $0 = "new" }
        await images.refreshVisible()
        #expect(whole.phase.picture == "/a new" && small.phase.picture == "/a new 9" && gone.phase.picture == "/b old")
        // Loads of two sizes share a request if they overlap.
        let paths = mock.requests.map(\.path)
        #expect(paths.prefix(3) == ["/a", "/b", "/a"] && !paths.dropFirst(3).contains("/b"))
        // Where they don't overlap, the later one removes the other size: its image may be older.
        #expect(images.imageInMemory(at: a) != "/a old" && images.imageInMemory(at: a, fitting: size) != "/a old 9")
        await gone.load(b)
        await images.refreshVisible()
        #expect(gone.phase.picture == "/b new")
    }

    @Test("V4 a size that isn't shown doesn't stay in memory when a newer image was loaded")
    func otherSizes() async throws {
        let size = PixelSize(width: 9, height: 9)
        _ = try await images.image(at: a, fitting: size)
        let model = await shown(a)
        text.update { $0 = "new" }
        await model.refresh()
        #expect(images.imageInMemory(at: a, fitting: size) == nil)
        #expect(try await images.image(at: a, fitting: size) == "/a new 9")
    }

    @Test("V4 a load with a policy that reloads doesn't join one that may use the cache")
    func policy() async throws {
        _ = try await images.image(at: a)
        text.update { $0 = "new" }
        #expect(try await images.image(at: a) == "/a old")
        let newer = try await withCachePolicy(.reloadRevalidating) { try await images.image(at: a) }
        #expect(newer == "/a new")
        #expect(try await images.image(at: a) == "/a new")
    }
}
