import Godwit

nonisolated extension Tour {
    /// An article that every example API has, also a small one.
    static let known = 8

    static let readingSteps = [
        TourStep(name: "list") { api in
            let response = try await api.response(for: .articles(page: 1, perPage: 4))
            let page = response.value
            try expect(page.items.count == 4 && page.page == 1, "expected 4 articles of page 1, got \(page)")
            let next = try response.head.fields.link(rel: "next", relativeTo: response.request.url)
            try expect(next?.query?.contains("page=2") == true, "expected a link to page 2, got \(next as Any)")
            return "page 1 of \((page.total + 3) / 4): 4 of \(page.total) articles; Link names page 2"
        },
        TourStep(name: "pages") { api in
            var titles: [String] = []
            for try await article in api.newestArticles(limit: 4).elements.prefix(10) { titles.append(article.title) }
            try expect(titles.count == 10, "expected 10 articles, got \(titles.count)")
            return "10 articles of a paged list in one loop, by the cursor of each page"
        },
        TourStep(name: "read") { api in
            let response = try await api.response(for: .article(id: Self.known))
            try expect(response.value.id == Self.known, "expected article \(Self.known), got \(response.value)")
            let connection = response.metrics.reusedConnection ? "same connection" : "new connection"
            return "\"\(response.value.title)\", ETag \(response.head.fields[.etag] ?? "none"), \(connection)"
        },
        TourStep(name: "repository") { api in
            let reading = try await ArticleRepository(api).reading(Self.known)
            try expect(reading.comments.count == 3, "expected 3 comments, got \(reading.comments)")
            return "the same with its author, \(reading.author.name), and \(reading.comments.count) comments at once"
        },
    ]
}
