import Godwit
import GodwitUI
import Observation

// snippet: ui-screen
@Observable @MainActor
final class ArticlesScreen {
    let list: PageLoader<Article>
    let search: SearchModel<[Article]>
    let publish: ActionModel<Draft, Article>

    init(_ api: APIClient) {
        list = PageLoader(api.pages(.cursor { .articles(after: $0) }), retryingWith: SystemPathMonitor.shared)
        search = SearchModel { text in try await api.send(.articles(about: text)) }
        publish = ActionModel { draft in try await api.send(.create(draft)) }
    }
}
// end

nonisolated extension Article: Identifiable {}

extension Endpoint {
    fileprivate static func articles(after cursor: String?) -> Endpoint<ArticlePage> {
        .get("articles", query: ["after": cursor])
    }

    fileprivate static func rename(id: Int, to title: String) -> Endpoint<Article> {
        .patch("articles/\(id)", body: .json(["title": title]))
    }

    fileprivate static func articles(about text: String) -> Endpoint<[Article]> {
        .get("articles", query: ["q": text])
    }

    fileprivate static func film(id: Int) -> Endpoint<Void> { .get("films/\(id)") }

    fileprivate static var prices: Endpoint<Void> { .get("prices") }
}

// snippet: ui-outbox-mutation
nonisolated struct RenameArticle: OutboxMutation {
    let id: Int
    let title: String

    var endpoint: Endpoint<Article> { .rename(id: id, to: title) }
    var scope: String { "article \(id)" }  // one after another
    var precondition: OutboxPrecondition? { OutboxPrecondition(Endpoint<Article>.article(id: id)) }  // If-Match

    @MainActor func apply(to changes: QueryChanges) {
        changes.update(Article.self, id: id) { $0.title = title }
    }
}
// end

nonisolated private struct Bitmap {
    let byteCount: Int

    init(_ data: Data, atMost size: PixelSize?) throws {
        byteCount = 4 * (size?.width ?? 1) * (size?.height ?? 1) + data.count
    }
}

@MainActor
enum UISnippets {
    static func loader(_ api: APIClient) async {
        // snippet: ui-loader
        let article = Loader(api, .article(id: 42), retryingWith: SystemPathMonitor.shared)
        await article.load()  // nothing is sent if the value is loaded
        await article.refresh()  // the old value stays visible meanwhile
        switch article.state {
        case .idle, .loading(last: nil): print("…")
        case .loading(let old?): print(old.title, "refreshing")
        case .loaded(let value): print(value.title)
        case .failed(let error, let last): print(error.userMessage ?? "", last?.title ?? "")
        }
        // end
    }

    static func keyed(_ api: APIClient) async {
        // snippet: ui-keyed
        let article = KeyedLoader { id in try await api.send(.article(id: id)) }
        await article.load(42)
        await article.load(43)  // 42's value is removed immediately
        // end
    }

    static func queries(_ api: APIClient, _ models: MemoryModelStore) async {
        // snippet: ui-queries
        let queries = QueryStore(api, models: models, retryingWith: SystemPathMonitor.shared)
        let article = Loader(queries, .article(id: 42))
        let list = PageLoader(queries, .cursor { .articles(after: $0) }) { $0.tags = ["articles"] }
        await article.load()  // stale first, then fresh; one request for all screens
        queries.invalidate(.article(id: 42))  // loaded again at once, as a loader shows it
        queries.invalidate(tags: ["articles"])
        queries.prefetch(.article(id: 43))
        // end
        _ = list
    }

    static func mutations(_ queries: QueryStore, _ list: PageLoader<Article>, _ title: String) async throws {
        // snippet: ui-mutations
        try await queries.mutate(.rename(id: 42, to: title)) { changes in
            changes.update(Article.self, id: 42) { $0.title = title }  // in all lists and values
        } confirming: { changes, article in
            changes[.article(id: 42)] = article  // the server's version: no need to load it again
        }
        list.edit { articles in articles.removeAll { $0.id == 7 } }  // without the server
        // end
    }

