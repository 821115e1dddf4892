public import Godwit

/// Someone who writes.
nonisolated public struct User: Decodable, Sendable, Hashable, Identifiable {
    public let id: Int
    public let name: String
    public let joinedAt: Date
}
