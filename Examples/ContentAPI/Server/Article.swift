import Godwit

/// An article as the API shows it.
nonisolated struct Article: Encodable {
    let id: Int
    var title: String
    var body: String
    var tags: [String]
    var authorId: Int
    var publishedAt: Date?
    var updatedAt: Date

    /// Raised by every change.
    var version = 1

    /// What `If-Match` is compared with.
    var etag: String { "\"\(id)-\(version)\"" }
}
