import Godwit

/// The rules for articles.
nonisolated enum ArticleRules {
    static let longestTitle = 120
    static let mostTags = 5

    /// The errors by field; empty if the article is valid.
    static func faults(in article: Article, authors: Set<Int>) -> [String: [String]] {
        var faults: [String: [String]] = [:]
        if article.title.isBlank { faults["title", default: []].append("must not be empty") }
        if article.title.count > longestTitle {
            faults["title", default: []].append("must have at most \(longestTitle) characters")
        }
        if article.body.isBlank { faults["body", default: []].append("must not be empty") }
        if article.tags.count > mostTags { faults["tags", default: []].append("must be at most \(mostTags)") }
        if !authors.contains(article.authorId) { faults["author_id", default: []].append("is not a user") }
        return faults
    }
}

nonisolated extension String {
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
