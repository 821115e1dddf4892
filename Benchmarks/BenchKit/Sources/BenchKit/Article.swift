import FoundationEssentials

/// One element of the 100 KB document that the JSON benches decode.
public struct Article: Codable, Equatable, Sendable {
    public var id: Int
    public var slug: String
    public var title: String
    public var body: String
    public var author: Author
    public var tags: [String]
    public var published: Date
    public var views: Int
    public var rating: Double
    public var isFeatured: Bool

    enum CodingKeys: String, CodingKey {
        case id, slug, title, body, author, tags, views, rating
        case published = "published_at"
        case isFeatured = "is_featured"
    }
}

/// The author of an ``Article``.
public struct Author: Codable, Equatable, Sendable {
    public var id: Int
    public var name: String
    public var email: String
    public var avatar: URL?

    enum CodingKeys: String, CodingKey {
        case id, name, email
        case avatar = "avatar_url"
    }
}

/// The 1 KB document of the benches of calls.
public struct ShortArticle: Codable, Equatable, Sendable {
    public var id: Int
    public var title: String
    public var tags: [String]
    public var body: String
}
