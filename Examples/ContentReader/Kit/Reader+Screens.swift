public import Godwit
import GodwitUI

// Screens. They are held by the reader, as a view is made again whenever something changes.
extension Reader {
    /// Opens an article.
    public func open(_ id: Article.ID) { path.append(ArticleScreen(self, id: id)) }

    /// Opens a form for the visible article, or for its refused change.
    public func edit() {
        if let editor = path.last?.editor() { form = editor }
    }

    /// Opens a form for a new article.
    public func write() { form = EditorScreen(self) }

    /// The URL of an article's picture.
    public func picture(of id: Article.ID) -> HTTPURL? { try? queries.api.request(for: .picture(of: id)).url }
}

// The list shows what was loaded elsewhere.
extension Reader {
    /// Shows the visible article's latest version in the list, and its author.
    func follow(_ article: Article?) async {
        guard let article, let screen = path.last, screen.id == article.id else { return }
        showInList(article.id)
        if screen.author.key != article.authorId { await screen.author.load(article.authorId) }
    }

    /// Shows in the list the version of an article that was loaded by itself, which may be newer.
    ///
    /// A change that waits is shown in both already. The article's own value stays, and with it its ETag.
    func showInList(_ id: Article.ID) {
        guard changes(of: id).allSatisfy(\.needsDecision), let article = queries.value(of: .article(id: id)) else {
            return
        }
        guard let row = list.list.items.firstIndex(where: { $0.id == id }) else { return showFirst(article) }
        guard list.list.items[row] != article else { return }
        queries.set { [list = list.list] changes in
            if changes[list].indices.contains(row), changes[list][row].id == id { changes[list][row] = article }
        }
    }

    /// Shows an article that is newer than all of the list.
    private func showFirst(_ article: Article) {
        guard let first = list.list.items.first?.id, article.id > first else { return }
        queries.set { [list = list.list] in $0.insert(article, in: list) }
    }
}

// The news.
extension Reader {
    /// Loads what the news is about.
    func followNews() async {
        let elements = news.elements
        let known = lastNews.flatMap { last in elements.lastIndex { $0.number == last } }
        let isGap = lastNews != nil && known == nil && elements.count == news.limit
        lastNews = elements.last?.number
        // More has happened than the feed keeps.
        if isGap { queries.invalidateAll() }
        var latest: [Article.ID: ArticleNews] = [:]
        for item in elements.suffix(from: known.map { $0 + 1 } ?? 0) { latest[item.id] = item }
        for item in latest.values.sorted(by: { $0.number < $1.number }) { await follow(item) }
    }

    private func follow(_ item: ArticleNews) async {
        switch item.kind.known {
        case .deleted:
            queries.set { $0.remove(Article.self, id: item.id) }
            queries.invalidate(.article(id: item.id))
        case .commented: queries.invalidate(Paging.comments(on: item.id))
        default:
            let isShown = list.list.items.contains { $0.id == item.id } || path.contains { $0.id == item.id }
            guard isShown || item.kind.known == .created else { return }
            await Loader(queries, .article(id: item.id)).refresh()
            showInList(item.id)
        }
    }
}
