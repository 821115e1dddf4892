public import Godwit

// The whole API as values: requests and their response types.
extension Endpoint {
    public static func articles(page: Int = 1, perPage: Int = 20, tag: String? = nil) -> Endpoint<Page<Article>> {
        .get("articles", query: ["page": page, "per_page": perPage, "tag": tag])
    }

    /// The list, newest first.
    ///
    /// - Parameter cursor: The cursor of the batch before; `nil` for the first one.
    public static func articles(after cursor: String?, limit: Int = 20) -> Endpoint<ArticleBatch> {
        .get("articles", query: ["cursor": cursor, "limit": limit])
    }

    /// The newest articles that have each word of a text in their title, or as a tag; at most 50.
    public static func search(_ text: String) -> Endpoint<[Article]> {
        .get("search", query: ["q": text]).unwrapping("items")
    }

    public static func article(id: Int) -> Endpoint<Article> {
        .get("articles/\(id)")
    }

    public static func create(_ draft: ArticleDraft) -> Endpoint<Article> {
        .post("articles", body: .json(draft))
    }

    /// - Parameter etag: The ETag of the article as read. If it has changed, the server refuses the request.
    public static func change(id: Int, _ change: ArticleChange, ifMatch etag: String? = nil) -> Endpoint<Article> {
        .patch("articles/\(id)", body: .json(change)).header(.ifMatch, etag)
    }

    public static func delete(id: Int) -> Endpoint<Void> {
        .delete("articles/\(id)")
    }

    /// The first comments on an article, oldest first.
    public static func comments(on id: Int) -> Endpoint<[Comment]> {
        .get("articles/\(id)/comments").unwrapping("items")
    }

    /// A page of the comments on an article, oldest first.
    public static func comments(on id: Int, page: Int) -> Endpoint<Page<Comment>> {
        .get("articles/\(id)/comments", query: ["page": page])
    }

    /// The picture of an article, as PNG.
    public static func picture(of id: Int) -> Endpoint<Data> {
        .get("articles/\(id)/picture")
    }

    public static func user(id: Int) -> Endpoint<User> {
        .get("users/\(id)")
    }

    /// All articles as NDJSON; for ``APIClient/stream(_:)``.
    public static var export: Endpoint<Void> {
        .get("export")
    }

    /// Responds after a few seconds.
    public static func slow(seconds: Int) -> Endpoint<Void> {
        .get("slow", query: ["seconds": seconds])
    }

    public static func upload(_ body: HTTPBody) -> Endpoint<Receipt> {
        .post("uploads", body: .stream(body))
    }

    /// The picture of a user; its body is the file.
    public static func avatar(user: Int) -> Endpoint<Receipt> {
        .put("users/\(user)/avatar")
    }

    /// The picture of a user, with a caption, as a form.
    public static func avatar(user: Int, _ picture: Data, caption: String) -> Endpoint<Receipt> {
        .put(
            "users/\(user)/avatar",
            body: .multipart {
                $0.field("caption", caption)
                $0.data("avatar", picture, fileName: "avatar.png", type: MediaType("image/png"))
            })
    }
}
