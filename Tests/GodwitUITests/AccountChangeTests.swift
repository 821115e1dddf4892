import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("A6 what screens hold of an account", .timeLimit(.minutes(1)))
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

    @Test("A6 V4 a picture that was loaded for one user is not found by the next")
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

    @Test("A6 V1 a loader loads anew for another user")
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
}
