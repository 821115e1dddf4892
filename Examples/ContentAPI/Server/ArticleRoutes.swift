import Godwit
import GodwitTesting

/// `/v1/articles`.
nonisolated struct ArticleRoutes {
    let store: ContentStore
    let kept: KeptResponses

    func add(to route: MockRoutes) {
        let store = store
        route.get("/v1/articles").answer { request throws(Problem) in
            if request.queryValue("limit") != nil { return try await CursorPaging(request).answer(from: store) }
            let paging = try Paging(request)
            if let tag = request.queryValue("tag") { return paging.answer(await store.articles(tag: tag)) }
            let (page, total) = await store.articles(paging.range)
            return paging.answer(page, total: total)
        }
        route.get("/v1/search").answer { request throws(Problem) in
            .coded(["items": await store.search(request.queryValue("q") ?? "", limit: 50)])
        }
        route.post("/v1/articles").answer(once: kept) { request throws(Problem) in
            let article = try await store.create(request.value(ArticleDraft.self))
            return Self.answer(article, status: .created).field(.location, "/v1/articles/\(article.id)")
        }
        route.get("/v1/articles/:id").answer { request throws(Problem) in
            let article = try await store.article(request.id(of: "article"))
            guard request.fields[.ifNoneMatch] != article.etag else {
                return .status(.notModified).field(.etag, article.etag)
            }
            return Self.answer(article)
        }
        addChanges(to: route)
    }

    private func addChanges(to route: MockRoutes) {
        let store = store
        route.put("/v1/articles/:id").answer(once: kept) { request throws(Problem) in
            let draft = try request.value(ArticleDraft.self)
            let id = try request.id(of: "article")
            return Self.answer(try await store.change(id, match: request.fields[.ifMatch]) { $0.replace(by: draft) })
        }
        route.patch("/v1/articles/:id").answer(once: kept) { request throws(Problem) in
            let change = try request.value(ArticleChange.self)
            let id = try request.id(of: "article")
            return Self.answer(try await store.change(id, match: request.fields[.ifMatch]) { $0.apply(change) })
        }
        route.delete("/v1/articles/:id").answer(once: kept) { request throws(Problem) in
            try await store.delete(request.id(of: "article"), match: request.fields[.ifMatch])
            return .status(.noContent)
        }
    }

    private static func answer(_ article: Article, status: HTTPStatus = .ok) -> MockResponse {
        .coded(article, status: status).field(.etag, article.etag).field(.cacheControl, "private, no-cache")
    }
}

nonisolated extension Article {
    fileprivate mutating func replace(by draft: ArticleDraft) {
        title = draft.title
        body = draft.body
        tags = draft.tags ?? []
        authorId = draft.authorId
        publishedAt = draft.publishedAt
    }

    /// `null` clears a value. The rules refuse an empty title or body.
    fileprivate mutating func apply(_ change: ArticleChange) {
        title.apply(change.title, cleared: "")
        body.apply(change.body, cleared: "")
        tags.apply(change.tags, cleared: [])
        switch change.publishedAt {
        case .absent: break
        case .null: publishedAt = nil
        case .value(let date): publishedAt = date
        }
    }
}

nonisolated extension Encodable {
    fileprivate mutating func apply(_ patch: Patch<Self>, cleared: Self) {
        switch patch {
        case .absent: break
        case .null: self = cleared
        case .value(let value): self = value
        }
    }
}
