import Godwit
public import GodwitUI
public import Observation

/// Writes an article, changes one, or corrects a change that was refused.
@Observable @MainActor
public final class EditorScreen: Identifiable {
    /// The input.
    public var form = ArticleForm()

    /// The article that is changed, as the server has it; `nil` for a new one.
    public let article: Article?

    /// Saves the form once, however often the button is tapped. The result is the article's ID.
    public let saving: ActionModel<ArticleForm, Article.ID>

    /// The refused change that the form corrects.
    private let refused: OutboxItem?

    /// Writes a new article. This needs the network, as the server gives the ID.
    init(_ queries: QueryStore, _ list: PageLoader<Article>, author: User.ID) {
        (article, refused) = (nil, nil)
        saving = ActionModel { form in
            let draft = ArticleDraft(title: form.title, body: form.body, tags: form.tags, authorId: author)
            return try await queries.mutate(.create(draft)) { changes, article in
                changes[list].insert(article, at: 0)
            }.id
        }
    }

    /// Changes an article; corrects a refused change if there is one.
    init(_ outbox: Outbox, _ article: Article, etag: String?, correcting refused: OutboxItem?) {
        (self.article, self.refused) = (article, refused)
        let edit = refused?.mutation as? EditArticle
        var merged = article
        if let edit { merged.apply(edit.form, from: edit.base) }
        form = ArticleForm(merged)
        saving = ActionModel { form in
            let edit = EditArticle(base: article, form: form, etag: etag)
            if let refused { try await outbox.replace(refused.id, with: edit) } else { try await outbox.add(edit) }
            return article.id
        }
    }

    /// Whether the form can be saved: it is valid, and isn't being saved.
    public var canSave: Bool { form.isComplete && !saving.isRunning }

    /// Whether the form merges the user's version with somebody else's, which is ``article``.
    public var isMerging: Bool { refused?.state == .conflict }

    public func save() {
        if canSave { saving.start(form) }
    }

    /// The ID of the saved article; `nil` before.
    public var saved: Article.ID? { saving.state.isLoaded ? saving.state.value : nil }

    private var error: NetworkError? { saving.error ?? refused?.error }

    /// The server's errors for a field; empty if the field is valid.
    public func faults(of field: String) -> [String] {
        guard case .validationFailed(let fields) = error?.kind else { return [] }
        return fields.filter { $0.field == field }.flatMap(\.messages)
    }

    /// The message if saving failed for a reason other than a field.
    public var message: String? {
        if case .validationFailed = error?.kind { return nil }
        return isMerging ? saving.error?.userMessage : error?.userMessage
    }
}
