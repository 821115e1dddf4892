public import Godwit

/// A new article.
nonisolated public struct ArticleDraft: Encodable, Sendable {
    public var title: String
    public var body: String
    public var tags: [String]
    public var authorId: Int
    public var publishedAt: Date?

    public init(title: String, body: String, tags: [String] = [], authorId: Int, publishedAt: Date? = nil) {
        self.title = title
        self.body = body
        self.tags = tags
        self.authorId = authorId
        self.publishedAt = publishedAt
    }
}
