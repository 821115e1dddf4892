public import Godwit
public import GodwitUI
public import Observation

/// Creates an article, or changes the title and tags of an existing one.
@Observable @MainActor
public final class EditorScreen {
    /// The input.
    public var form: ArticleForm

    /// Whether the article exists. The body of an existing article can't be changed.
    public let isChange: Bool

    /// Sends the form once, however often the button is tapped.
    public let saving: ActionModel<ArticleForm, Article>

    /// Creates a new article.
    public init(_ api: APIClient, authorId: Int) {
        form = ArticleForm()
        isChange = false
        saving = ActionModel { form in
            let draft = ArticleDraft(title: form.title, body: form.body, tags: form.tags, authorId: authorId)
            return try await api.send(.create(draft))
        }
    }

    /// Changes an article, unless it was changed since it was read.
    public init(_ api: APIClient, changing article: Article) {
        form = ArticleForm(article)
        isChange = true
        saving = ActionModel { form in
            let current = try await api.response(for: .article(id: article.id))
            guard current.value == article else { throw NetworkError(.client(status: 412), phase: .validating) }
            var change = ArticleChange()
            if form.title != article.title { change.title = .value(form.title) }
            if form.tags != article.tags { change.tags = .value(form.tags) }
            return try await api.send(.change(id: article.id, change, ifMatch: current.head.fields[.etag]))
        }
    }

    /// Whether the form can be sent: it is valid, and no request is in progress.
    public var canSave: Bool { form.isComplete && !saving.isRunning }

    /// The saved article; `nil` before.
    public var saved: Article? { saving.state.isLoaded ? saving.state.value : nil }

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
        case .client(status: 412): "Somebody else has changed this article. Read it again first."
        default: saving.error?.userMessage
        }
    }
}
