import Godwit

/// A complete article in a request.
nonisolated struct ArticleDraft: Decodable {
    let title: String
    let body: String
    var tags: [String]?
    let authorId: Int
    var publishedAt: Date?
}

/// The changes to an article in a request.
nonisolated struct ArticleChange: Decodable {
    var title: Patch<String> = .absent
    var body: Patch<String> = .absent
    var tags: Patch<[String]> = .absent
    var publishedAt: Patch<Date> = .absent
}
