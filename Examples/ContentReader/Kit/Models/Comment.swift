public import Godwit

/// A comment on an article.
nonisolated public struct Comment: Codable, Sendable, Hashable, Identifiable {
    public let id: Int
    public let articleId: Int
    public let authorId: Int
    public let text: String
    public let createdAt: Date
}
