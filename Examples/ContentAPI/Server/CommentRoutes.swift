import Godwit
import GodwitTesting

/// `/v1/articles/:id/comments`.
nonisolated struct CommentRoutes {
    let store: ContentStore
    let kept: KeptResponses

    func add(to route: MockRoutes) {
        let store = store
        route.get("/v1/articles/:id/comments").answer { request throws(Problem) in
            try Paging(request).answer(await store.comments(on: request.id(of: "article")))
        }
        route.post("/v1/articles/:id/comments").answer(once: kept) { request throws(Problem) in
            let draft = try request.value(CommentDraft.self)
            return .coded(try await store.comment(draft, on: request.id(of: "article")), status: .created)
        }
    }
}
