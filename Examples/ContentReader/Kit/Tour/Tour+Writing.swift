import Godwit

nonisolated extension Tour {
    private static let draft = ArticleDraft(
        title: "What the wind says", body: "It says: go.", tags: ["weather"], authorId: 1)

    static let writingSteps = [
        TourStep(name: "create") { api in
            let response = try await api.response(for: .create(draft))
            try expect(response.head.status == .created, "expected 201, got \(response.head.status)")
            let article = try await api.send(.article(id: response.value.id))
            try expect(article == response.value, "what was read is not what was created: \(article)")
            return "201, Location \(response.head.fields[.location] ?? "none"), and it can be read"
        },
        TourStep(name: "update") { api in
            let article = try await api.send(.create(draft))
            let renamed = try await ArticleRepository(api).rename(article.id, to: "What the wind said")
            try expect(renamed.title == "What the wind said", "the title is \"\(renamed.title)\"")
            try expect(renamed.tags == article.tags, "the tags changed too: \(renamed.tags)")
            return "PATCH with If-Match: the title is new, all else as it was"
        },
        TourStep(name: "conflict") { api in
            let article = try await api.send(.create(draft))
            let error = try await failure { () throws(NetworkError) in
                try await api.send(.change(id: article.id, ArticleChange(), ifMatch: "\"stale\""))
            }
            try expect(error.kind == .client(status: 412), "expected 412, got \(error)")
            return "a stale ETag is refused: 412, \(error.problem?.title ?? "no title")"
        },
        TourStep(name: "delete") { api in
            let article = try await api.send(.create(draft))
            let response = try await api.response(for: .delete(id: article.id))
            try expect(response.head.status == .noContent, "expected 204, got \(response.head.status)")
            let error = try await failure { () throws(NetworkError) in try await api.send(.article(id: article.id)) }
            try expect(error.kind == .notFound, "expected it to be gone, got \(error)")
            return "204, and it is gone"
        },
    ]
}
