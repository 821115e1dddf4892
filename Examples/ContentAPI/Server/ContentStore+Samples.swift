import Godwit

extension ContentStore {
    /// A store with fixed content: 4 users, articles, and 3 comments on each of the first and last 100 articles.
    ///
    /// - Parameter count: The number of articles, limited to 1 to 100,000.
    static func samples(_ count: Int) -> ContentStore {
        let articles = (1...max(1, min(count, 100_000))).map(article)
        let discussed = articles.count > 200 ? articles.prefix(100) + articles.suffix(100) : articles[...]
        return ContentStore(users: users, articles: articles, comments: discussed.flatMap(comments))
    }

    private static let names = ["Ada", "Ben", "Chi", "Dag"]
    private static let subjects = [
        "The tides of the Wadden Sea", "Mudflats in winter", "Eleven thousand kilometers", "What a beak can feel",
        "Winds over the Pacific", "A night at the colony", "Counting birds from the air", "The last lagoon",
    ]
    private static let tags = ["sea", "weather", "migration", "field notes"]

    private static var users: [User] {
        names.enumerated().map { User(id: $0 + 1, name: $1, joinedAt: day($0)) }
    }

    private static func article(_ number: Int) -> Article {
        let part = (number - 1) / subjects.count + 1
        return Article(
            id: number, title: "\(subjects[(number - 1) % subjects.count]), part \(part)",
            body: "They leave in the evening, with a tailwind, and do not land for eight days.",
            tags: [tags[number % tags.count]], authorId: number % names.count + 1, publishedAt: day(number),
            updatedAt: day(number))
    }

    private static func comments(on article: Article) -> [Comment] {
        (0..<3).map { index in
            Comment(
                id: article.id * 10 + index, articleId: article.id, authorId: index % names.count + 1,
                text: ["Seen there too.", "How far is that?", "More of this, please."][index],
                createdAt: article.updatedAt.addingTimeInterval(Double(3600 * (index + 1))))
        }
    }

    /// Noon, a number of days after March 1, 2026.
    private static func day(_ number: Int) -> Date {
        Date(timeIntervalSince1970: 1_772_366_400 + Double(number) * 86_400)
    }
}
