import GodwitCore
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("A6 what screens keep of an account", .timeLimit(.minutes(15)))
@MainActor
struct AccountChangeTests {
    private struct Item: Decodable, Identifiable, Sendable {
        var id: String
    }

    private let mock = MockTransport { request in
        let user = request.fields[.authorization]?.dropFirst(7) ?? "nobody"
        return .text(#"[{"id":"\#(user)"}]"#)
    }

    private func client() -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = 1
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
    }

    @Test("A6 V4 an image that was loaded for one user is not found by the next")
    func pictures() async throws {
        let api = client()
        let images = ImageLoader(api)
        let url = "https://api.example.com/picture"
        _ = try await images.image(at: url)
        #expect(images.imageInMemory(at: url) != nil)
        try await api.signIn(AccessToken(access: "bob"))
        #expect(images.imageInMemory(at: url) == nil)
        #expect(String(decoding: try await images.image(at: url), as: UTF8.self).contains("bob"))
    }

    @Test("A6 V1 a loader loads again for another user")
    func loader() async throws {
        let api = client()
        let loader = Loader(api, Endpoint<[Item]>.get("items"))
        await loader.load()
        #expect(loader.value?.map(\.id) == ["ann"])
        try await api.signIn(AccessToken(access: "bob"))
        await loader.load()
        #expect(loader.value?.map(\.id) == ["bob"])
        try await api.signOut()
        await loader.load()
        #expect(loader.value == nil)
    }

    @Test("A6 V2 the result of one user's upload and download isn't shown to the next")
    func transfers() async throws {
        let api = client()
        let folder = TemporaryFolder()
        let upload = UploadModel(api, Endpoint<[Item]>.put("avatar"))
        let download = DownloadModel(api, Endpoint<Void>.get("film"), to: folder.url.appending(path: "film"))
        upload.start(.data(Data("a".utf8)))
        download.start()
        await until { upload.state.isLoaded && !download.isRunning }
        #expect(upload.state.value?.map(\.id) == ["ann"])
        try await api.signIn(AccessToken(access: "bob"))
        #expect("\(upload.state)" == "idle" && upload.progress == nil)
        #expect("\(download.state)" == "idle" && download.progress == nil)
        upload.start(.data(Data("b".utf8)))
        await until { upload.state.isLoaded }
        #expect(upload.state.value?.map(\.id) == ["bob"])
    }

    @Test("A6 P2 a list starts over for another user")
    func list() async throws {
        let api = client()
        let pages = api.pages(.numbers(until: { _ in false }) { Endpoint<[Item]>.get("items", query: ["page": $0]) })
        let list = PageLoader(pages)
        await list.load()
        #expect(list.items.map(\.id) == ["ann"])
        try await api.signIn(AccessToken(access: "bob"))
        await list.load()
        #expect(list.items.map(\.id) == ["bob"])
    }

    @Test("A6 V4 the images of a former user leave the memory")
    func releasedPictures() async throws {
        final class Bitmap: Sendable {}
        let api = client()
        let images = ImageLoader<Bitmap>(api) { _, _ in DecodedImage(Bitmap(), byteCount: 1) }
        weak let bitmap = try await images.image(at: "https://api.example.com/picture")
        #expect(bitmap != nil)
        try await api.signOut()
        #expect(bitmap == nil)
    }

    @Test("A6 V1 when signing out is done, no model holds a value of the former user")
    func allModels() async throws {
        let api = client()
        let items = Endpoint<[Item]>.get("items")
        let loader = Loader { try await api.send(items) }
        let keyed = KeyedLoader { (_: Int) in try await api.send(items) }
        let search = SearchModel { _ in try await api.send(items) }
        let action = ActionModel { try await api.send(items) }
        let list = PageLoader(.numbers { _ in try await api.send(items) })
        await loader.load()
        await keyed.load(1)
        search.text = "secret"
        await search.submit()
        await action.run()
        await list.load()
        #expect(loader.value != nil && keyed.value != nil && search.value != nil)
        #expect(action.state.isLoaded && !list.items.isEmpty)
        try await api.signOut()
        #expect("\(loader.state) \(keyed.state) \(search.state) \(action.state)" == "idle idle idle idle")
        #expect(search.text.isEmpty)
        #expect(list.items.isEmpty)
    }

    @Test("A6 V2 an action that signs in keeps its result")
    func signingIn() async throws {
        let api = client()
        let login = ActionModel {
            let items = try await api.send(Endpoint<[Item]>.get("items").unauthenticated())
            try await api.signIn(AccessToken(access: "bob"))
            return items.count
        }
        #expect(await login.run() == 1)
        #expect(login.state.isLoaded)
    }

    @Test("A6 V1 what a loading of the former user comes to is not shown")
    func underWay() async throws {
        let gate = Gate()
        let mock = MockTransport { _ in .text("\(try await gate.pass())") }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let loader = Loader(api, Endpoint<Int>.get("a"))
        let task = Task { await loader.load() }
        try await gate.waitForBeginning(of: 1)
        try await api.signIn(AccessToken(access: "bob"))
        #expect("\(loader.state)" == "idle")
        gate.open(1)
        await task.value
        #expect(loader.value == nil)
    }

    @Test("A6 V2 a feed of the former user stops, is empty, and starts over for the next")
    func feed() async throws {
        let last = Watched<[String?]>([])
        let mock = MockTransport { request in
            last.update { $0.append(request.lastEventID) }
            return .events { number in
                if number > 0 { try await Task.sleep(for: .seconds(600)) }
                return ServerSentEvent(data: "ann", id: "17")
            }
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let feed = LiveFeed(api, Endpoint<Void>.get("live"))
        for _ in 1...2 {
            let task = Task { await feed.run() }
            await until { !feed.elements.isEmpty }
            try await api.signIn(AccessToken(access: "bob"))
            await task.value
            #expect(feed.elements.isEmpty)
            #expect("\(feed.state)" == "idle")
        }
        #expect(last.value == [nil, nil])
    }
}
