public import Godwit

/// An article.
nonisolated public struct Article: Codable, Sendable, Hashable, Identifiable {
    public let id: Int
    public internal(set) var title: String
    public internal(set) var body: String
    public internal(set) var tags: [String]
    public let authorId: Int
    public let publishedAt: Date?
    public let updatedAt: Date

    /// Changes what a form changes in an earlier version.
    mutating func apply(_ form: ArticleForm, from base: Article) {
        if form.title != base.title { title = form.title }
        if form.body != base.body { body = form.body }
        if form.tags != base.tags { tags = form.tags }
    }
}
