public import Godwit
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

    private let original: ArticleForm
    private var wasIncomplete = false

    /// Writes a new article. This needs the network, as the server gives the ID.
    init(_ reader: Reader) {
        (article, refused, original) = (nil, nil, ArticleForm())
        let creation = ArticleCreation(reader)
        saving = ActionModel { form in try await creation.save(form) }
    }

    /// Changes an article; corrects a refused change if there is one.
    init(_ reader: Reader, _ article: Article, etag: String?, correcting refused: OutboxItem?) {
        (self.article, self.refused) = (article, refused)
        let merged = (refused?.mutation as? EditArticle)?.merged(with: article) ?? article
        original = ArticleForm(merged)
        form = original
        saving = ActionModel { [weak reader] form in
            guard let outbox = try await reader?.openOutbox() else { throw CancellationError() }
            let edit = EditArticle(article, form, etag: etag)
            try await outbox.add(edit, correcting: refused?.id)
            return article.id
        }
    }

    /// Whether the input was changed, and isn't saved yet.
    public var isChanged: Bool { form != original && saved == nil }

    /// Whether the form can be saved: it is complete, and isn't being saved.
    public var canSave: Bool { form.missing.isEmpty && !saving.isRunning }

    /// Whether the form merges the user's version with another user's, which is ``article``.
    public var isMerging: Bool { refused?.state == .conflict }

    /// Saves the form. If it isn't complete, ``missing`` has the fields.
    public func save() {
        if check() { saving.start(form) }
    }

    /// Whether the form can be saved. Otherwise ``missing`` has what is missing.
    public func check() -> Bool {
        wasIncomplete = !form.missing.isEmpty
        return canSave
    }

    /// The required fields that were empty when the form was saved, and still are.
    public var missing: [ArticleForm.Field] { wasIncomplete ? form.missing : [] }

    /// The ID of the saved article; `nil` before.
    public var saved: Article.ID? { saving.state.isLoaded ? saving.state.value : nil }

    private var error: NetworkError? { saving.error ?? refused?.error }

    private var invalid: [NetworkError.FieldError] {
        if case .validationFailed(let fields) = error?.kind { fields } else { [] }
    }

    /// The server's errors for a field; empty if the field is valid.
    public func faults(of field: ArticleForm.Field) -> [String] {
        invalid.filter { $0.field == field.rawValue }.flatMap(\.messages)
    }

    /// The server's errors for what the form doesn't show.
    public var otherFaults: [NetworkError.FieldError] {
        invalid.filter { ArticleForm.Field(rawValue: $0.field) == nil }
    }

    /// The message if saving failed for a reason other than a field.
    public var message: String? {
        if case .validationFailed = error?.kind { return nil }
        return isMerging ? saving.error?.userMessage : error?.userMessage
    }
}

extension Outbox {
    /// Adds an edit, in the place of the refused one if that still needs a decision.
    ///
    /// It may have been discarded elsewhere while its form was open.
    fileprivate func add(_ edit: EditArticle, correcting refused: OutboxItem.ID?) async throws(NetworkError) {
        if let refused, items.contains(where: { $0.id == refused && $0.needsDecision }) {
            return try await replace(refused, with: edit)
        }
        try await add(edit)
    }
}
