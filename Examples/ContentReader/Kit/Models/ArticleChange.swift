public import Godwit

/// Changes to an article. Absent values stay unchanged.
nonisolated public struct ArticleChange: Encodable, Sendable {
    public var title: Patch<String> = .absent
    public var tags: Patch<[String]> = .absent
    public var publishedAt: Patch<Date> = .absent

    public init() {}
}
