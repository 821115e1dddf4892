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
        let edit = form.edit(of: base)
        title = edit.title ?? title
        body = edit.body ?? body
        tags = edit.tags ?? tags
    }
}

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

/// Changes to an article. Absent values stay unchanged.
nonisolated public struct ArticleChange: Codable, Sendable {
    public var title: Patch<String> = .absent
    public var body: Patch<String> = .absent
    public var tags: Patch<[String]> = .absent
    public var publishedAt: Patch<Date> = .absent

    public init() {}

    /// What a form changes in an article.
    init(from article: Article, to form: ArticleForm) {
        let edit = form.edit(of: article)
        if let value = edit.title { title = .value(value) }
        if let value = edit.body { body = .value(value) }
        if let value = edit.tags { tags = .value(value) }
    }
}
