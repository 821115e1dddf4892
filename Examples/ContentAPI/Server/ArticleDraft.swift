import Godwit

/// A whole article as a client writes it.
nonisolated struct ArticleDraft: Decodable {
    let title: String
    let body: String
    var tags: [String]?
    let authorId: Int
    var publishedAt: Date?
}

/// The parts of an article that a client changes.
nonisolated struct ArticleChange: Decodable {
    var title: Patch<String> = .absent
    var body: Patch<String> = .absent
    var tags: Patch<[String]> = .absent
    var publishedAt: Patch<Date> = .absent
}
