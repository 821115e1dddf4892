import Godwit

nonisolated extension Tour {
    static let readingSteps = [
        TourStep(name: "list") { api in
            let response = try await api.response(for: .articles(page: 2, perPage: 5))
            let page = response.value
            try expect(page.items.count == 5 && page.page == 2, "expected 5 articles of page 2, got \(page)")
            let next = try response.head.fields.link(rel: "next", relativeTo: response.request.url)
            try expect(next?.query?.contains("page=3") == true, "expected a link to page 3, got \(next as Any)")
            return "page 2 of \((page.total + 4) / 5): 5 of \(page.total) articles; Link names page 3"
        },
        TourStep(name: "read") { api in
            let response = try await api.response(for: .article(id: 42))
            try expect(response.value.id == 42, "expected article 42, got \(response.value)")
            let connection = response.metrics.reusedConnection ? "same connection" : "new connection"
            return "\"\(response.value.title)\", ETag \(response.head.fields[.etag] ?? "none"), \(connection)"
        },
        TourStep(name: "repository") { api in
            let reading = try await ArticleRepository(api).reading(42)
            try expect(reading.comments.count == 3, "expected 3 comments, got \(reading.comments)")
            return "the same with its author, \(reading.author.name), and \(reading.comments.count) comments at once"
        },
    ]
}