    static func outbox(_ queries: QueryStore, _ folder: URL, _ userID: String, _ title: String) async throws {
        // snippet: ui-outbox
        let outbox = try Outbox(queries, in: folder, for: userID, sending: [RenameArticle.self])
        try await outbox.add(RenameArticle(id: 42, title: title))  // on the disk, and visible
        for item in outbox.items where item.state == .conflict {
            try await outbox.retry(item.id)  // or replace it by a merged one, or discard it
        }
        // end
    }

    static func list(_ screen: ArticlesScreen) async {
        // snippet: ui-list
        await screen.list.load()  // the first page, unless it is loaded
        if let last = screen.list.items.last { screen.list.itemAppeared(last) }  // loads the next page, without waiting
        await screen.list.retry()  // after an error: the same page
        await screen.list.refresh()  // from the first page
        // end
    }

    static func reading(
        _ api: APIClient, _ models: MemoryModelStore, _ show: (Article, _ isStale: Bool) -> Void
    ) async {
        // snippet: ui-reading
        let article = Loader(reading: api.reading(.article(id: 42), from: models))
        await article.load()
        if let value = article.value { show(value, article.isStale) }  // the stored value first, then the fresh one
        if let error = article.error { print(error.userMessage ?? "") }  // the stale value stays
        // end
    }

    static func pageSource(_ repository: ArticleStock) async {
        // snippet: ui-page-source
        let byCursor = PageLoader(.cursor { cursor in try await repository.articles(after: cursor) })
        let byNumber = PageLoader(.numbers { number in try await repository.articles(page: number) })
        let byOffset = PageLoader(
            .offsets(limit: 50) { offset in try await repository.articles(from: offset, count: 50) })
        // end
        print(byCursor.items, byNumber.items, byOffset.items)
    }

    static func transfers(_ api: APIClient, _ folder: URL) async {
        // snippet: ui-transfers
        let film = DownloadModel(api, .film(id: 3), to: folder)
        film.start()
        print(film.progress?.fraction ?? 0)
        await film.pause()
        film.start()  // resumes
        // end
    }

    static func feeds(_ api: APIClient) async {
        // snippet: ui-feeds
        let prices = LiveFeed(api, .prices, as: Price.self, limit: 50)  // server-sent events
        let live = LiveFeed { api.webSocket("live", as: LiveMessage.self) }
        await prices.run()  // until its task is canceled, or the server ends the stream
        print(prices.elements.count, live.state)
        // end
    }

    static func images(_ api: APIClient, _ url: HTTPURL) async throws {
        // snippet: ui-images
        let images = ImageLoader(api, memoryLimit: 32 << 20) { data, size in
            let bitmap = try Bitmap(data, atMost: size)
            return DecodedImage(bitmap, byteCount: bitmap.byteCount)
        }
        let thumbnail = try await images.image(at: url, fitting: PixelSize(width: 200, height: 200))
        // end
        _ = thumbnail
    }

    static func prefetch(_ images: ImageLoader<Data>, _ urls: [HTTPURL]) async {
        // snippet: ui-prefetch
        let prefetch = images.prefetch(urls, fitting: PixelSize(points: 80, 80, scale: 2))
        await prefetch.wait()  // or don't: releasing the handle stops it
        prefetch.stop()
        images.trimMemory(to: 8 << 20)
        // end
    }

    static func stages(_ images: ImageLoader<Data>, _ url: HTTPURL, _ show: (Data) -> Void) async throws {
        // snippet: ui-image-stages
        for try await stage in images.stages(of: url) {
            switch stage {
            case .preview(let picture): show(picture)
            case .image(let image): show(image.picture)
            }
        }
        // end
    }

    static func imageModel(_ images: ImageLoader<Data>, _ url: HTTPURL, _ show: (Data) -> Void) async {
        // snippet: ui-image-model
        let portrait = ImageModel(images, previous: .kept, retryingWith: SystemPathMonitor.shared)
        await portrait.load(url, fitting: PixelSize(points: 80, 80, scale: 2))
        switch portrait.phase {
        case .empty, .loading(preview: nil): print("…")
        case .loading(let preview?): show(preview)
        case .success(let image): show(image.picture)  // image.animation has the file of an animated image
        case .failure(let error): print(error.userMessage ?? "", "try again with portrait.retry()")
        }
        await portrait.refresh()  // in .refreshable
        // end
    }
}
