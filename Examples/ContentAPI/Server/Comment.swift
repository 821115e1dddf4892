import Godwit

/// A comment as the API shows it.
nonisolated struct Comment: Encodable {
    let id: Int
    let articleId: Int
    let authorId: Int
    let text: String
    let createdAt: Date
}

/// A comment as a client writes it.
nonisolated struct CommentDraft: Decodable {
    let authorId: Int
    let text: String
}
