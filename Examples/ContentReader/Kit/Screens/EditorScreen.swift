public import Godwit
public import GodwitUI
public import Observation

/// Creates an article, or changes an existing one.
@Observable @MainActor
public final class EditorScreen {
    /// The input.
    public var form: ArticleForm

    /// The article that is changed; `nil` for a new one.
    public let article: Article?

    /// Sends the form once, however often the button is tapped.
    public let saving: ActionModel<ArticleForm, Article>

    @ObservationIgnored private let edits: ArticleEdits?

    /// Creates a new article.
    public init(_ api: APIClient, authorId: Int) {
        (form, article, edits) = (ArticleForm(), nil, nil)
        saving = ActionModel { form in
            let draft = ArticleDraft(title: form.title, body: form.body, tags: form.tags, authorId: authorId)
            return try await api.send(.create(draft))
        }
    }

    /// Changes an article, unless it was changed since it was read.
    public init(_ edits: ArticleEdits, changing article: Article, etag: String?) {
        (form, self.article, self.edits) = (ArticleForm(article), article, edits)
        saving = ActionModel { form in
            try await edits.save(ArticleEdit(base: article, form: form, etag: etag))
        }
    }

    /// Whether the form can be sent: it is valid, and no request is in progress.
    public var canSave: Bool { form.isComplete && !saving.isRunning }

    /// The saved article; `nil` before.
    public var saved: Article? { saving.state.isLoaded ? saving.state.value : nil }

    /// The version of somebody else that is in the way of this one.
    public var conflict: ArticleConflict? { edits?.conflicts.first { $0.id == article?.id } }

    public func save() {
        if canSave { saving.start(form) }
    }

    /// The server's errors for a field; empty if the field is valid.
    public func faults(of field: String) -> [String] {
        guard case .validationFailed(let fields) = saving.error?.kind else { return [] }
        return fields.filter { $0.field == field }.flatMap(\.messages)
    }

    /// The message if saving failed for a reason other than a field.
    public var message: String? {
        switch saving.error?.kind {
        case .validationFailed: nil
        case .client(status: 412): "Somebody else has changed this article."
        default: saving.error?.userMessage
        }
    }
}
