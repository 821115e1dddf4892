import Godwit

/// A user in a response.
nonisolated struct User: Encodable {
    let id: Int
    let name: String
    let joinedAt: Date
    var avatarBytes: Int?
}
