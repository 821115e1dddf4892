/// The input for an article.
nonisolated public struct ArticleForm: Codable, Sendable, Hashable {
    public var title = ""
    public var body = ""

    /// The tags, separated by commas.
    public var tagLine = ""

    public init() {}

    /// The form of an existing article.
    public init(_ article: Article) {
        title = article.title
        body = article.body
        tagLine = article.tags.joined(separator: ", ")
    }

    /// The tags without surrounding whitespace.
    public var tags: [String] {
        tagLine.split(separator: ",")
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
    }

    /// Whether the required input is present.
    public var isComplete: Bool {
        !title.allSatisfy(\.isWhitespace) && !body.allSatisfy(\.isWhitespace)
    }
}
