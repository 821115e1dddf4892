public import Godwit

/// An article.
nonisolated public struct Article: Decodable, Sendable, Hashable, Identifiable {
    public let id: Int
    public let title: String
    public let body: String
    public let tags: [String]
    public let authorId: Int
    public let publishedAt: Date?
    public let updatedAt: Date
}
