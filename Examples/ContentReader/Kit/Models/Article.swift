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
}
