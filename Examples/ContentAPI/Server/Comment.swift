import Godwit

/// A comment in a response.
nonisolated struct Comment: Encodable {
    let id: Int
    let articleId: Int
    let authorId: Int
    let text: String
    let createdAt: Date
}

/// A comment in a request.
nonisolated struct CommentDraft: Decodable {
    let authorId: Int
    let text: String
}
