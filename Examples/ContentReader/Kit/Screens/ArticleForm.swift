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
        body = Self.normalized(article.body)
        tagLine = article.tags.joined(separator: ", ")
    }

    /// The tags without surrounding whitespace.
    public var tags: [String] {
        tagLine.split(separator: ",")
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
    }

    /// The required input that is missing.
    public var missing: [Field] {
        var missing: [Field] = []
        if title.allSatisfy(\.isWhitespace) { missing.append(.title) }
        if body.allSatisfy(\.isWhitespace) { missing.append(.body) }
        return missing
    }

    /// The inputs, by their names in the API.
    public enum Field: String, CaseIterable, Sendable {
        case title, body, tags
    }

    /// What the user changed in an article's form.
    ///
    /// Compares with the form, not with the article: text fields change line ends, and a tag may contain a comma.
    func edit(of article: Article) -> Edit {
        let form = ArticleForm(article)
        let body = Self.normalized(body)
        return Edit(
            title: title == form.title ? nil : title, body: body == form.body ? nil : body,
            tags: tags == form.tags ? nil : tags)
    }

    /// What changes; `nil` for what stays.
    struct Edit {
        let title: String?
        let body: String?
        let tags: [String]?

        var isEmpty: Bool { title == nil && body == nil && tags == nil }
    }

    /// The text with the line ends of a text field.
    private static func normalized(_ text: String) -> String {
        // In Swift, "\r\n" is one character.
        String(text.map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
    }
}
