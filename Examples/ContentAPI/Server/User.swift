import Godwit

/// A user as the API shows it.
nonisolated struct User: Encodable {
    let id: Int
    let name: String
    let joinedAt: Date
    var avatarBytes: Int?
}
