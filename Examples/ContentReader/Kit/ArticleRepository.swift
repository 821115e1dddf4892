public import Godwit

/// The articles for an app's features, without URLs, statuses or JSON.
///
/// It depends only on an ``APIClient``, to which tests pass a mock transport.
nonisolated public struct ArticleRepository: Sendable {
    private let api: APIClient

    public init(_ api: APIClient) {
        self.api = api
    }

    /// An article with its author and comments.
    public struct Reading: Sendable {
        public let article: Article
        public let author: User
        public let comments: [Comment]
        /// The version of the article, for `If-Match`.
        public let etag: String?
    }

    /// Loads an article, then its author and comments concurrently.
    public func reading(_ id: Int) async throws(NetworkError) -> Reading {
        let response = try await api.response(for: .article(id: id))
        async let author = api.result(of: .user(id: response.value.authorId))
        async let comments = api.result(of: .comments(on: id))
        return Reading(
            article: response.value, author: try await author.get(), comments: try await comments.get(),
            etag: response.head.fields[.etag])
    }

    /// Loads articles, at most six at a time.
    public func articles(_ ids: some Sequence<Int> & Sendable) async throws(NetworkError) -> [Article] {
        try await ids.concurrentMap(limit: 6) { [api] id throws(NetworkError) in try await api.send(.article(id: id)) }
    }

    public func publish(_ draft: ArticleDraft) async throws(NetworkError) -> Article {
        try await api.send(.create(draft))
    }

    /// Changes the title of an article, unless the article was changed in the meantime.
    public func rename(_ id: Int, to title: String) async throws(NetworkError) -> Article {
        let current = try await api.response(for: .article(id: id))
        var change = ArticleChange()
        change.title = .value(title)
        return try await api.send(.change(id: id, change, ifMatch: current.head.fields[.etag]))
    }

    public func remove(_ id: Int) async throws(NetworkError) {
        try await api.send(.delete(id: id))
    }
}
