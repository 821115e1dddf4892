import Godwit

nonisolated extension Tour {
    static let manySteps = [
        TourStep(name: "parallel") { api in
            let ids = try await api.send(.articles(page: 1, perPage: 50)).items.map(\.id)
            let articles = try await ids.concurrentMap(limit: 8) { try await api.send(.article(id: $0)) }
            try expect(articles.map(\.id) == ids, "not the articles asked for: \(articles.map(\.id))")
            return "\(articles.count) articles, 8 at a time, in the order asked for"
        }
    ]
}
