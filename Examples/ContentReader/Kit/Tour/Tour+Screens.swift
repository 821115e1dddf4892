import Godwit
import GodwitUI
import Synchronization

nonisolated extension Tour {
    static let screenSteps = [
        TourStep(name: "screens") { api in try await Self.screens(api) },
        TourStep(name: "images") { api in
            let decodes = Decodes()
            let images = ImageLoader<Int>(api, memoryLimit: 1 << 20) { data, _ in
                decodes.count.withLock { $0 += 1 }
                return DecodedImage(data.count, byteCount: data.count)
            }
            let url = try api.request(for: .picture(of: Tour.known)).url
            let sizes = try await (1...3).concurrentMap(limit: 3) { _ in try await images.image(at: url) }
            try expect(sizes.count == 3 && Set(sizes).count == 1, "got \(sizes)")
            let count = decodes.count.withLock(\.self)
            try expect(count == 1, "it was decoded \(count) times")
            return "3 views load a picture of \(sizes[0]) bytes at once; it is decoded once"
        },
    ]

    private final class Decodes: Sendable {
        let count = Mutex(0)
    }

    /// Models for two screens, which share values through a store.
    @MainActor private static func screens(_ api: APIClient) async throws -> String {
        let queries = QueryStore(api)
        let list = PageLoader(queries, .cursor { .articles(after: $0, limit: 4) })
        await list.load()
        await list.loadMore()
        try expect(list.items.count == 8, "the list has \(list.items.count) articles")
        let article = Loader(queries, .article(id: list.items[0].id))
        await article.load()
        queries.set { $0.update(Article.self, id: list.items[0].id) { $0.title = "Changed" } }
        try expect(
            article.value?.title == "Changed" && list.items[0].title == "Changed", "only one screen has the change")
        return "2 pages in a list; a change of an article is in the list and in its own screen"
    }
}
