public import Godwit

/// Changes to an article. Absent values stay unchanged.
nonisolated public struct ArticleChange: Codable, Sendable {
    public var title: Patch<String> = .absent
    public var body: Patch<String> = .absent
    public var tags: Patch<[String]> = .absent
    public var publishedAt: Patch<Date> = .absent

    public init() {}

    /// What a form changes in an article.
    init(from article: Article, to form: ArticleForm) {
        if form.title != article.title { title = .value(form.title) }
        if form.body != article.body { body = .value(form.body) }
        if form.tags != article.tags { tags = .value(form.tags) }
    }
}
