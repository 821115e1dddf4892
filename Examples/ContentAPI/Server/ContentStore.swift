import Godwit

/// The data of the API, in memory.
actor ContentStore {
    private(set) var articles: [Int: Article] = [:]
    private(set) var comments: [Comment] = []
    private(set) var users: [Int: User] = [:]
    private var lastID = 0

    init(users: [User], articles: [Article], comments: [Comment]) {
        self.users = Dictionary(users.map { ($0.id, $0) }) { $1 }
        self.articles = Dictionary(articles.map { ($0.id, $0) }) { $1 }
        self.comments = comments
        lastID = ([0] + articles.map(\.id) + comments.map(\.id)).max() ?? 0
    }
}

// Articles.
extension ContentStore {
    /// All articles, oldest first, or those with a tag.
    func articles(tag: String?) -> [Article] {
        articles.values.filter { tag.map($0.tags.contains) ?? true }.sorted { $0.id < $1.id }
    }

    func article(_ id: Int) throws(Problem) -> Article {
        guard let article = articles[id] else { throw Problem.missing("article", "\(id)") }
        return article
    }

    func create(_ draft: ArticleDraft) throws(Problem) -> Article {
        let article = Article(
            id: lastID + 1, title: draft.title, body: draft.body, tags: draft.tags ?? [], authorId: draft.authorId,
            publishedAt: draft.publishedAt, updatedAt: Date())
        try check(article)
        lastID += 1
        articles[article.id] = article
        return article
    }

    /// - Parameter match: The value of `If-Match`; `nil` changes any version.
    func change(
        _ id: Int, match: String?, _ change: (inout Article) -> Void
    ) throws(Problem) -> Article {
        var article = try article(id)
        try check(article, match: match)
        change(&article)
        try check(article)
        article.version += 1
        article.updatedAt = Date()
        articles[id] = article
        return article
    }

    func delete(_ id: Int, match: String?) throws(Problem) {
        try check(article(id), match: match)
        articles[id] = nil
        comments.removeAll { $0.articleId == id }
    }

    private func check(_ article: Article) throws(Problem) {
        let faults = ArticleRules.faults(in: article, authors: Set(users.keys))
        guard faults.isEmpty else { throw Problem.invalid(faults) }
    }

    private func check(_ article: Article, match: String?) throws(Problem) {
        guard let match, match != "*", match != article.etag else { return }
        throw Problem.changedMeanwhile(article)
    }
}

// Users and comments.
extension ContentStore {
    func allUsers() -> [User] {
        users.values.sorted { $0.id < $1.id }
    }

    func user(_ id: Int) throws(Problem) -> User {
        guard let user = users[id] else { throw Problem.missing("user", "\(id)") }
        return user
    }

    func storeAvatar(of id: Int, bytes: Int) throws(Problem) {
        var user = try user(id)
        user.avatarBytes = bytes
        users[id] = user
    }

    func comments(on id: Int) throws(Problem) -> [Comment] {
        _ = try article(id)
        return comments.filter { $0.articleId == id }
    }

    func comment(_ draft: CommentDraft, on id: Int) throws(Problem) -> Comment {
        _ = try article(id)
        guard users[draft.authorId] != nil else { throw Problem.invalid(["author_id": ["is not a user"]]) }
        guard !draft.text.isBlank else { throw Problem.invalid(["text": ["must not be empty"]]) }
        lastID += 1
        let comment = Comment(
            id: lastID, articleId: id, authorId: draft.authorId, text: draft.text, createdAt: Date())
        comments.append(comment)
        return comment
    }
}
