public import Godwit

/// The repository's operations as closures, so that a test can replace a single operation.
///
/// ```swift
/// var articles = ArticleClient.live(api)
/// articles.load = { _ throws(NetworkError) in throw NetworkError(.notFound, phase: .validating) }
/// ```
nonisolated public struct ArticleClient: Sendable {
    public var load: @Sendable (_ id: Int) async throws(NetworkError) -> Article
    public var page: @Sendable (_ number: Int) async throws(NetworkError) -> Page<Article>
    public var publish: @Sendable (_ draft: ArticleDraft) async throws(NetworkError) -> Article
    public var remove: @Sendable (_ id: Int) async throws(NetworkError) -> Void

    /// Operations that call the API.
    public static func live(_ api: APIClient) -> ArticleClient {
        ArticleClient(
            load: { id throws(NetworkError) in try await api.send(.article(id: id)) },
            page: { number throws(NetworkError) in try await api.send(.articles(page: number)) },
            publish: { draft throws(NetworkError) in try await api.send(.create(draft)) },
            remove: { id throws(NetworkError) in try await api.send(.delete(id: id)) })
    }
}
