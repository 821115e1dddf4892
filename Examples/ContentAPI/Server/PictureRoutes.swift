import Godwit
import GodwitTesting

/// `/v1/articles/:id/picture`: a picture of each article, as PNG, cacheable for an hour.
nonisolated struct PictureRoutes {
    let store: ContentStore

    func add(to route: MockRoutes) {
        let store = store
        route.get("/v1/articles/:id/picture").answer { request throws(Problem) in
            let article = try await store.article(request.id(of: "article"))
            let etag = "\"picture-\(article.id)\""
            guard request.fields[.ifNoneMatch] != etag else { return Self.cacheable(.status(.notModified), etag) }
            let png = SeaPicture(seed: article.id).png
            return Self.cacheable(.bytes(png, contentType: "image/png"), etag)
        }
    }

    private static func cacheable(_ response: MockResponse, _ etag: String) -> MockResponse {
        response.field(.etag, etag).field(.cacheControl, "private, max-age=3600")
    }
}
