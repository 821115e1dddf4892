public import Godwit

/// A part of the list, newest first.
nonisolated public struct ArticlePart: Codable, Sendable, CursorPage {
    public let items: [Article]
    public let nextCursor: String?
    public let total: Int
}
