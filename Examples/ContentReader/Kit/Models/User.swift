public import Godwit

/// A user of the API, who writes articles and comments.
nonisolated public struct User: Codable, Sendable, Hashable, Identifiable {
    public let id: Int
    public let name: String
    public let joinedAt: Date
}

/// A comment on an article.
nonisolated public struct Comment: Codable, Sendable, Hashable, Identifiable {
    public let id: Int
    public let articleId: Int
    public let authorId: Int
    public let text: String
    public let createdAt: Date
}
