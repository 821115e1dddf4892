public import Godwit
public import GodwitUI
public import Observation

/// Writes a new article, or changes title and tags of one that exists.
@Observable @MainActor
public final class EditorScreen {
    /// What is entered.
    public var form: ArticleForm

    /// Whether the article exists. Its body cannot be changed then.
    public let isChange: Bool

    /// Sends the form; once, however often the button is tapped.
    public let saving: ActionModel<ArticleForm, Article>

    /// Writes a new article.
    public init(_ api: APIClient, authorId: Int) {
        form = ArticleForm()
        isChange = false
        saving = ActionModel { form in
            let draft = ArticleDraft(title: form.title, body: form.body, tags: form.tags, authorId: authorId)
            return try await api.send(.create(draft))
        }
    }

    /// Changes an article, unless someone else has changed it since it was read.
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

    /// Whether there is something to send, and nothing on its way.
    public var canSave: Bool { form.isComplete && !saving.isRunning }

    /// The article as it was saved; nil before.
    public var saved: Article? { saving.state.isLoaded ? saving.state.value : nil }

    public func save() {
        if canSave { saving.start(form) }
    }

    /// What the server says is wrong with a field; empty where nothing is.
    public func faults(of field: String) -> [String] {
        guard case .validationFailed(let fields) = saving.error?.kind else { return [] }
        return fields.filter { $0.field == field }.flatMap(\.messages)
    }

    /// What is said where it could not be saved, and no field is to blame.
    public var message: String? {
        switch saving.error?.kind {
        case .validationFailed: nil
        case .client(status: 412): "Somebody else has changed this article. Read it again first."
        default: saving.error?.userMessage
        }
    }
}
