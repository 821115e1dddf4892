public import Godwit

/// A change of an article, announced by the server.
nonisolated public struct ArticleNews: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable {
        case created, changed, deleted, commented, current
    }

    public let number: Int
    public let kind: Open<Kind>
    public let id: Int
    public let title: String
    public let version: Int
}
