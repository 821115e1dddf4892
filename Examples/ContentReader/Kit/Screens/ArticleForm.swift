/// What is entered about an article.
nonisolated public struct ArticleForm: Sendable, Hashable {
    public var title = ""
    public var body = ""

    /// The tags, with commas between them.
    public var tagLine = ""

    public init() {}

    /// The form of an article that exists.
    public init(_ article: Article) {
        title = article.title
        body = article.body
        tagLine = article.tags.joined(separator: ", ")
    }

    /// The tags, without the space around them.
    public var tags: [String] {
        tagLine.split(separator: ",")
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
    }

    /// Whether what an article must have is there.
    public var isComplete: Bool {
        !title.allSatisfy(\.isWhitespace) && !body.allSatisfy(\.isWhitespace)
    }
}
