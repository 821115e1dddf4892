import Godwit
public import GodwitUI

/// An article with its author and comments, and the user's changes of it.
@MainActor
public final class ArticleScreen {
    public let id: Article.ID
    public let article: Loader<Article>
    public let author: KeyedLoader<User.ID, User>
    public let comments: PageLoader<Comment>

    // The reader holds its screens.
    private weak var reader: Reader?

    init(_ reader: Reader, id: Article.ID) {
        (self.id, self.reader) = (id, reader)
        article = Loader(reader.queries, .article(id: id))
        author = KeyedLoader(reader.queries) { .user(id: $0) }
        comments = PageLoader(reader.queries, Paging.comments(on: id))
    }

    /// Loads all of it, and again by the rules of the store, until the task is canceled.
    public func keepFresh() async {
        async let comments: Void = comments.keepFresh()
        await article.keepFresh()
        await comments
    }

    /// Loads all of it.
    public func load() async {
        async let comments: Void = comments.load()
        await article.load()
        if let author = article.value?.authorId { await self.author.load(author) }
        await comments
    }

    /// Repeats what failed.
    public func retry() async {
        async let comments: Void = comments.retry()
        async let author: Void = author.retry()
        await article.retry()
        _ = await (comments, author)
    }

    /// The article, or else its copy in the list, which may be outdated.
    public var shown: Article? { article.value ?? (isRemoved ? nil : listed) }

    private var listed: Article? { reader?.list.list.items.first { $0.id == id } }

    /// The changes that the server hasn't confirmed, oldest first.
    public var changes: [OutboxItem] { reader?.changes(of: id) ?? [] }

    /// The oldest change that the server refused.
    public var refused: OutboxItem? { changes.first(where: \.needsDecision) }

    /// The removal that waits.
    public var removal: OutboxItem? { changes.first { $0.isDeletion && !$0.needsDecision } }

    private var isRemoved: Bool { removal != nil }

    /// The user's version and the server's, if another user changed the article meanwhile.
    public var conflict: (mine: Article, theirs: Article)? {
        guard let refused, refused.state == .conflict, let edit = refused.mutation as? EditArticle,
            let theirs = article.value
        else { return nil }
        return (edit.merged(with: edit.base), theirs)
    }

    /// Whether ``editor()`` has a form: the article was loaded by itself, so that its version is known.
    public var canEdit: Bool { article.value != nil }

    /// A form for the article, or for the refused change, merged with the server's version; `nil` before it is loaded.
    public func editor() -> EditorScreen? {
        guard let reader, let article = article.value else { return nil }
        let refused = refused.flatMap { $0.isDeletion ? nil : $0 }
        return EditorScreen(reader, article, etag: reader.queries.etag(of: .article(id: id)), correcting: refused)
    }

    /// Removes the article, and leaves the screen when the removal is kept.
    public func remove() async {
        guard let reader, await reader.remove(id) else { return }
        reader.path.removeAll { $0 === self }
    }
}

/// Each is a place in the navigation.
nonisolated extension ArticleScreen: Hashable {
    public static func == (left: ArticleScreen, right: ArticleScreen) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
