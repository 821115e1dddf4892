import Godwit

/// The data of the API, in memory.
actor ContentStore {
    /// Announces the changes.
    nonisolated let live = LiveChannel()

    private(set) var comments: [Int: [Comment]] = [:]
    private(set) var users: [Int: User] = [:]
    private var articles: [Int: Article] = [:]
    /// The IDs of the articles, ascending.
    private var order: [Int] = []
    private var lastID = 0
    private var lastCommentID = 0

    init(users: [User], articles: [Article], comments: [Comment]) {
        self.users = Dictionary(users.map { ($0.id, $0) }) { $1 }
        self.articles = Dictionary(articles.map { ($0.id, $0) }) { $1 }
        self.comments = Dictionary(grouping: comments, by: \.articleId)
        order = self.articles.keys.sorted()
        lastID = order.last ?? 0
        lastCommentID = comments.map(\.id).max() ?? 0
    }
}

// Lists.
extension ContentStore {
    /// All articles, oldest first, or those with a tag.
    func articles(tag: String?) -> [Article] {
        let all = order.compactMap { articles[$0] }
        return tag.map { tag in all.filter { $0.tags.contains(tag) } } ?? all
    }

    /// A page of all articles, oldest first, and their count.
    func articles(_ range: Range<Int>) -> (page: [Article], total: Int) {
        (order[range.clamped(to: order.indices)].compactMap { articles[$0] }, order.count)
    }

    /// Articles, newest first, before an ID, and whether there are more.
    ///
    /// - Parameter id: `nil` for the newest.
    func newest(_ count: Int, before id: Int?) -> (page: [Article], hasMore: Bool, total: Int) {
        let end = id.map(place(of:)) ?? order.count
        let start = max(0, end - count)
        return (order[start..<end].reversed().compactMap { articles[$0] }, start > 0, order.count)
    }

    /// The newest articles that have each word of a text in their title, or as a tag.
    func search(_ text: String, limit: Int) -> [Article] {
        let words = text.lowercased().split(separator: " ")
        guard !words.isEmpty else { return [] }
        return Array(
            order.reversed().lazy.compactMap { self.articles[$0] }
                .filter { article in
                    let title = article.title.lowercased()
                    return words.allSatisfy { word in title.contains(word) || article.tags.contains { $0 == word } }
                }
                .prefix(limit))
    }

    /// The number of articles with smaller IDs.
    private func place(of id: Int) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

// Articles.
extension ContentStore {
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
        order.append(article.id)
        live.send(.created, article)
        return article
    }

    /// - Parameter match: The value of `If-Match`; `nil` changes any version.
    func change(
        _ id: Int, match: String?, _ change: @Sendable (inout Article) -> Void
    ) throws(Problem) -> Article {
        var article = try article(id)
        try check(article, match: match)
        change(&article)
        try check(article)
        article.version += 1
        article.updatedAt = Date()
        articles[id] = article
        live.send(.changed, article)
        return article
    }

    func delete(_ id: Int, match: String?) throws(Problem) {
        let article = try article(id)
        try check(article, match: match)
        articles[id] = nil
        order.remove(at: place(of: id))
        comments[id] = nil
        live.send(.deleted, article)
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
        return comments[id] ?? []
    }

    func comment(_ draft: CommentDraft, on id: Int) throws(Problem) -> Comment {
        let article = try article(id)
        guard users[draft.authorId] != nil else { throw Problem.invalid(["author_id": ["is not a user"]]) }
        guard !draft.text.isBlank else { throw Problem.invalid(["text": ["must not be empty"]]) }
        lastCommentID += 1
        let comment = Comment(
            id: lastCommentID, articleId: id, authorId: draft.authorId, text: draft.text, createdAt: Date())
        comments[id, default: []].append(comment)
        live.send(.commented, article)
        return comment
    }
}
