import Godwit
public import GodwitUI

/// An article with its author and comments, and the user's changes of it.
@MainActor
public final class ArticleScreen {
    public let id: Article.ID
    public let article: Loader<Article>
    public let author: KeyedLoader<User.ID, User>
    public let comments: Loader<[Comment]>

    private let reader: Reader

    init(_ reader: Reader, id: Article.ID) {
        (self.id, self.reader) = (id, reader)
        article = Loader(reader.queries, .article(id: id))
        author = KeyedLoader(reader.queries) { .user(id: $0) }
        comments = Loader(reader.queries, .comments(on: id))
    }

    /// Loads all of it.
    public func load() async {
        async let comments: Void = comments.load()
        await article.load()
        reader.showInList(id)
        if let author = article.value?.authorId { await self.author.load(author) }
        await comments
    }

    /// The changes that the server hasn't confirmed, oldest first.
    public var changes: [OutboxItem] { reader.changes(of: id) }

    /// The oldest change that the server refused.
    public var refused: OutboxItem? { changes.first(where: \.needsDecision) }

    /// The user's version and the server's, if somebody else changed the article meanwhile.
    public var conflict: (mine: Article, theirs: Article)? {
        guard let refused, refused.state == .conflict, let edit = refused.mutation as? EditArticle,
            let theirs = article.value
        else { return nil }
        var mine = edit.base
        mine.apply(edit.form, from: edit.base)
        return (mine, theirs)
    }

    /// A form for the article, or for the refused change, merged with the server's version; `nil` before it is loaded.
    public func editor() -> EditorScreen? {
        guard let outbox = reader.outbox, let article = article.value else { return nil }
        let etag = reader.queries.etag(of: .article(id: id))
        return EditorScreen(outbox, article, etag: etag, correcting: refused)
    }

    /// Removes the article.
    public func remove() {
        reader.remove(id)
        reader.path.removeAll { $0 === self }
    }
}

/// Each is a place in the navigation.
nonisolated extension ArticleScreen: Hashable {
    public static func == (left: ArticleScreen, right: ArticleScreen) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
