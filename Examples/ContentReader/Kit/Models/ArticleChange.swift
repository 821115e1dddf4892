public import Godwit

/// What shall be different about an article; what is absent stays as it is.
nonisolated public struct ArticleChange: Encodable, Sendable {
    public var title: Patch<String> = .absent
    public var tags: Patch<[String]> = .absent
    public var publishedAt: Patch<Date> = .absent

    public init() {}
}
