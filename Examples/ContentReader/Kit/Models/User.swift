public import Godwit

/// An author.
nonisolated public struct User: Codable, Sendable, Hashable, Identifiable {
    public let id: Int
    public let name: String
    public let joinedAt: Date
}
