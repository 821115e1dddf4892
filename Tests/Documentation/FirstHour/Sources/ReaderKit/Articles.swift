import Godwit

public nonisolated struct Article: Codable, Sendable, Identifiable {
    public let id: Int
    public let title: String
}

extension Endpoint {
    public static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)") }

    public static func articles(page: Int) -> Endpoint<[Article]> {
        .get("articles", query: ["page": page, "per_page": 20]).unwrapping("items")  // {"items": […], "total": 57}
    }

    public static var export: Endpoint<Void> { .get("export") }
}
