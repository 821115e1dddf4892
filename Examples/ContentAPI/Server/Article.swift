import Godwit

/// An article in a response.
nonisolated struct Article: Encodable {
    let id: Int
    var title: String
    var body: String
    var tags: [String]
    var authorId: Int
    var publishedAt: Date?
    var updatedAt: Date

    /// Incremented by every change.
    var version = 1

    /// Compared with `If-Match`.
    var etag: String { "\"\(id)-\(version)\"" }
}
