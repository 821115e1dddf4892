public import Godwit
public import GodwitUI

/// A change of an article that waits until the server has it.
nonisolated public protocol ArticleMutation: OutboxMutation {
    /// The article's ID.
    var id: Int { get }
}

nonisolated extension ArticleMutation {
    /// The changes of an article are sent one after another.
    public var scope: String { "article \(id)" }
}

extension OutboxItem {
    /// The article that it changes.
    public var articleID: Article.ID? { (mutation as? any ArticleMutation)?.id }

    /// Whether it removes the article.
    public var isDeletion: Bool { mutation is DeleteArticle }
}

/// Replaces the title, text and tags of an article.
nonisolated public struct EditArticle: ArticleMutation {
    /// The article as the user saw it. What the form leaves unchanged isn't sent.
    public let base: Article

    /// The input.
    public let form: ArticleForm

    /// The version of ``base``.
    let etag: String?

    /// - Parameter etag: The version of the article; `nil` for the one that the store has.
    public init(_ article: Article, _ form: ArticleForm, etag: String? = nil) {
        (base, self.form, self.etag) = (article, form, etag)
    }

    public var id: Int { base.id }

    public var endpoint: Endpoint<Article> { .change(id: id, ArticleChange(from: base, to: form)) }

    public var precondition: OutboxPrecondition? { OutboxPrecondition(Endpoint<Article>.article(id: id), etag: etag) }

    /// Another version with the user's changes.
    func merged(with article: Article) -> Article {
        var merged = article
        merged.apply(form, from: base)
        return merged
    }

    @MainActor public func apply(to changes: QueryChanges) {
        changes.update(Article.self, id: id) { $0 = merged(with: $0) }
    }

    @MainActor public func confirm(_ article: Article, in changes: QueryChanges) {
        changes.update(Article.self, id: id) { $0 = article }
    }
}

/// Removes an article.
nonisolated public struct DeleteArticle: ArticleMutation {
    public let id: Int

    public var endpoint: Endpoint<Void> { .delete(id: id) }

    @MainActor public func apply(to changes: QueryChanges) {
        changes.remove(Article.self, id: id)
    }
}
