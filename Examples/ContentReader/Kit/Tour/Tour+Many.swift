import Godwit

nonisolated extension Tour {
    static let manySteps = [
        TourStep(name: "parallel") { api in
            let articles = try await (1...50).concurrentMap(limit: 8) { try await api.send(.article(id: $0)) }
            try expect(articles.map(\.id) == Array(1...50), "not the articles asked for: \(articles.map(\.id))")
            return "50 articles, 8 at a time, in the order asked for"
        }
    ]
}
