import FoundationEssentials
import GodwitJSON

// Instead of BenchKit's types of these names, which must not depend on GodwitJSON.

struct Article: Codable, Equatable, JSONReadable {
    var id: Int
    var slug: String
    var title: String
    var body: String
    var author: Author
    var tags: [String]
    var published: Date
    var views: Int
    var rating: Double
    var isFeatured: Bool

    enum CodingKeys: String, CodingKey {
        case id, slug, title, body, author, tags
        case published = "published_at"
        case views, rating
        case isFeatured = "is_featured"
    }

    init(json: inout JSONObjectReader) throws {
        id = try json.read("id")
        slug = try json.read("slug")
        title = try json.read("title")
        body = try json.read("body")
        author = try json.read("author")
        tags = try json.read("tags")
        published = try json.read("published_at")
        views = try json.read("views")
        rating = try json.read("rating")
        isFeatured = try json.read("is_featured")
    }
}

struct Author: Codable, Equatable, JSONReadable {
    var id: Int
    var name: String
    var email: String
    var avatar: URL?

    enum CodingKeys: String, CodingKey {
        case id, name, email
        case avatar = "avatar_url"
    }

    init(json: inout JSONObjectReader) throws {
        id = try json.read("id")
        name = try json.read("name")
        email = try json.read("email")
        avatar = try json.read("avatar_url")
    }
}

struct ShortArticle: Codable, Equatable, JSONReadable {
    var id: Int
    var title: String
    var tags: [String]
    var body: String

    init(json: inout JSONObjectReader) throws {
        id = try json.read("id")
        title = try json.read("title")
        tags = try json.read("tags")
        body = try json.read("body")
    }
}
